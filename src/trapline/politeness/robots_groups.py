"""The lines of a robots.txt that are meant for us (RFC 9309 §2.1–2.2).

Groups that name our product count, all of them joined; where there is none, those for everybody.
What is misspelt as people misspell it is read as it was meant. A line that nobody knows changes
nothing: above all it does not end a group, or the rules below would hold for fewer robots than
they name.

>>> for_all = "User-agent: *\\nDisallow: /a\\n"
>>> lines_for("trapline", for_all + "User-agent: trapline\\nHost: x\\nUser-agent: y\\nAllow: /b")
GroupLines(rules=[(True, '/b')], delay_s=None)
"""

from __future__ import annotations

import math
import re
from typing import Final, NamedTuple

LONGEST_LINE: Final = 2083 * 8  # bytes in other readers; what lies beyond is cut

_LINE_END: Final = re.compile(r"\r\n|\n|\r")
# A name and a value; people also leave out the colon.
_RECORD: Final = re.compile(
    r"[ \t]*([a-z_-]+(?: agent)?)(?:[ \t]*:|[ \t])[ \t]*([^\n]*)", re.I
)
_AGENT: Final = ("user-agent", "useragent", "user agent")
_DISALLOW: Final = (
    "disallow",
    "dissallow",
    "dissalow",
    "disalow",
    "diasllow",
    "disallaw",
)
_NAMES: Final = {
    **dict.fromkeys(_AGENT, "agent"),
    **dict.fromkeys(_DISALLOW, "disallow"),
    "allow": "allow",
    "crawl-delay": "delay",
}
_TOKEN: Final = re.compile(r"[a-z_-]*", re.IGNORECASE)


class GroupLines(NamedTuple):
    rules: list[tuple[bool, str]]  # (whether it allows, its pattern)
    delay_s: float | None  # Crawl-delay


class _Groups:
    """Reads records in order; keeps what is said to us, and what is said to everybody."""

    def __init__(self, product: str) -> None:
        self._product = product.lower()
        self.ours = GroupLines([], None)
        self.everybody = GroupLines([], None)
        self.names_us = False
        self._to_us = False
        self._to_all = False
        self._has_rules = False  # the next name begins another group
        self._has_delay = False  # so it does after an empty line

    def read(self, name: str, value: str) -> None:
        if name == "agent":
            self._name_agent(value)
            return
        if name != "delay":
            self._has_rules = True
            self._add_rule(name == "allow", value)
            return
        self._has_delay = True
        if (delay_s := _seconds(value)) is not None:
            self._set_delay(delay_s)

    def end_paragraph(self) -> None:
        """An empty line: it ends nothing, but for a group of which only a Crawl-delay is said."""
        self._has_rules = self._has_rules or self._has_delay

    def _name_agent(self, value: str) -> None:
        if self._has_rules:
            self._to_us = self._to_all = self._has_rules = self._has_delay = False
        token = _TOKEN.match(value)
        if value[:1] == "*" and not value[1:2].strip():
            self._to_all = True
        elif token is not None and token[0].lower() == self._product:
            self._to_us = self.names_us = True

    def _add_rule(self, allows: bool, value: str) -> None:
        if self._to_us:
            self.ours.rules.append((allows, value))
        if self._to_all:
            self.everybody.rules.append((allows, value))

    def _set_delay(self, delay_s: float) -> None:
        """The longest that is said counts."""
        if self._to_us:
            longest = max(delay_s, self.ours.delay_s or 0.0)
            self.ours = self.ours._replace(delay_s=longest)
        if self._to_all:
            longest = max(delay_s, self.everybody.delay_s or 0.0)
            self.everybody = self.everybody._replace(delay_s=longest)


def lines_for(product: str, text: str) -> GroupLines:
    """What `text` says to this product."""
    groups = _Groups(product)
    for line in _LINE_END.split(_without_mark(text)):
        if not line or line.isspace():
            groups.end_paragraph()
            continue
        record = _RECORD.match(line[:LONGEST_LINE])
        if record is not None and (name := _NAMES.get(record[1].lower())):
            value = record[2].partition("#")[0].strip()
            groups.read(name, value)
    return groups.ours if groups.names_us else groups.everybody


def _without_mark(text: str) -> str:
    """Without a byte order mark, whole or broken."""
    return text.lstrip("\ufeff\ufffd")


def _seconds(value: str) -> float | None:
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if 0.0 <= seconds < math.inf else None
