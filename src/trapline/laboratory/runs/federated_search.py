"""A broker in pretend time: the selectors, lessons and merging of the live one, engines of a world.

It has an engine of its own, number 0, which is always asked and not doubted. Descriptions are
fetched every `refresh_s`; an engine that does not answer is left alone until then. A share of the
queries are lessons, which ask everybody after the answer was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.federation.answers import TEN, page_of, rescoring_of
from trapline.laboratory.worlds.federation.federation_world import (
    FederationWorld,
    Moment,
)
from trapline.laboratory.worlds.federation.query_stream import WorldQuery
from trapline.oasis.federation import Federation
from trapline.oasis.merging.engine_hits import EngineHits
from trapline.oasis.merging.merged_list import MergedHit, cut_scores, merge
from trapline.oasis.selection.features import feature_matrix
from trapline.oasis.selection.forecast import ENOUGH, MOST, Forecast, choose

Floats = NDArray[np.float64]
OWN = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerHabits:
    enough: float = ENOUGH
    most: int = MOST  # engines a query, besides its own
    learns: bool = True
    lesson_share: float = 0.02
    refresh_s: float = 3600.0  # between two looks at the descriptions
    age_s: float = 0.0  # how old they are when they are looked at


@dataclass(frozen=True, slots=True)
class Searched:
    """What one query came to."""

    pages: tuple[int, ...]  # the first ten; −1 = an invented one
    asked: tuple[int, ...]  # engines of the world, the own one first
    lesson: tuple[int, ...]  # engines that were asked later, to learn
    share: float  # of the central ten
    ranked: tuple[int, ...]  # engines of the world as the forecast has them, best first


@dataclass(frozen=True, slots=True)
class _Round:
    """One query at one time, and what the descriptions say to it."""

    query: WorldQuery
    moment: Moment
    features: Floats


class PretendBroker:
    def __init__(
        self, world: FederationWorld, habits: BrokerHabits, rng: np.random.Generator
    ) -> None:
        self._world = world
        self._habits = habits
        self._rng = rng
        self.forecast = Forecast()
        self._fetch_at_s = -np.inf
        self._engines: list[int] = []  # of the world, in the order of the federation
        self._federation = Federation.of([])
        self._away: set[int] = set()  # places that did not answer

    @property
    def engines(self) -> tuple[str, ...]:
        return self._federation.engines

    def search(self, query: WorldQuery, moment: Moment) -> Searched:
        if moment.now_s >= self._fetch_at_s:
            self._fetch(moment)
        features = feature_matrix(query.keys, self._federation)
        shares = self._expect(features)
        places = self._choose(shares)
        answers = self._ask(query, moment, places)
        merged = self._merge(query, answers)
        others: list[int] = []
        if self._habits.learns:
            others = self._learn(_Round(query, moment, features), answers, merged)
        pages = tuple(page_of(one.hit) for one in merged[:TEN])
        return Searched(
            pages,
            self._in_world(places),
            self._in_world(others),
            self._share(pages, query, moment),
            self._in_world(np.argsort(-shares, kind="stable").tolist()),
        )

    def _fetch(self, moment: Moment) -> None:
        """Who joined or died is known at once: a directory tells. Descriptions may be old."""
        self._fetch_at_s = moment.now_s + self._habits.refresh_s
        members = self._world.describe_all(moment, self._habits.age_s)
        self._engines = list(moment.answering)
        self._federation = Federation.of(members)
        self._away = set()

    def _expect(self, features: Floats) -> Floats:
        shares = self.forecast.lessons.expect(features, self._federation.engines)
        shares[list(self._away)] = 0.0
        return shares / (float(shares.sum()) or 1.0)

    def _choose(self, shares: Floats) -> list[int]:
        """Places of the engines to ask; the own one first."""
        chosen = choose(shares, self._habits.enough, self._habits.most + 1)
        others = [place for place in chosen if place != OWN]
        return [OWN, *others[: self._habits.most]]

    def _ask(
        self, query: WorldQuery, moment: Moment, places: Sequence[int]
    ) -> dict[int, EngineHits]:
        """Answers by place; an engine that died meanwhile gives none."""
        found = self._world.find(query, self._rarities(query))
        answers = {}
        for place in places:
            engine = self._engines[place]
            if engine not in moment.answering:
                self._away.add(place)
                continue
            answer = self._world.answer(engine, query, found, moment)
            answers[place] = replace(answer, is_own=place == OWN)
        return answers

    def _merge(
        self, query: WorldQuery, answers: dict[int, EngineHits]
    ) -> list[MergedHit]:
        rescoring = rescoring_of(query, self._rarities(query))
        cut, _ = cut_scores(list(answers.values()), rescoring)
        return merge(cut, lambda text: 0).hits

    def _learn(
        self, now: _Round, answers: dict[int, EngineHits], merged: list[MergedHit]
    ) -> list[int]:
        """From those asked, or from everybody; who was asked besides."""
        others: list[int] = []
        if self._rng.random() < self._habits.lesson_share:
            others = [p for p in range(len(self._engines)) if p not in answers]
            answers = answers | self._ask(now.query, now.moment, others)
            merged = self._merge(now.query, answers)
        if len(answers) < 2:
            return others
        names = self._federation.engines
        everybody = len(answers) == len(names)
        self.forecast.lessons.learn(
            now.features,
            names,
            _count_brought(merged[:TEN], names),
            None if everybody else sorted(answers),
        )
        return others

    def _share(
        self, pages: tuple[int, ...], query: WorldQuery, moment: Moment
    ) -> float:
        """Of the central ten; 1 where there is nothing to be found."""
        ten = self._world.central_ten(query, moment)
        return len(set(pages) & set(ten.tolist())) / len(ten) if len(ten) else 1.0

    def _in_world(self, places: Sequence[int]) -> tuple[int, ...]:
        return tuple(self._engines[place] for place in places)

    def _rarities(self, query: WorldQuery) -> list[float]:
        return [forms[0] for forms in self._federation.rarities(query.keys)]


def _count_brought(merged: Sequence[MergedHit], names: Sequence[str]) -> Floats:
    """How many of the ten each engine told; a page that several told is shared."""
    places = {name: place for place, name in enumerate(names)}
    brought = np.zeros(len(names))
    for one in merged:
        for name in one.origins:
            brought[places[name]] += 1.0 / len(one.origins)
    return brought
