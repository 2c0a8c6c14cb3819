"""rich's console, for texts of strangers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from trapline.app.output.readable_text import readable
from trapline.app.output.standard_output import end_quietly


class Terminal(Console):
    """Brackets are brackets, and nothing is unseen but rich's own control codes."""

    def __init__(
        self, *, stderr: bool = False, quiet: bool = False, width: int | None = None
    ) -> None:
        super().__init__(
            stderr=stderr,
            quiet=quiet,
            width=width,
            markup=False,
            emoji=False,
            highlight=False,
        )

    def on_broken_pipe(self) -> NoReturn:
        end_quietly()

    def render_str(self, text: str, **wishes: Any) -> Text:
        return super().render_str(readable(text), **wishes)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            if segment.control is None:
                yield Segment(readable(segment.text), segment.style)
            else:
                yield segment
