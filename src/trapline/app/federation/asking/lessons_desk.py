"""What questions teach the broker: of each one a little, of a few that are put to everybody a lot.

A share of the questions (2 %) is put to all other engines as well, a few seconds after it was
answered. Each engine hears only so many an hour, and none of them counts as demand there.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from trapline.app.federation.asking.asked_engine import (
    AskedEngine,
    Failed,
    NotAsked,
    Passed,
)
from trapline.app.federation.asking.one_question import TEN, OneQuestion
from trapline.app.federation.asking.query_ids import new_query_id
from trapline.app.federation.asking.request_budget import RequestBudget
from trapline.app.federation.known_engines import KnownEngine, KnownEngines
from trapline.oasis.lessons import Lessons
from trapline.oasis.merging.engine_hits import Finding, Wrong
from trapline.oasis.merging.reciprocal_rank import next_worth
from trapline.oasis.selection.features import feature_matrix
from trapline.oasis.selection.forecast import Forecast
from trapline.search.questions import Sort

SHARE: Final = 0.02
PER_HOUR: Final = 60  # lessons that one engine hears, at most
LATER_S: Final = 2.0
WITHIN_S: Final = 10.0  # nobody waits for a lesson
KEEP_EVERY: Final = 20  # things learnt, after which they are written down
UNKNOWN_WORTH: Final = 0.5


class Engines(Protocol):
    def engine_of(self, engine: KnownEngine) -> AskedEngine: ...


@dataclass(frozen=True, slots=True)
class LessonOptions:
    share: float = SHARE
    per_hour: float = PER_HOUR
    later_s: float = LATER_S


class LessonsDesk:
    def __init__(
        self,
        known: KnownEngines,
        chance: random.Random,
        options: LessonOptions | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._known = known
        self._chance = chance
        self._options = options or LessonOptions()
        self._clock = clock
        self.forecast = Forecast(known.lessons())
        known.doubted = self.forecast.lessons.find_doubted()
        self.given = 0  # lessons so far
        self._learnt = 0
        self._budgets: dict[str, RequestBudget] = {}
        self._worth: dict[str, float] = {}

    def worth(self, engine: KnownEngine) -> float:
        """Of an engine whose scores cannot be compared."""
        return self._worth.get(engine.key, UNKNOWN_WORTH)

    async def learn(self, asking: OneQuestion, engines: Engines) -> None:
        """From a question that was answered; perhaps it becomes a lesson."""
        self._learn_worths(asking)
        federation = asking.snapshot.federation
        if not len(federation) or not asking.passed.keys.words:
            return
        if asking.question.sort is not Sort.BEST or asking.question.offset:
            return
        if self._chance.random() < self._options.share:
            await asyncio.sleep(self._options.later_s)
            await self._ask_all(asking, engines)
        await self._take_in(asking)

    def note_opened(self, asking: OneQuestion, engine: str) -> None:
        """Somebody opened a result that an engine had told."""
        federation = asking.snapshot.federation
        places = _places(asking)
        if engine in federation.engines and places:
            features = feature_matrix(asking.passed.keys, federation)
            opened = federation.engines.index(engine)
            lessons = self.forecast.lessons
            lessons.learn_opened(features, federation.engines, opened, places)

    async def _ask_all(self, asking: OneQuestion, engines: Engines) -> None:
        others = [
            engine
            for engine in asking.snapshot.engines.values()
            if engine.key not in asking.answers and self._may_teach(engine)
        ]
        question = asking.question_for_others(TEN)
        passed = Passed(question, new_query_id(), WITHIN_S, counts=False)
        asked = [self._ask(asking, engines.engine_of(e), passed) for e in others]
        await asyncio.gather(*asked)
        asking.answer(complete=False)
        self.given += 1

    async def _ask(
        self, asking: OneQuestion, engine: AskedEngine, passed: Passed
    ) -> None:
        try:
            read = await engine.ask(passed)
        except (NotAsked, Failed):
            return
        asking.take(engine.engine, read, self.worth(engine.engine))

    def _may_teach(self, engine: KnownEngine) -> bool:
        if engine.is_neighbour:
            return False
        budget = self._budgets.get(engine.key)
        if budget is None:
            rate = self._options.per_hour / 3600.0
            burst = max(1.0, self._options.per_hour / 4.0)
            budget = RequestBudget(rate, burst, self._clock())
            self._budgets[engine.key] = budget
        return budget.take(self._clock())

    async def _take_in(self, asking: OneQuestion) -> None:
        """What those who answered have brought of the ten best."""
        federation = asking.snapshot.federation
        places = _places(asking)
        if len(places) < 2:
            return
        best = asking.best_of()
        brought = np.array([best.get(key, 0.0) for key in federation.engines])
        features = feature_matrix(asking.passed.keys, federation)
        everybody = len(places) == len(federation)
        lessons = self.forecast.lessons
        lessons.learn(
            features, federation.engines, brought, None if everybody else places
        )
        self._learnt += 1
        if self._learnt % KEEP_EVERY == 0:
            await asyncio.to_thread(self._known.keep_lessons, lessons)
        await self._doubt(lessons)

    async def _doubt(self, lessons: Lessons) -> None:
        """Whoever brings next to nothing of what it claims must not spoil the shared table."""
        before = self._known.doubted
        doubted = lessons.find_doubted(before)
        if doubted == before:
            return
        found = [
            Finding(engine, Wrong.CLAIMS, lessons.say_record(engine))
            for engine in doubted - before
        ]
        self._known.doubted = doubted
        await asyncio.to_thread(self._known.note_findings, found)
        await asyncio.to_thread(self._known.rebuild)

    def _learn_worths(self, asking: OneQuestion) -> None:
        """A neighbour is worth what others tell as well, of its first hits."""
        told = {merged.hit.url: len(merged.origins) for merged in asking.merged}
        for key, answer in asking.answers.items():
            engine = asking.snapshot.engines.get(key)
            if engine is None or not engine.is_neighbour or not answer.hits:
                continue
            first = answer.hits[:5]
            agreed = sum(told.get(hit.url, 1) > 1 for hit in first) / len(first)
            self._worth[key] = next_worth(self.worth(engine), agreed)


def _places(asking: OneQuestion) -> list[int]:
    """Of the engines that answered, in the federation."""
    engines = asking.snapshot.federation.engines
    return [place for place, key in enumerate(engines) if key in asking.answers]
