"""Questions put to a collection, and what an answer consists of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from trapline.search.hits import Hit
from trapline.search.statistics.rarities import Rarities


class Sort(StrEnum):
    BEST = "best"
    CHANGED = "changed"  # newest change first


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for. Filters may also be written into the text: host:, lang:, changed:>."""

    text: str
    limit: int = 10
    offset: int = 0
    cursor: str = ""  # of the answer before: goes on where that one ended, in its order
    sort: Sort = Sort.BEST
    host: str = ""
    language: str = ""  # two letters
    changed_from_s: float | None = None
    changed_to_s: float | None = None
    explain: bool = False  # whether hits tell their factors
    facets: bool = False  # whether hosts, languages and ages are counted
    rarities: Rarities = ()  # of its words, for scores that can be compared with others'
    statistics: str = ""  # version of the table from which the rarities are
    as_typed: bool = (
        False  # whether nothing is corrected: somebody else has judged that
    )


OWN: Final = "own"
GIVEN: Final = "given"


class FacetValue(NamedTuple):
    value: str
    pages: int  # that match, copies included


@dataclass(frozen=True, slots=True)
class Facets:
    """How the documents found are spread; the most frequent values first."""

    hosts: list[FacetValue]
    languages: list[FacetValue]
    ages: list[
        FacetValue
    ]  # "day", "week", "month", "year", "older": since the last change


@dataclass(frozen=True, slots=True)
class Answer:
    hits: list[Hit]
    total: int  # how many documents match
    seconds: float  # how long it took
    meant: str = ""  # "did you mean": the query spelt as the collection spells it
    cursor: str = ""  # of what follows; empty = this is the end
    facets: Facets | None = None
    corrected: bool = False  # whether this answers `meant`, for want of a word as typed
    remarks: tuple[str, ...] = ()  # filters that were read as words, and why
    # by whose term statistics scores are made: "own", "given" with the question, or the version
    # of a federation's table
    statistics: str = OWN
