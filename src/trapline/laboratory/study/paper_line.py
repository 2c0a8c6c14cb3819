"""One line of a paper, and where it is in Trapline: a figure, an equation, a claim …

A paper's folder declares its lines, a record a line (papers/talim/paper_lines/, and so on);
study/paper_book.py finds them. A line cannot be made without a check, a place and a word on how
it can be had live.

>>> line = PaperLine(
...     "toys/eq-1",
...     Kind.EQUATION,
...     "Heads come up half of the time.",
...     "core.cards:blank_cards",
...     ("tests/paper/test_whittle.py::test_only_source_1",),
...     Verdict.REPRODUCED,
...     choose("refresh/uniform"),
...     Stated("0.5"),
... )
>>> line.paper, line.live.text, line.number.text
('toys', '[refresh] policy = "uniform"', '0.5')
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from importlib import import_module
from typing import Any, Final

from trapline.laboratory.results.shipped import load_shipped
from trapline.laboratory.study.report import Cell

_PLACE: Final = re.compile(r"[a-z_0-9.]+:[A-Za-z_0-9.]+")
_DIGITS: Final = 6


class Kind(StrEnum):
    EQUATION = "equation"
    FIGURE = "figure"
    TABLE = "table"
    CLAIM = "claim"
    ASSUMPTION = "assumption"
    POLICY = "policy"
    OPEN = "open problem"


class Verdict(StrEnum):
    REPRODUCED = "reproduced"  # as the paper says
    CORRECTED = "corrected"  # an error of the paper is repaired
    EXTENDED = "extended"  # more than the paper has
    REFUTED = "refuted"  # found not to be so


@dataclass(frozen=True, slots=True)
class Live:
    """How a crawl can have it, or why that makes no sense."""

    policies: tuple[str, ...] = ()  # "refresh/htraa": a table of the settings, a name
    says: str = ""

    @property
    def text(self) -> str:
        return "; ".join([*map(_setting, self.policies), self.says]).strip("; ")


def choose(*policies: str, says: str = "") -> Live:
    """Policies of a crawl's settings, any of them."""
    return Live(policies, says)


def by_command(says: str) -> Live:
    return Live(says=says)


def always(says: str) -> Live:
    """There is nothing to choose."""
    return Live(says=f"every crawl: {says}")


def not_live(why: str) -> Live:
    return Live(says=f"not live: {why}")


def _setting(policy: str) -> str:
    table, _, name = policy.partition("/")
    return f'[{table}] policy = "{name}"'


@dataclass(frozen=True, slots=True)
class Stated:
    """Words with numbers that the named tests themselves assert; "" = nothing to measure."""

    text: str = ""


@dataclass(frozen=True, slots=True)
class FromTable:
    """A number of a table that ships with the package, beside what the paper prints."""

    experiment: str
    row: str
    says: str = ""
    column: str = "ours"

    @property
    def text(self) -> str:
        row = self.read_row()
        printed = row.get("paper") if self.column == "ours" else None
        beside = "" if printed is None else f" (paper: {_show(printed)})"
        return f"{_show(row[self.column])}{beside} {self.says}".strip()

    def read_row(self) -> dict[str, Cell]:
        rows = load_shipped(self.experiment).rows
        return next(row for row in rows if row["id"] == self.row)


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """A number that a function of ours works out whenever it is asked for, quickly."""

    place: str  # module:function, below trapline
    says: str = ""

    @property
    def text(self) -> str:
        return f"{_show(found_at(self.place)())} {self.says}".strip()


Number = Stated | FromTable | WorkedOut


@dataclass(frozen=True, slots=True)
class PaperLine:
    id: str  # the paper's key, and its own name for the line
    kind: Kind
    says: str
    where: str  # module:name, below trapline
    # tests, as pytest names them; experiments, "htraa/fig-5" or with a row "htraa/fig-5#its id"
    check: tuple[str, ...]
    verdict: Verdict
    live: Live
    number: Number = Stated()

    def __post_init__(self) -> None:
        """A line that nobody could check would be found only by who believes it."""
        if not self.check:
            raise ValueError(f"{self.id} has no check")
        if not _PLACE.fullmatch(self.where):
            raise ValueError(f"{self.id} is nowhere: {self.where!r}")
        if not self.live.text:
            raise ValueError(f"{self.id} does not say whether it can be had live")

    @property
    def paper(self) -> str:
        return self.id.partition("/")[0]


def found_at(place: str) -> Any:
    """What stands at module:name, or module:Class.name, below trapline."""
    module, _, name = place.partition(":")
    return reduce(getattr, name.split("."), import_module(f"trapline.{module}"))


def _show(value: Cell) -> str:
    return f"{value:.{_DIGITS}g}" if isinstance(value, float) else str(value)
