"""The broker: asks the engines that are likely to know, and makes one answer of theirs.

The own collection is asked first of all and shown as soon as it has answered; others follow as they
come. Whatever they do, the answer is complete at the time-out, with a reason for each that is
missing. Questions that other brokers pass on are answered from the own collection only, so they
cannot go in circles.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Coroutine, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from trapline.app.federation.asking.answer_cache import TORN_S, WHOLE_S, AnswerCache
from trapline.app.federation.asking.asked_engine import (
    TRAPLINE_SPEECH,
    AskedEngine,
    Client,
)
from trapline.app.federation.asking.broker_answer import BrokerAnswer, EngineState
from trapline.app.federation.asking.broker_options import BrokerOptions
from trapline.app.federation.asking.engine_choice import choose_engines
from trapline.app.federation.asking.lessons_desk import LessonsDesk
from trapline.app.federation.asking.one_question import OneQuestion
from trapline.app.federation.asking.own_collection import OwnCollection
from trapline.app.federation.asking.passed_query import read_for_federation
from trapline.app.federation.asking.query_ids import QueryIds, new_query_id
from trapline.app.federation.asking.question_run import (
    DEEPEST,
    QuestionRun,
    RunTools,
)
from trapline.app.federation.asking.request_budget import RequestBudget, ShareBudget
from trapline.app.federation.asking.url_check import refuse_private, show_all
from trapline.app.federation.known_engines import OWN, KnownEngine, KnownEngines
from trapline.app.federation.query_memory import AnsweredPage
from trapline.core.errors import BadNumber
from trapline.core.urls import host_of
from trapline.politeness.listed_hosts import is_listed
from trapline.search.query_processor import understand
from trapline.search.questions import Question

_HEDGED: Final = 0.05  # of all requests
_REMEMBERED: Final = 200  # questions of which results may be opened
_OPENED_PER_S: Final = 10.0  # no readers open more; scripts might
_OPENED_BURST: Final = 50.0


@dataclass(frozen=True, slots=True)
class Wish:
    """What the reader wants besides an answer."""

    # only these: names or fingerprints; () = the broker chooses
    engines: tuple[str, ...] = ()
    query_id: str = ""
    counts: bool = False  # whether a person asks: then it is remembered


class Memory(Protocol):
    """What is remembered of questions, for `trapline engines suggest`."""

    def note(
        self,
        query: str,
        *,
        asked: Sequence[str],
        pages: Sequence[AnsweredPage],
        found: int,
        best: float,
    ) -> None: ...

    def note_opened(self, query: str, url: str) -> None: ...


class Broker:
    """In one event loop; close it there."""

    def __init__(
        self,
        own: OwnCollection,
        known: KnownEngines,
        client: Client,
        desk: LessonsDesk,
        options: BrokerOptions | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        memory: Memory | None = None,
    ) -> None:
        self._memory = memory
        self._answered: OrderedDict[str, OneQuestion] = OrderedDict()
        self._openings = RequestBudget(_OPENED_PER_S, _OPENED_BURST, clock())
        self.known = known
        self._own = own
        self._client = client
        self.desk = desk
        self._options = options or BrokerOptions()
        self._clock = clock
        self._engines: dict[str, AskedEngine] = {}
        self._cache: AnswerCache[BrokerAnswer] = AnswerCache()
        self._ids = QueryIds()
        hedges = ShareBudget(_HEDGED, reserve=1.0)
        self._tools = RunTools(own, self.engine_of, desk.worth, hedges, self._options)
        self._background: set[asyncio.Task[None]] = set()
        self._notes: set[asyncio.Task[None]] = (
            set()
        )  # of findings: these are not given up

    async def close(self) -> None:
        await asyncio.gather(*self._notes, return_exceptions=True)
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)

    def is_new(self, query_id: str) -> bool:
        """Whether a question was not seen before: one that comes round is not asked on."""
        return self._ids.is_new(query_id)

    async def ask(
        self, question: Question, wish: Wish | None = None
    ) -> AsyncGenerator[BrokerAnswer, None]:
        """Answers, each more complete than the one before.

        Raises BadQuery for what cannot be read, UnknownName for engines that nobody knows.
        """
        wish = wish or Wish()
        asking = self._begin(question, wish)
        kept = self._find_kept(asking, wish)
        if kept is not None:
            yield kept
            return
        # who stops reading stops the requests, at once
        async with aclosing(self._go_on(asking, wish)) as news:
            async for _ in news:
                yield asking.answer(complete=False)
        yield self._finish(asking, wish)

    async def ask_to_the_end(
        self, question: Question, wish: Wish | None = None
    ) -> BrokerAnswer:
        """The complete answer alone: nothing is merged before."""
        wish = wish or Wish()
        asking = self._begin(question, wish)
        kept = self._find_kept(asking, wish)
        if kept is not None:
            return kept
        async with aclosing(self._go_on(asking, wish)) as news:
            async for _ in news:
                pass
        return self._finish(asking, wish)

    def note_opened(self, query: str, url: str) -> bool:
        """Somebody opened a result; False: more than people could open, or it was not shown."""
        asking = self._answered.get(query)
        if asking is None or not self._openings.take(self._clock()):
            return False
        shown = [merged for merged in asking.merged if merged.hit.url == url]
        if not shown:
            return False
        for engine in shown[0].origins:
            self.desk.note_opened(asking, engine)
        if self._memory is not None:
            self._memory.note_opened(query, url)
        return True

    def engine_of(self, engine: KnownEngine) -> AskedEngine:
        """With all that is remembered of it; a new description starts over."""
        known = self._engines.get(engine.key)
        if known is None or known.engine != engine:
            known = self._make(engine, known)
            self._engines[engine.key] = known
        return known

    def _make(self, engine: KnownEngine, before: AskedEngine | None) -> AskedEngine:
        host = host_of(f"{engine.url}/")
        listed = is_listed(host, self._options.listed)
        made = AskedEngine(
            engine,
            self._client,
            show_all if listed else refuse_private,
            self._options.speeches.get(engine.kind, TRAPLINE_SPEECH),
            self._clock,
        )
        if before is not None and before.engine.url == engine.url:
            made.go_on_from(before)
        return made

    def _begin(self, question: Question, wish: Wish) -> OneQuestion:
        understand(question)
        if question.offset + question.limit > DEEPEST:
            raise BadNumber("offset", question.offset, f"at most {DEEPEST} with limit")
        snapshot = self.known.snapshot
        shared = snapshot.federation.shared
        query_id = wish.query_id or new_query_id()
        self._ids.is_new(query_id)
        return OneQuestion(
            question,
            snapshot,
            read_for_federation(question.text, snapshot.tongues, shared),
            query_id,
            self._own.name,
            self._clock(),
            self._clock,
            wish.counts,
        )

    async def _go_on(
        self, asking: OneQuestion, wish: Wish
    ) -> AsyncGenerator[None, None]:
        """Whenever there is news, until nobody is awaited."""
        choice = choose_engines(asking, wish.engines, self.desk.forecast, self._options)
        run = QuestionRun(self._tools, asking, choice)
        try:
            async for _ in run.news():
                yield
        finally:
            run.give_up()

    def _find_kept(self, asking: OneQuestion, wish: Wish) -> BrokerAnswer | None:
        """An answer that was just given."""
        kept = self._cache.get(_cache_key(asking, wish), self._clock())
        if kept is None:
            return None
        earlier = self._answered.get(asking.question.text)
        if earlier is not None:
            self._note_query(earlier, kept, wish)
        return replace(kept, seconds=self._clock() - asking.began_s)

    def _finish(self, asking: OneQuestion, wish: Wish) -> BrokerAnswer:
        answer = asking.answer(complete=True)
        torn = any(one.state is EngineState.FAILED for one in answer.engines)
        until_s = self._clock() + (TORN_S if torn else WHOLE_S)
        self._cache.put(_cache_key(asking, wish), answer, until_s)
        self._remember(asking, answer, wish)
        self._learn(asking)
        return answer

    def _remember(self, asking: OneQuestion, answer: BrokerAnswer, wish: Wish) -> None:
        text = asking.question.text
        self._answered[text] = asking
        self._answered.move_to_end(text)
        if len(self._answered) > _REMEMBERED:
            self._answered.popitem(last=False)
        self._note_query(asking, answer, wish)

    def _note_query(
        self, asking: OneQuestion, answer: BrokerAnswer, wish: Wish
    ) -> None:
        """For `engines suggest`: what people ask, and who knew."""
        if self._memory is None or not wish.counts or asking.question.offset:
            return
        rarities = sum(word.rarity for word in asking.passed.words) or 1.0
        first = asking.merged[0].hit.score if asking.merged else 0.0
        self._memory.note(
            asking.question.text,
            asked=[_memory_key(asking, key) for key in asking.answers],
            pages=_answered_pages(asking),
            found=answer.total,
            best=first / rarities,
        )

    def _learn(self, asking: OneQuestion) -> None:
        """Later and quietly: nobody waits for it."""
        found = asking.findings.copy()
        if found:
            note = asyncio.to_thread(self.known.note_findings, found)
            self._keep_task(self._notes, note)
        self._keep_task(self._background, self.desk.learn(asking, self))

    def _keep_task(
        self, tasks: set[asyncio.Task[None]], work: Coroutine[Any, Any, None]
    ) -> None:
        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)


def _cache_key(asking: OneQuestion, wish: Wish) -> tuple[object, ...]:
    shared = asking.snapshot.federation.shared
    return asking.question, frozenset(wish.engines), shared.version


def _answered_pages(asking: OneQuestion) -> list[AnsweredPage]:
    return [
        AnsweredPage(
            merged.hit.url,
            tuple(_memory_key(asking, engine) for engine in merged.origins),
        )
        for merged in asking.merged[:10]
    ]


def _memory_key(asking: OneQuestion, engine: str) -> str:
    return OWN if engine == asking.own_key else engine


def read_engine_names(said: str) -> tuple[str, ...]:
    """
    >>> read_engine_names("own, moon,")
    ('own', 'moon')
    """
    names = (name.strip() for name in said.split(","))
    return tuple(name for name in names if name)
