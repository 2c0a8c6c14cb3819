"""What a broker answers: hits of several engines, and what became of each engine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trapline.search.hits import Hit
from trapline.search.questions import Facets


class EngineState(StrEnum):
    ANSWERED = "answered"
    AWAITED = "awaited"
    FAILED = "failed"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class EngineReport:
    """One engine, as far as one question goes."""

    name: str
    fingerprint: str  # "own" = the collection of the broker itself
    state: EngineState
    ms: float = 0.0  # until it answered, or failed
    hits: int = 0
    reason: str = ""  # why it failed, or was not asked
    comparable: bool = True  # whether its scores can be compared with others'
    kind: str = "trapline"  # or the kind of a neighbour


@dataclass(frozen=True, slots=True)
class BrokerHit(Hit):
    """`page` is −1 where the own collection does not hold it."""

    origins: tuple[str, ...] = ()  # names of engines that told it
    comparable: bool = True


@dataclass(frozen=True, slots=True)
class BrokerAnswer:
    """As one engine would answer, and who did."""

    hits: list[BrokerHit]
    total: int  # how many documents match, of all engines that answered
    seconds: float
    meant: str = ""
    cursor: str = ""
    facets: Facets | None = None  # of the own collection
    corrected: bool = False
    remarks: tuple[str, ...] = ()
    statistics: str = "own"  # or the version of the federation's table
    engines: tuple[EngineReport, ...] = ()
    complete: bool = True  # False: somebody is awaited
    note: str = ""  # who is missing, for people
    query_id: str = ""
