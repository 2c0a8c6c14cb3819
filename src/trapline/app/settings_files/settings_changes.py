"""What is different from the settings of the last run: said, and where it matters asked for."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from rich.text import Text

from trapline.app.output.terminal import Terminal
from trapline.app.settings import Settings
from trapline.app.settings_files.given import is_secret
from trapline.app.settings_files.toml_text import toml_value
from trapline.app.stop_signals import taken_as_answer
from trapline.core.errors import UserMistake

# A change of these makes another engine of it.
_LOUD: Final = (
    "topic.",
    "scope.",
    "discovery.",
    "refresh.",
    "fetchers.policy",
    "fetchers.options",
)
_COUNTED: Final = ("seeds", "output.changes", "watch.pages")  # may be long lists
_LONGEST: Final = 200  # characters of a value


class Change(NamedTuple):
    name: str  # of the setting, in full
    before: Any
    after: Any

    @property
    def loud(self) -> bool:
        return self.name.startswith(_LOUD)

    def line(self) -> str:
        if self.name in _COUNTED:
            return f"{self.name}: {_difference(self.before, self.after)}"
        return f"{self.name}: {_show_value(self.before)} → {_show_value(self.after)}"


def changes_between(before: Settings | None, after: Settings) -> list[Change]:
    """Secrets are not compared: nobody has kept them."""
    if before is None:
        return []
    old = _flat(before)
    new = _flat(after)
    return [
        Change(name, old.get(name), new[name])
        for name in new
        if old.get(name) != new[name]
    ]


def tell_changes(changes: Iterable[Change]) -> None:
    """On the standard error: a line each of what matters, one line of the rest."""
    terminal = Terminal(stderr=True)
    for change in changes:
        if change.loud:
            line = Text(
                f"trapline: this run changes {change.line()}", style="bold yellow"
            )
            terminal.print(line, soft_wrap=True)
    quiet = "; ".join(change.line() for change in changes if not change.loud)
    if quiet:
        terminal.print(f"trapline: since the last run {quiet}", soft_wrap=True)


def confirm_changes(changes: Iterable[Change], *, yes: bool) -> None:
    """Ask whoever sits at a terminal; UserMistake if the answer is no."""
    if yes or not any(change.loud for change in changes) or not _somebody_there():
        return
    if _answer("Go on with these settings? [y/N] ") not in ("y", "yes"):
        raise UserMistake(
            "stopped before anything was changed: leave out what changes it, or name another "
            "folder with --dir"
        )


def _answer(question: str) -> str:
    """Ctrl-C is an answer, too."""
    try:
        with taken_as_answer():
            print(question, end="", file=sys.stderr, flush=True)
            return sys.stdin.readline().strip().lower()
    except KeyboardInterrupt:
        print(file=sys.stderr)  # the cursor stands behind the question
        return ""


def _somebody_there() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _flat(settings: Settings) -> dict[str, Any]:
    values = settings.model_dump(exclude={"access"})
    told = [one for one in settings.output.changes if not is_secret(one)]
    values["output"] = {**values["output"], "changes": told}
    return dict(_leaves(values, ""))


def _leaves(values: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping) and not above:
            yield from _leaves(value, f"{name}.")
        else:
            yield above + name, value


def _difference(before: Iterable[Any] | None, after: Iterable[Any]) -> str:
    old = Counter(map(str, before or ()))
    new = Counter(map(str, after))
    counts = {"added": (new - old).total(), "dropped": (old - new).total()}
    told = [f"{count:,} {word}" for word, count in counts.items() if count]
    return ", ".join(told) or "in another order"


def _show_value(value: Any) -> str:
    text = "not set" if value is None else toml_value(value)
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
