"""Hits of a search: what is shown of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from trapline.core.errors import BadNumber

# hits at once, and the farthest page of them: the collector allocates room for all
_MOST: Final = 1000
_FARTHEST: Final = 10_000


class Fragment(NamedTuple):
    """A piece of a snippet. Plain text with a mark, so that nobody has to trust HTML."""

    text: str
    is_match: bool


class Factor(NamedTuple):
    """One part of a hit's score."""

    name: str
    value: float  # as measured
    points: float  # what it adds to the score


@dataclass(frozen=True, slots=True)
class Hit:
    page: int
    url: str
    title: str
    snippet: tuple[Fragment, ...]
    score: float
    relevance: float
    fetched_s: float
    copies: int = 0  # pages that say the same, and are not shown
    marked_title: tuple[Fragment, ...] = ()
    host: str = ""
    language: str = ""
    first_seen_s: float = 0.0
    changed_s: float = 0.0
    factors: tuple[Factor, ...] = ()  # only where an explanation is asked for


def check_window(limit: int, offset: int) -> None:
    if not 1 <= limit <= _MOST:
        raise BadNumber("limit", limit, f"1 to {_MOST}")
    if not 0 <= offset <= _FARTHEST:
        raise BadNumber("offset", offset, f"0 to {_FARTHEST}")
