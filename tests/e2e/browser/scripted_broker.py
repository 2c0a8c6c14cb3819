"""A broker whose engines answer when a test says so, behind the real pages of a real folder."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from fastapi import FastAPI

from trapline.app.federation.asking.broker_answer import (
    BrokerAnswer,
    BrokerHit,
    EngineReport,
    EngineState,
)
from trapline.app.federation.asking.own_collection import shown_hit
from trapline.app.federation.broker import Wish
from trapline.app.web.api.demand_api import DemandApi
from trapline.app.web.api.folder_api import FolderApi
from trapline.app.web.api.search_api import SearchApi
from trapline.app.web.error_pages import add_error_answers
from trapline.app.web.host_guard import HostGuard
from trapline.app.web.loopback_server import LoopbackServer
from trapline.app.web.pages.federation.engines_page import (
    EngineRow,
    EnginesView,
    FoundWrong,
    KnownSource,
)
from trapline.app.web.pages.routes import add_pages
from trapline.app.web.pages.search.engine_filter import EngineChoice
from trapline.app.web.served_folder import ServedFolder, open_to_serve
from trapline.search.hits import Fragment
from trapline.search.questions import Question

NAMES = ("moons", "sun", "mars")


def strange_hit(name: str, place: int, **changes: object) -> BrokerHit:
    """A hit of another engine."""
    hit = BrokerHit(
        -1,
        f"https://{name}.example/{place}",
        f"{name} {place}",
        (Fragment(f"What {name} knows of ", False), Fragment("space", True)),
        1.0,
        0.5,
        1_700_000_000.0,
        host=f"{name}.example",
        language="en",
        origins=(name,),
    )
    return replace(hit, **changes)  # type: ignore[arg-type]


class ScriptedBroker:
    """The own collection answers truly; what others answer is put into `script` by a test.

    Of a script each step is (who reports, hits at places of the list); `go_on` lets the next one
    happen, `at_once` does not wait.
    """

    def __init__(self, served: ServedFolder) -> None:
        self._served = served
        self.script: list[tuple[EngineReport, dict[int, BrokerHit]]] = []
        self.at_once = False
        self.most_own = 10
        self.asked: list[Wish] = []
        self.opened: list[dict[str, str]] = []
        self.rows: list[EngineRow] = [
            EngineRow(name, f"{place}a2b3c4d", f"https://{name}.example")
            for place, name in enumerate(NAMES)
        ]
        self._steps = asyncio.Semaphore(0)
        self._loop: asyncio.AbstractEventLoop | None = None

    def go_on(self) -> None:
        """From the thread of a test, as soon as somebody has asked."""
        deadline_s = time.monotonic() + 60.0
        while self._loop is None and time.monotonic() < deadline_s:
            time.sleep(0.01)
        assert self._loop is not None, "nobody has asked"
        self._loop.call_soon_threadsafe(self._steps.release)

    def choices(self) -> list[EngineChoice]:
        others = [EngineChoice(one.name, one.fingerprint) for one in self.rows]
        return [EngineChoice("engine", "own"), *others]

    def show_engines(self) -> EnginesView:
        own = EngineRow("engine", "own", "http://127.0.0.1", topic="space", pages=60)
        sources = [
            KnownSource("http://directory.example/"),
            KnownSource("http://other.example/", "refuses connections"),
        ]
        return EnginesView(own, self.rows, sources, 1_790_000_000.0)

    async def ask(
        self, question: Question, wish: Wish | None = None
    ) -> AsyncIterator[BrokerAnswer]:
        wish = wish or Wish()
        self.asked.append(wish)
        own = await self._own(question)
        if wish.engines == ("own",):
            yield replace(own, complete=True)
            return
        self._loop = asyncio.get_running_loop()
        wanted = [name for name in wish.engines if name != "own"] or NAMES
        reports = {name: _awaited(name) for name in wanted}
        is_own_wanted = not wish.engines or "own" in wish.engines
        hits = own.hits if is_own_wanted else []
        yield replace(own, hits=hits, engines=(own.engines[0], *reports.values()))
        for place, (report, found) in enumerate(self.script):
            if report.name not in reports:
                continue
            if not self.at_once:
                await self._steps.acquire()
            reports[report.name] = report
            for at, hit in sorted(found.items()):
                hits = [*hits[:at], hit, *hits[at:]]
            complete = place == len(self.script) - 1
            yield replace(
                own,
                hits=hits[: question.limit],
                total=own.total + len(hits),
                engines=(own.engines[0], *reports.values()),
                complete=complete,
            )

    async def _own(self, question: Question) -> BrokerAnswer:
        answer = await self._served.ask(question)
        state = EngineState.ANSWERED
        report = EngineReport("engine", "own", state, 3.2, len(answer.hits))
        own = answer.hits[: self.most_own]
        hits = [shown_hit(hit, ("engine",), comparable=True) for hit in own]
        return BrokerAnswer(
            hits,
            len(hits),
            answer.seconds,
            facets=answer.facets,
            engines=(report,),
            complete=False,
        )


def _awaited(name: str) -> EngineReport:
    return EngineReport(name, name, EngineState.AWAITED)


def answered(name: str, ms: float = 41.0) -> EngineReport:
    return EngineReport(name, name, EngineState.ANSWERED, ms, 1)


def failed(name: str, reason: str) -> EngineReport:
    return EngineReport(name, name, EngineState.FAILED, 2000.0, reason=reason)


FOUND = FoundWrong(
    "inflated scores", "claims 9 where 2 is possible", 3, 1_789_999_000.0
)


class BrokerServer(LoopbackServer):
    """The pages of a folder whose broker is scripted."""

    def __init__(self, folder: Path, listener: socket.socket) -> None:
        self.served = open_to_serve(folder)
        self.broker = ScriptedBroker(self.served)
        app = FastAPI(openapi_url=None)
        figures = FolderApi(self.served)
        pages = add_pages(
            app, self.served, figures.dashboard_now, figures.plan_now, self.broker
        )
        SearchApi(self.served).add_to(app)
        DemandApi(self.served).add_to(app)
        app.post("/api/result-opened", status_code=204)(self.note_opened)
        add_error_answers(app, pages.search_problem)
        super().__init__(HostGuard(app), listener, name="broker page")

    def note_opened(self, told: dict[str, str]) -> None:
        self.broker.opened.append(told)

    def __exit__(self, *failure: object) -> None:
        self.served.over.set()
        super().__exit__(*failure)
        self.served.close()
