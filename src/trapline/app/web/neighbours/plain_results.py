"""Results in the JSON of SearXNG (`format=json`): flat, so that every program can read them.

SearXNG's own generic engine (`json_engine`) reads texts only, no lists of pieces as ours are.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from trapline.app.output.changes import iso
from trapline.search.hits import Fragment, Hit
from trapline.search.questions import Answer


@dataclass(frozen=True, slots=True)
class PlainResult:
    url: str
    title: str
    content: str
    publishedDate: str  # noqa: N815  # as SearXNG spells it
    score: float
    engine: str = "trapline"
    category: str = "general"


@dataclass(frozen=True, slots=True)
class PlainResults:
    query: str
    number_of_results: int
    results: list[PlainResult]
    corrections: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    infoboxes: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    unresponsive_engines: list[str] = field(default_factory=list)


def plain_results(query: str, answer: Answer) -> PlainResults:
    corrections = [answer.meant] if answer.meant else []
    return PlainResults(
        query, answer.total, list(map(_plain_result, answer.hits)), corrections
    )


def _plain_result(hit: Hit) -> PlainResult:
    return PlainResult(
        hit.url,
        hit.title or hit.url,
        plain_text(hit.snippet),
        iso(hit.changed_s),
        hit.score,
    )


def plain_text(pieces: Iterable[Fragment]) -> str:
    """
    >>> plain_text((Fragment("the ", False), Fragment("moon", True)))
    'the moon'
    """
    return "".join(piece.text for piece in pieces)
