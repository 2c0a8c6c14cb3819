"""What one engine answered, after it was read; and what was found wrong with engines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Piece(NamedTuple):
    """Of a title or a snippet: plain text with a mark, never HTML."""

    text: str
    is_match: bool


@dataclass(frozen=True, slots=True)
class EngineHit:
    url: str  # canonical
    title: str
    snippet: tuple[Piece, ...]
    score: float
    page: int = -1  # its number in the own index; −1 = it is not held there
    language: str = ""
    relevance: float = 0.0
    fetched_s: float = 0.0
    changed_s: float = 0.0
    first_seen_s: float = 0.0
    copies: int = 0
    marked_title: tuple[Piece, ...] = ()

    @property
    def snippet_text(self) -> str:
        return "".join(piece.text for piece in self.snippet)


@dataclass(frozen=True, slots=True)
class EngineHits:
    """The answer of one engine, best first."""

    engine: str  # its fingerprint, or the name of a neighbour
    hits: Sequence[EngineHit]
    total: int = 0
    comparable: bool = False  # whether its scores are by the rarities that were sent
    is_own: bool = False  # the own index: what it says is not doubted
    worth: float = 0.5  # of its places where scores cannot be compared, 0 to 1


class Wrong(StrEnum):
    """What may be found wrong with the answers of an engine."""

    SCORES = "inflated scores"
    TITLES = "other titles than all others"
    ADDRESSES = "addresses that are refused"
    HITS = "hits that make no sense"
    ANSWER = "an answer that makes no sense"
    CLAIMS = "less than it claims"
    DESCRIPTION = "a description that makes no sense"


@dataclass(frozen=True, slots=True)
class Finding:
    engine: str
    wrong: Wrong
    detail: str
