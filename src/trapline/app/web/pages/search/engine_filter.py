"""The engines that a search may be limited to: boxes beside the other filters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from trapline.app.web.pages.markup import NOTHING, Html, element
from trapline.app.web.pages.search.search_view import View

_PLAIN: Final = re.compile(r"[\w.-]{1,60}")
_NAMED: Final = 2  # engines that the folded filter names


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """An engine as it is chosen: its name as it is shown, and its fingerprint."""

    name: str
    fingerprint: str  # "own" = the collection here

    @property
    def value(self) -> str:
        """As the URL has it: the name where that can only be this one's.

        >>> EngineChoice("moons", "3f2a").value, EngineChoice("a, b", "3f2a").value
        ('moons', '3f2a')
        """
        return self.name if _PLAIN.fullmatch(self.name) else self.fingerprint


def engine_filter(view: View, engines: Sequence[EngineChoice]) -> Html:
    if len(engines) < 2 and not view.engines:  # it would select all there is
        return NOTHING
    chosen = frozenset(view.engines)
    boxes = [_box(engine, engine.value in chosen) for engine in engines]
    gone = chosen - {engine.value for engine in engines}
    boxes += [_box(EngineChoice(value, value), True) for value in sorted(gone)]
    folded = element(
        "summary",
        element("span", _say_chosen(view, engines), class_="chosen"),
        class_="set" if chosen else None,
    )
    choice = element("details", folded, element("div", boxes), id="filter-engines")
    return element("div", element("span", "Engines"), choice, class_="engines")


def _box(engine: EngineChoice, is_chosen: bool) -> Html:
    box = element(
        "input",
        type="checkbox",
        name="engines",
        id=f"engine-{engine.value}",
        value=engine.value,
        form="ask",
        checked=is_chosen,
    )
    return element("label", box, element("bdi", engine.name))


def _say_chosen(view: View, engines: Sequence[EngineChoice]) -> str:
    names = {engine.value: engine.name for engine in engines}
    chosen = [names.get(value, value) for value in view.engines]
    if not chosen:
        return "all engines"
    if len(chosen) > _NAMED:
        return f"{len(chosen)} engines"
    return ", ".join(chosen)
