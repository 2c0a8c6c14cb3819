"""One page of another program's list, in our own words, and what of it has no such words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final

from trapline.app.watch_import.foreign_values import text_of
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical

_FLAGS: Final = re.compile(r"\(\?([aiLmsux]+)\)")
_TEMPLATE: Final = re.compile(r"\{\{|\{%")  # Jinja
_SOURCE: Final = "source:"
_LISTS: Final = ("tags", "select", "ignore", "ignore_text")


@dataclass(slots=True)
class ImportedPage:
    """`values` are those of an entry of [[watch.pages]]; `lost` says what is not among them."""

    job: str  # as its owner would find it again
    values: dict[str, Any] = field(default_factory=dict)
    lost: list[str] = field(default_factory=list)
    left_out: str = ""  # why it is not taken over at all

    def set_url(self, value: object) -> None:
        url = text_of(value)
        if _TEMPLATE.search(url):
            self.left_out = "its URL is a template: name the page that it leads to"
            return
        plain = url.removeprefix(_SOURCE)
        if plain != url:
            self.lose(_SOURCE, "the text of the page is compared, not its source")
        try:
            self.values["url"] = canonical(plain)
        except UserMistake as mistake:
            self.left_out = str(mistake)

    def add(self, key: str, value: str) -> None:
        """To a list, unless it is there."""
        assert key in _LISTS
        found = self.values.setdefault(key, [])
        if value not in found:
            found.append(value)

    def lose(self, what: str, why: str = "") -> None:
        self.lost.append(f"{what} ({why})" if why else what)

    def as_dict(self) -> dict[str, Any]:
        return {
            "job": self.job,
            "taken": self.values if not self.left_out else None,
            "lost": self.lost,
            "left_out": self.left_out,
        }


def lift_flags(pattern: str) -> tuple[str, str]:
    """(flags, the rest): flags must stand at the beginning of the whole expression.

    >>> lift_flags("(?i)price"), lift_flags("price")
    (('(?i)', 'price'), ('', 'price'))
    """
    found = _FLAGS.match(pattern)
    return (found[0], pattern[found.end() :]) if found else ("", pattern)


def lines_with(pattern: str) -> str:
    """Matches whole lines in which the expression is found.

    >>> lines_with("(?i)seen"), lines_with("a|b")
    ('(?i).*(?:seen).*', '.*(?:a|b).*')
    """
    flags, rest = lift_flags(pattern)
    return f"{flags}.*(?:{rest}).*"


def lines_without(pattern: str) -> str:
    """Matches whole lines in which the expression is not found.

    >>> lines_without("price")
    '^(?!.*(?:price)).*$'
    """
    flags, rest = lift_flags(pattern)
    return f"{flags}^(?!.*(?:{rest})).*$"


def is_pattern(text: str) -> bool:
    try:
        re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True
