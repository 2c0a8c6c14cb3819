"""What a front answers: as one engine would, and which parts did not answer in time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Final

from trapline.search.questions import Answer, Facets, FacetValue

_MOST_VALUES: Final = 20
_AGES: Final = ("day", "week", "month", "year", "older")


class PartState(StrEnum):
    ANSWERED = "answered"
    FAILED = "failed"
    NOT_ASKED = "not asked"


@dataclass(frozen=True, slots=True)
class PartReport:
    """One part, as far as one question goes."""

    part: str  # 2/4
    url: str
    state: PartState
    ms: float = 0.0  # that it took, all its answers together
    reason: str = ""  # why it failed, or was not asked


@dataclass(frozen=True, slots=True)
class PartsAnswer(Answer):
    parts: tuple[PartReport, ...] = ()
    complete: bool = True  # False: pages of some part may be missing
    note: str = ""  # which, for people


def with_reports(answer: Answer, reports: Iterable[PartReport]) -> PartsAnswer:
    told = tuple(reports)
    note = say_missing(told)
    values = {one.name: getattr(answer, one.name) for one in fields(Answer)}
    return PartsAnswer(
        **values,
        parts=told,
        complete=not note,
        note=note,
    )


def say_missing(reports: Iterable[PartReport]) -> str:
    """Which parts did not answer, and why; nothing if all did.

    >>> say_missing([PartReport("2/4", "http://b", PartState.FAILED, reason="hung up")])
    'without part 2/4 (http://b hung up)'
    """
    missing = [one for one in reports if one.state is not PartState.ANSWERED]
    if not missing:
        return ""
    told = ", ".join(f"{one.part} ({one.url} {one.reason})" for one in missing)
    return f"without {'part' if len(missing) == 1 else 'parts'} {told}"


def sum_facets(parts: Iterable[Facets | None]) -> Facets | None:
    """The counts of all parts together; None if nobody counted.

    >>> one = Facets([FacetValue("a.org", 2)], [], [FacetValue("day", 1)])
    >>> other = Facets([FacetValue("b.org", 3), FacetValue("a.org", 2)], [], [])
    >>> sum_facets([one, other]).hosts
    [FacetValue(value='a.org', pages=4), FacetValue(value='b.org', pages=3)]
    """
    found = [one for one in parts if one is not None]
    if not found:
        return None
    return Facets(
        _most(_sum(one.hosts for one in found)),
        _most(_sum(one.languages for one in found)),
        _in_order(_sum(one.ages for one in found)),
    )


def _sum(lists: Iterable[list[FacetValue]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for values in lists:
        for value, pages in values:
            total[value] = total.get(value, 0) + pages
    return total


def _most(total: dict[str, int]) -> list[FacetValue]:
    ordered = sorted(total.items(), key=lambda pair: (-pair[1], pair[0]))
    return [FacetValue(*pair) for pair in ordered[:_MOST_VALUES]]


def _in_order(total: dict[str, int]) -> list[FacetValue]:
    return [FacetValue(age, total[age]) for age in _AGES if age in total]
