"""One engine, as a broker asks it: within its limits, never too many at once, and left alone while
it fails. Everything that keeps it from answering has a reason for people.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from trapline.app.federation.asking.circuit_breaker import CircuitBreaker, State
from trapline.app.federation.asking.passed_query import search_url
from trapline.app.federation.asking.request_budget import RequestBudget
from trapline.app.federation.known_engines import KnownEngine
from trapline.core.errors import AnswerUnreadable, EngineUnreachable
from trapline.oasis.merging.answer_reading import (
    MOST_BYTES,
    MayShow,
    ReadAnswer,
    Reading,
    read_answer,
)
from trapline.search.questions import Question

AT_ONCE: Final = 8  # questions of ours that one engine has to answer
_MOST_PER_SECOND: Final = 50.0  # whatever it allows
_REMEMBERED: Final = 100  # answers of which the times are known
_FEWEST: Final = 20  # before a percentile means anything
_LONG: Final = 100_000  # bytes: reading such an answer would keep everybody waiting


class Client(Protocol):
    async def get(self, url: str, most_bytes: int, within_s: float) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Passed:
    """A question on its way to engines."""

    question: Question
    query_id: str
    within_s: float
    counts: bool = True  # False: a lesson, which is not counted as demand


class NotAsked(Exception):
    """It was left alone; the text says why."""


class Failed(Exception):
    """It was asked and did not answer well; the text says why."""

    def __init__(self, reason: str, *, is_garbage: bool = False) -> None:
        super().__init__(reason)
        self.is_garbage = is_garbage


# the address to ask at, and how the answer is read; by the kind of an engine
Speech = tuple[
    Callable[[KnownEngine, Passed], str], Callable[[bytes, Reading], ReadAnswer]
]


def trapline_url(engine: KnownEngine, passed: Passed) -> str:
    most = max(1, engine.limits.results)
    question = replace(passed.question, limit=min(passed.question.limit, most))
    return search_url(
        engine.url, question, query_id=passed.query_id, counts=passed.counts
    )


TRAPLINE_SPEECH: Final[Speech] = (trapline_url, read_answer)


class AskedEngine:
    def __init__(
        self,
        engine: KnownEngine,
        client: Client,
        may_show: MayShow,
        speech: Speech = TRAPLINE_SPEECH,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.engine = engine
        self.breaker = CircuitBreaker()
        self._client = client
        self._may_show = may_show
        self._address, self._read = speech
        self._clock = clock
        rate = min(max(engine.limits.per_second, 0.1), _MOST_PER_SECOND)
        self._budget = RequestBudget(rate, max(1.0, rate), clock())
        self._under_way = 0
        self._times_s: deque[float] = deque(maxlen=_REMEMBERED)

    def late_after_s(self) -> float | None:
        """When it is later than nineteen in twenty of its answers; None = too few are known."""
        if len(self._times_s) < _FEWEST:
            return None
        ordered = sorted(self._times_s)
        return ordered[len(ordered) * 95 // 100]

    def go_on_from(self, before: AskedEngine) -> None:
        """The same engine described itself anew: how it answers is still known."""
        self.breaker = before.breaker
        self._times_s = before._times_s

    @property
    def last_answer_s(self) -> float | None:
        """How long its last answer took; None = it has not answered yet."""
        return self._times_s[-1] if self._times_s else None

    def say_trouble(self) -> str:
        """Why it is left alone now; "" = it is asked."""
        return self._say_open(self._clock()) if self.is_left_alone() else ""

    def is_left_alone(self) -> bool:
        """Whether it is not even tried now; nothing is used up by looking."""
        return self.breaker.seconds_left(self._clock()) > 0.0

    async def ask(self, passed: Passed) -> ReadAnswer:
        """Its answer; NotAsked or Failed say why there is none."""
        self._take_place()
        began_s = self._clock()
        try:
            answer = await self._ask(passed)
        except Failed as failure:
            self.breaker.note_failure(self._clock(), str(failure))
            raise
        except asyncio.CancelledError:
            # whoever waited has given up: that is its fault only if it took all its time
            if self._clock() - began_s >= passed.within_s:
                reason = f"did not answer within {passed.within_s:g} s"
                self.breaker.note_failure(self._clock(), reason)
            raise
        finally:
            self._under_way -= 1
        self.breaker.note_answer()
        self._times_s.append(self._clock() - began_s)
        return answer

    def _take_place(self) -> None:
        now_s = self._clock()
        if self._under_way >= AT_ONCE:
            raise NotAsked(f"has {AT_ONCE} questions to answer already")
        if self.is_left_alone():
            raise NotAsked(self._say_open(now_s))
        if not self._budget.take(now_s):
            raise NotAsked("was asked as often as it allows")
        if not self.breaker.may_ask(now_s):
            raise NotAsked(self._say_open(now_s))
        self._under_way += 1

    def _say_open(self, now_s: float) -> str:
        left_s = self.breaker.seconds_left(now_s)
        if self.breaker.state is State.PROBING:
            return f"{self.breaker.reason}; it is being tried"
        return f"{self.breaker.reason}; left alone for {left_s:.0f} s"

    async def _ask(self, passed: Passed) -> ReadAnswer:
        url = self._address(self.engine, passed)
        try:
            body = await self._client.get(url, MOST_BYTES, passed.within_s)
        except EngineUnreachable as failure:
            raise Failed(failure.reason) from None
        reading = Reading(passed.question.limit, self._may_show)
        try:
            if len(body) > _LONG:
                return await asyncio.to_thread(self._read, body, reading)
            return self._read(body, reading)
        except AnswerUnreadable as garbage:
            reason = f"answered nonsense: {garbage.problem}"
            raise Failed(reason, is_garbage=True) from None
