"""What is said between a front and its parts, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pydantic import TypeAdapter

from trapline.search.hits import Hit
from trapline.search.parts.part_search import PartRanking, PartWords, ShownRow
from trapline.search.questions import Question
from trapline.search.ranking.spelling import Offer

FACTS: Final = "/api/part"
WORDS: Final = "/api/part/words"
SPELLINGS: Final = "/api/part/spellings"
RANKING: Final = "/api/part/ranking"
HITS: Final = "/api/part/hits"
COUNTED: Final = "/api/part/counted"


@dataclass(frozen=True, slots=True)
class PartFacts:
    """Which part it is, and what is known of the whole collection there."""

    part: str  # 2/4
    engine: str
    held: int
    known: int
    fringe: int
    at_work: bool  # a robot is filling the folder
    hints: tuple[tuple[str, str], ...] = ()  # what one can type, and what it means


@dataclass(frozen=True, slots=True)
class SpellingsWanted:
    words: tuple[str, ...]
    least: int  # documents that must have a word that is offered


@dataclass(frozen=True, slots=True)
class RankingWanted:
    question: Question
    depth: int  # rows at most


@dataclass(frozen=True, slots=True)
class HitsWanted:
    question: Question
    rows: tuple[ShownRow, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """What somebody asked and saw at the front: demand, as the robot learns it."""

    query: str  # nothing = a further page of the same
    found: bool
    pages: tuple[int, ...]


facts_json: Final = TypeAdapter(PartFacts)
words_json: Final = TypeAdapter(PartWords)
question_json: Final = TypeAdapter(Question)
spellings_wanted_json: Final = TypeAdapter(SpellingsWanted)
spellings_json: Final = TypeAdapter(dict[str, Offer])
ranking_wanted_json: Final = TypeAdapter(RankingWanted)
ranking_json: Final = TypeAdapter(PartRanking)
hits_wanted_json: Final = TypeAdapter(HitsWanted)
counted_json: Final = TypeAdapter(Counted)
hits_json: Final = TypeAdapter(list[Hit])
