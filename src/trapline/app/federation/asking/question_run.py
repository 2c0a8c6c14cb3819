"""The requests of one question: sent, awaited, taken as they come, and given up in time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from typing import Final

from trapline.app.federation.asking.asked_engine import (
    AskedEngine,
    Failed,
    NotAsked,
    Passed,
)
from trapline.app.federation.asking.broker_options import BrokerOptions
from trapline.app.federation.asking.engine_choice import Choice
from trapline.app.federation.asking.one_question import OneQuestion, with_window
from trapline.app.federation.asking.own_collection import OwnCollection
from trapline.app.federation.asking.passed_query import read_for_federation
from trapline.app.federation.asking.request_budget import ShareBudget
from trapline.app.federation.known_engines import KnownEngine
from trapline.core.errors import TraplineError
from trapline.oasis.merging.answer_reading import ReadAnswer
from trapline.search.questions import Answer, Question

DEEPEST: Final = 1000  # hits that are merged
MOST_OF_OTHERS: Final = 100
_OWN_FIRST_S: Final = (
    0.25  # so long others wait for the own collection, then they are shown
)
_SPELLING_S: Final = (
    0.2  # so long all wait for its spelling of a word that nobody knows
)
_SOONEST_HEDGE_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class RunTools:
    own: OwnCollection
    engine_of: Callable[[KnownEngine], AskedEngine]
    worth: Callable[[KnownEngine], float]
    hedges: ShareBudget
    options: BrokerOptions


class QuestionRun:
    def __init__(
        self,
        tools: RunTools,
        asking: OneQuestion,
        choice: Choice,
    ) -> None:
        self._tools = tools
        self._asking = asking
        self._options = tools.options
        self._clock = asking.clock
        self._spare = list(choice.spare)
        self._choice = choice
        self._deadline_s = asking.began_s + self._options.within_s
        self._own_task: asyncio.Task[Answer] | None = None
        self._tasks: dict[asyncio.Task[ReadAnswer], KnownEngine] = {}
        self._late: dict[str, float] = {}  # when an engine is later than usual
        self._question = asking.question_for_others(MOST_OF_OTHERS)

    def give_up(self) -> None:
        for task in (*self._tasks, self._own_task):
            if task is not None:
                task.cancel()

    async def news(self) -> AsyncIterator[None]:
        """Whenever something new may be shown, until nobody is awaited."""
        await self._start()
        news = self._is_own_done()
        while self._waiting():
            if news and self._may_show():
                yield
                news = False
            now_s = self._clock()
            if now_s >= self._deadline_s + self._options.grace_s:
                self._give_up_late()
                return
            done = await self._wait(now_s)
            news |= bool(done)
            self._hedge()

    # Asking

    async def _start(self) -> None:
        asking = self._asking
        for engine, reason in self._choice.left_alone:
            asking.note_not_asked(engine, reason)
        if self._choice.with_own:
            self._ask_own()
        if self._own_task and self._choice.engines and self._may_be_misspelt():
            await asyncio.wait({self._own_task}, timeout=_SPELLING_S)
            self._take_done()
            self._follow_correction()
        for engine in self._choice.engines:
            self._ask(engine)

    def _ask_own(self) -> None:
        asking = self._asking
        question = with_window(asking.question, DEEPEST)
        typed = question.as_typed or asking.passed.is_known
        question = replace(
            question,
            rarities=asking.passed.rarities,
            as_typed=typed,
            explain=asking.question.explain,
        )
        asking.note_asked(None)
        self._own_task = asyncio.ensure_future(_as_task(self._tools.own, question))

    def _may_be_misspelt(self) -> bool:
        """Whether no engine has some word: then the own collection may know what was meant."""
        return not self._asking.passed.is_known and not self._asking.question.as_typed

    def _follow_correction(self) -> None:
        own = self._asking.own
        if own is None or not own.corrected or not own.meant:
            return
        snapshot = self._asking.snapshot
        shared = snapshot.federation.shared
        passed = read_for_federation(own.meant, snapshot.tongues, shared)
        self._asking.passed = passed
        self._asking.meant = own.meant
        self._question = self._asking.question_for_others(MOST_OF_OTHERS)

    def _ask(self, engine: KnownEngine) -> None:
        left_s = self._deadline_s - self._clock()
        passed = Passed(
            self._question,
            self._asking.query_id,
            max(0.1, round(left_s, 1)),
            self._asking.counts,
        )
        asked = self._tools.engine_of(engine)
        self._asking.note_asked(engine)
        self._tasks[asyncio.create_task(asked.ask(passed))] = engine
        self._tools.hedges.note(1)
        usual_s = asked.late_after_s()
        if usual_s is not None:
            self._late[engine.key] = self._clock() + max(usual_s, _SOONEST_HEDGE_S)

    def _hedge(self) -> None:
        """Whoever is late is not waited for alone: the next in the forecast is asked, too."""
        now_s = self._clock()
        late = [key for key, at_s in self._late.items() if now_s >= at_s]
        for key in late:
            del self._late[key]
            if self._spare and self._tools.hedges.take():
                self._ask(self._spare.pop(0))

    # Waiting

    def _waiting(self) -> bool:
        return bool(self._tasks) or self._own_task is not None

    def _is_own_done(self) -> bool:
        return self._own_task is None

    def _may_show(self) -> bool:
        waited_s = self._clock() - self._asking.began_s
        return self._is_own_done() or waited_s >= _OWN_FIRST_S

    async def _wait(self, now_s: float) -> bool:
        """Until something happens; whether something came."""
        moments = [self._deadline_s + self._options.grace_s, *self._late.values()]
        if not self._is_own_done():
            own_s = self._asking.began_s + _OWN_FIRST_S
            moments += [own_s] if own_s > now_s else []
        tasks: set[asyncio.Task[ReadAnswer] | asyncio.Task[Answer]] = set(self._tasks)
        if self._own_task is not None:
            tasks.add(self._own_task)
        await asyncio.wait(
            tasks,
            timeout=max(0.0, min(moments) - now_s),
            return_when=asyncio.FIRST_COMPLETED,
        )
        return self._take_done()

    def _take_done(self) -> bool:
        done = [task for task in self._tasks if task.done()]
        for task in done:
            self._take(self._tasks.pop(task), task)
        if self._own_task is not None and self._own_task.done():
            self._take_own(self._own_task)
            self._own_task = None
            return True
        return bool(done)

    def _take_own(self, task: asyncio.Task[Answer]) -> None:
        try:
            self._asking.take_own(task.result())
        except TraplineError as failure:
            self._asking.note_failure(None, str(failure))

    def _take(self, engine: KnownEngine, task: asyncio.Task[ReadAnswer]) -> None:
        self._late.pop(engine.key, None)
        try:
            read = task.result()
        except NotAsked as why:
            self._asking.note_not_asked(engine, str(why))
        except Failed as why:
            garbage = why.is_garbage
            self._asking.note_failure(engine, str(why), is_garbage=garbage)
        else:
            worth = self._tools.worth(engine)
            self._asking.take(engine, read, worth)
            return
        # somebody else may know
        if self._spare and self._tools.hedges.take():
            self._ask(self._spare.pop(0))

    def _give_up_late(self) -> None:
        reason = f"did not answer within {self._options.within_s:g} s"
        for engine in self._tasks.values():
            self._asking.note_failure(engine, reason)
        if self._own_task is not None:
            self._asking.note_failure(None, reason)


async def _as_task(own: OwnCollection, question: Question) -> Answer:
    return await own.ask(question)
