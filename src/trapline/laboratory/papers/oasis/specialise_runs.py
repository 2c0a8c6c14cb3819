"""Rounds of a federation: engines crawl, readers ask, and engines follow what is suggested, or not.

All engines are asked, and merged by one table of rarities: what is measured is who holds what. A
need is met if its page is among the ten best.

>>> small = SpecialiseSetting(web=WebSize(4, 40, 30, 30, 6), engines=2, rounds=4, asked=80)
>>> run_case(SpecialiseCase(STAY, SAME, small), seed=1).met.shape
(4,)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from trapline.laboratory.papers.oasis.specialising_engine import SpecialisingEngine
from trapline.laboratory.papers.oasis.topical_web import (
    Floats,
    Integers,
    Need,
    Readers,
    TopicalWeb,
    WebSize,
)
from trapline.oasis.service.past_queries import (
    Overlap,
    PastQuery,
    PlannedEngine,
    ShownPage,
)
from trapline.oasis.service.service_plan import plan_service
from trapline.oasis.service.suggestion import LEAVE_TO, SHIFT, Suggestion

STAY: Final = "stay"
FOLLOW: Final = "follow suggest"
CHANCE: Final = "shift by chance"
TOLD: Final = "told the topics"
KINDS: Final = (STAY, CHANCE, FOLLOW, TOLD)
SAME: Final = "the same topic"
ALL: Final = "topics by chance"
STARTS: Final = (SAME, ALL)

_TEN: Final = 10
_FIRST_WORDS: Final = 10  # of a topic, with which an engine begins
_COVERED: Final = 0.5  # of a topic's pages, held by somebody


@dataclass(frozen=True, slots=True)
class SpecialiseSetting:
    web: WebSize = field(default_factory=WebSize)
    engines: int = 6
    room: float = 1.2  # topics that an engine has room for
    rounds: int = 10
    visits: float = 1.0  # topics' worth of pages an engine fetches in a round
    asked: int = 600  # in a round

    @property
    def pages_held(self) -> int:
        return round(self.room * self.web.pages)


@dataclass(frozen=True, slots=True)
class SpecialiseCase:
    kind: str
    start: str
    setting: SpecialiseSetting

    @property
    def name(self) -> str:
        return f"{self.start}, {self.kind}"


class SpecialiseOutcome(NamedTuple):
    met: Floats  # share of the needs, by round
    overlap: Floats  # mean over pairs of engines, of the smaller one
    covered: Floats  # share of the topics of which half is held


class Round(NamedTuple):
    """What was asked in a round, and what became of it."""

    queries: list[PastQuery]
    met: float


def run_case(case: SpecialiseCase, seed: int) -> SpecialiseOutcome:
    setting = case.setting
    web = TopicalWeb(setting.web, seed)
    readers = Readers(web, seed)
    chance = np.random.default_rng([seed, 3])
    engines = _found_engines(case, web, chance)
    visits = round(setting.visits * setting.web.pages)
    met: list[float] = []
    overlap: list[float] = []
    covered: list[float] = []
    examples: dict[str, list[int]] = {}
    for _ in range(setting.rounds):
        if case.kind == TOLD:
            _share_topics(engines, web, readers.law)
        for engine in engines:
            engine.crawl(visits, examples.get(engine.name, ()))
        asked = ask_all(web, engines, readers.ask(setting.asked))
        met.append(asked.met)
        overlap.append(_mean_overlap(engines))
        covered.append(_topics_covered(web, engines))
        examples = _react(
            case.kind,
            engines,
            asked,
            chance,
        )
    return SpecialiseOutcome(np.array(met), np.array(overlap), np.array(covered))


def _found_engines(
    case: SpecialiseCase, web: TopicalWeb, chance: np.random.Generator
) -> list[SpecialisingEngine]:
    setting = case.setting
    one = int(chance.integers(setting.web.topics))
    topics = chance.integers(setting.web.topics, size=setting.engines)
    if case.start == SAME:
        topics[:] = one
    return [
        SpecialisingEngine(
            web,
            f"engine {number}",
            setting.pages_held,
            web.topic_words(topic)[:_FIRST_WORDS],
            chance.choice(web.pages, 20, False),
        )
        for number, topic in enumerate(topics.tolist())
    ]


def _share_topics(
    engines: Sequence[SpecialisingEngine], web: TopicalWeb, law: Floats
) -> None:
    """Who knows what is asked for: each topic, the most wanted first, has one engine."""
    for place, topic in enumerate(np.argsort(-law)[: len(engines)].tolist()):
        engines[place].turn_to(web.topic_words(topic)[:_FIRST_WORDS])


# answering


def ask_all(
    web: TopicalWeb, engines: Sequence[SpecialisingEngine], needs: Sequence[Need]
) -> Round:
    documents = np.sum([engine.documents() for engine in engines], axis=0)
    pages = sum(int(engine.held.sum()) for engine in engines)
    rarity = np.log1p((pages - documents + 0.5) / (documents + 0.5))
    holders = np.array([engine.held for engine in engines])
    anywhere = np.flatnonzero(holders.any(axis=0))
    queries = [
        _answer(
            web,
            engines,
            holders,
            anywhere,
            rarity,
            need,
        )
        for need in needs
    ]
    met = sum(
        need.times * (query.opened > 0.0)
        for need, query in zip(needs, queries, strict=True)
    )
    return Round(queries, met / sum(need.times for need in needs))


def _answer(
    web: TopicalWeb,
    engines: Sequence[SpecialisingEngine],
    holders: Integers,
    anywhere: Integers,
    rarity: Floats,
    need: Need,
) -> PastQuery:
    words = np.array(need.words)
    scores = web.weights[anywhere][:, words] @ rarity[words]
    ten = np.argsort(-scores, kind="stable")[:_TEN]
    ten = ten[scores[ten] > 0.0]
    shown = anywhere[ten].tolist()
    names = [engine.name for engine in engines]
    hits = {name: int(holders[place, shown].sum()) for place, name in enumerate(names)}
    best = float(scores[ten[0]]) if len(ten) else 0.0
    return PastQuery(
        f"{words[0]} {words[1]} for {need.page}",
        tuple(map(str, need.words)),
        float(need.times),
        int(np.count_nonzero(scores)),
        best / float(rarity[words].sum()),
        float(need.page in shown),
        {name: count for name, count in hits.items() if count},
        tuple(
            ShownPage(str(page), names[place], page == need.page)
            for page in shown
            for place in np.flatnonzero(holders[:, page]).tolist()
        ),
        need.times,
    )


# reacting


def _react(
    kind: str,
    engines: Sequence[SpecialisingEngine],
    asked: Round,
    chance: np.random.Generator,
) -> dict[str, list[int]]:
    """Engines turn elsewhere; returns the pages with which each begins its next round."""
    if kind == FOLLOW:
        return _follow(engines, _suggestions(engines, asked.queries))
    if kind == CHANCE:
        missed = [query for query in asked.queries if not query.opened]
        for engine in engines:
            if missed:
                query = missed[int(chance.integers(len(missed)))]
                engine.shift([int(word) for word in query.words], [])
    return {}


def _suggestions(
    engines: Sequence[SpecialisingEngine], queries: Sequence[PastQuery]
) -> list[Suggestion]:
    used = sorted({int(word) for query in queries for word in query.words})
    planned = []
    for engine in engines:
        counts = engine.documents()
        own = np.flatnonzero(engine.interest > 0.1)
        planned.append(
            PlannedEngine(
                engine.name,
                "",
                int(engine.held.sum()),
                frozenset(map(str, own.tolist())),
                {str(word): int(counts[word]) for word in used if counts[word]},
            )
        )
    overlaps = [
        Overlap(one.name, other.name, _overlap(one, other))
        for one, other in combinations(engines, 2)
    ]
    return plan_service(queries, planned, overlaps)


def _follow(
    engines: Sequence[SpecialisingEngine], suggestions: Sequence[Suggestion]
) -> dict[str, list[int]]:
    """Each engine does what it is told; nobody founds a new one."""
    by_name = {engine.name: engine for engine in engines}
    examples: dict[str, list[int]] = {}
    for one in suggestions:
        against = [int(page) for page in one.against]
        if one.kind == SHIFT:
            words = [int(word) for word in one.words]
            by_name[one.engine].shift(words, against)
            examples[one.engine] = [int(page) for page in one.examples]
    for one in suggestions:
        if one.kind == LEAVE_TO and one.engine not in examples:
            by_name[one.engine].leave([int(page) for page in one.against])
    return examples


# measuring


def _overlap(one: SpecialisingEngine, other: SpecialisingEngine) -> float:
    both = int((one.held & other.held).sum())
    return both / max(1, min(int(one.held.sum()), int(other.held.sum())))


def _mean_overlap(engines: Sequence[SpecialisingEngine]) -> float:
    return float(np.mean([_overlap(*pair) for pair in combinations(engines, 2)]))


def _topics_covered(web: TopicalWeb, engines: Sequence[SpecialisingEngine]) -> float:
    held = np.any([engine.held for engine in engines], axis=0)
    shares = held.reshape(web.size.topics, web.size.pages).mean(axis=1)
    return float((shares >= _COVERED).mean())
