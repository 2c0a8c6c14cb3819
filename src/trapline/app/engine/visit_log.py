"""The robot's log: each visit, remark, start and end becomes a line, written beside the loop.

Lines wait in memory for half a second at most and are written by a thread, so that no visit waits
for the disk. A disk that does not take them is told of once, and the crawl goes on.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from trapline import __version__
from trapline.app.engine.parts import Engine
from trapline.app.folder.visit_log.log_file import LogFile
from trapline.app.folder.visit_words import name_finding
from trapline.core.cards import UNMET
from trapline.core.links import Links
from trapline.core.records import Fetched, Kind, Ticket
from trapline.robot.request_controller import RequestController
from trapline.robot.response.results import Processed

FLUSH_S: Final = 0.5
MOST_WAITING: Final = (
    50_000  # lines: beyond that a disk that hangs costs lines, not memory
)
RANKED: Final = 100  # visits bought by price, among which a visit has its rank
_KINDS: Final = {
    Kind.PAGE: "page",
    Kind.ROBOTS: "robots.txt",
    Kind.ERRAND: "errand",
}

LogLine = dict[str, Any]


class VisitLog:
    """Of one run, from `begin` to `end`."""

    def __init__(
        self, engine: Engine, hear: Callable[[LogLine], None] = lambda _: None
    ) -> None:
        """`hear` is called with each line of a visit, at once."""
        self._engine = engine
        self._hear = hear
        self._file = LogFile(engine.holdings.folder)
        self._lines: deque[LogLine] = deque(maxlen=MOST_WAITING)
        self._unsettled: LogLine | None = None  # of the newest visit
        self._prices: deque[float] = deque(maxlen=RANKED)
        self._failed = False

    def begin(self) -> None:
        """From now on, what the engine says is written down, too."""
        say = self._engine.say
        self._note("start", version=__version__)

        def say_and_note(remark: str) -> None:
            self._note("remark", text=remark)
            say(remark)

        self._engine.say = say_and_note

    async def run(self) -> None:
        """Write every half second, until it is cancelled."""
        while True:
            await asyncio.sleep(FLUSH_S)
            await asyncio.to_thread(self._write, self._take_lines())

    def end(self, failure: BaseException | None) -> None:
        """The run is over: what has not been written yet is written now."""
        loop = self._engine.loop
        held_back = self._engine.held_back
        self._note(
            "end",
            visits=0 if loop is None else loop.visits,
            failure="" if failure is None else str(failure) or repr(failure),
            held_back=str(held_back or ""),
        )
        self._write(self._take_lines())

    def note_visit(self, fetched: Fetched, found: Processed, first: bool) -> None:
        """`first`: no document of the page was held before.

        What the visit taught the controller is not known yet: the answer is settled next.
        """
        self._note_news()
        line = visit_line(self._engine, fetched, found, first)
        line["rank"] = self._rank(fetched.ticket)
        self._unsettled = line
        self._lines.append(line)
        self._hear(line)

    def _note_news(self) -> None:
        """The newest visit is settled by now: digesting and settling are one step of the loop."""
        if self._unsettled is not None:
            self._unsettled["news"] = round(self._engine.controller.news, 3)
            self._unsettled = None

    def _rank(self, ticket: Ticket) -> int | None:
        """The place of its price among those paid lately, 1 = the dearest; None = it has none."""
        if ticket.kind is not Kind.PAGE or not math.isfinite(ticket.price):
            return None
        rank = 1 + sum(price > ticket.price for price in self._prices)
        self._prices.append(ticket.price)
        return rank

    def _note(self, event: str, **facts: Any) -> None:
        self._lines.append({"time_s": round(time.time(), 3), "event": event, **facts})

    def _take_lines(self) -> list[LogLine]:
        self._note_news()
        lines = list(self._lines)
        self._lines.clear()
        return lines

    def _write(self, lines: list[LogLine]) -> None:
        if not lines:
            return
        try:
            self._file.append(lines)
        except OSError as trouble:
            if not self._failed:
                self._failed = True
                self._engine.say(
                    f"the log cannot be written ({trouble.strerror}): the crawl goes on without it"
                )


def visit_line(
    engine: Engine, fetched: Fetched, found: Processed, first: bool
) -> LogLine:
    """One visit: what was asked for and why, what came, and what it taught."""
    ticket = fetched.ticket
    observation = found.observation
    outcome = observation.outcome
    is_page = ticket.kind is Kind.PAGE
    finding = name_finding(outcome, changed=observation.changed, first=first)
    controller = engine.controller
    return {
        "time_s": round(fetched.ended_s, 3),
        "event": "visit",
        "url": fetched.url,
        "host": engine.holdings.book.host_name(ticket.host),
        "kind": _KINDS[ticket.kind],
        "purpose": _purpose(controller, ticket),
        "price": _finite(ticket.price) if is_page else None,
        "market_price": _finite(controller.agenda.tally("market")) if is_page else None,
        "status": fetched.status,
        "outcome": outcome.name.lower(),
        "found": finding if is_page else outcome.name.lower(),
        "ms": round(1000.0 * max(0.0, fetched.ended_s - ticket.issued_s)),
        "bytes": len(fetched.body),
        "relevance": round(observation.relevance, 3),
        "links": len(observation.links),
        "new_pages": _count_new(controller, observation.links),
        "retry_after_s": observation.retry_after_s,
        "remark": found.visit.remark,
    }


def _purpose(controller: RequestController, ticket: Ticket) -> str:
    if ticket.kind is not Kind.PAGE:
        return "robots.txt"
    if controller.is_ordered(ticket.page):
        return "ordered"
    seen = controller.agenda.cards["last"][ticket.page] > -math.inf
    return "again" if seen else "first visit"


def _count_new(controller: RequestController, links: Links) -> int:
    """Pages that nothing had led to before."""
    pages = links["page"]
    states = controller.agenda.cards["state"]
    numbered = pages[pages < len(states)]
    unknown = pages[pages >= len(states)]
    unmet = numbered[states[numbered] == UNMET]
    return len({*unknown.tolist(), *unmet.tolist()})


def _finite(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
