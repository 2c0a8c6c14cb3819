"""Answers that are read elsewhere first: digested in the order of arrival, each when it is ready;
none is lost.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.unit.live.test_loop import (
    Digest,
    ScriptedFetcher,
    in_pretend_time,
    once,
    own_hosts,
    parts,
)
from trapline.core.records import Fetched, Observation, Request
from trapline.live.clock import LiveClock
from trapline.live.loop import LAST_WAIT_S, Loop

Prepare = Callable[[Fetched], asyncio.Future[None] | None]


def ready_after(seconds: dict[int, float]) -> Prepare:
    """A page's answer is ready so many seconds after it came; of others at once."""

    def prepare(fetched: Fetched) -> asyncio.Future[None] | None:
        if fetched.ticket.page not in seconds:
            return None
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        loop.call_later(seconds[fetched.ticket.page], ready.set_result, None)
        return ready

    return prepare


def noting(digested: list[tuple[int, float]]) -> Digest:
    def digest(fetched: Fetched, now_s: float) -> Observation:
        digested.append((fetched.ticket.page, now_s))
        return once(fetched, now_s)

    return digest


def test_the_order_of_arrival_stays() -> None:
    """Page 0 takes two seconds to read: those behind it wait, and are then digested at once."""
    digested: list[tuple[int, float]] = []

    async def live() -> None:
        all_parts = parts(own_hosts(3, 3), ScriptedFetcher(), noting(digested))
        await Loop(
            replace(all_parts, prepare=ready_after({0: 2.0, 1: 0.5})), LiveClock(0.0)
        ).run()

    in_pretend_time(live())
    assert digested == [(0, 3.0), (1, 3.0), (2, 3.0)]


def test_visits_go_on_while_an_answer_is_read() -> None:
    digested: list[tuple[int, float]] = []
    fetcher = ScriptedFetcher()

    async def live() -> None:
        all_parts = parts(own_hosts(1, 4), fetcher, noting(digested))
        await Loop(
            replace(all_parts, prepare=ready_after(dict.fromkeys(range(4), 1.5))),
            LiveClock(0.0),
        ).run()

    in_pretend_time(live())
    assert fetcher.begun == [(0.0, 0), (1.0, 1), (2.0, 2), (3.0, 3)]
    assert digested == [(0, 2.5), (1, 3.5), (2, 4.5), (3, 5.5)]


def test_nobody_sets_out_to_a_host_that_has_just_refused_us() -> None:
    """Page 0 takes long to read, and page 1 is refused meanwhile: that is known before page 2 may
    be asked for.
    """

    class Refusing(ScriptedFetcher):
        async def fetch(self, request: Request) -> Fetched:
            return replace(
                await super().fetch(request),
                status=429 if request.ticket.page == 1 else 200,
            )

    digested: list[tuple[int, float]] = []
    fetcher = Refusing()

    async def live() -> None:
        all_parts = parts(own_hosts(1, 3), fetcher, noting(digested))
        await Loop(
            replace(all_parts, prepare=ready_after({0: 7.0})), LiveClock(0.0)
        ).run()

    in_pretend_time(live())
    assert digested[:2] == [(0, 8.0), (1, 8.0)]
    assert fetcher.begun == [(0.0, 0), (1.0, 1), (8.0, 2)]


@pytest.mark.parametrize("how", ["stop", "cancel"])
def test_at_the_end_what_has_arrived_is_still_read(how: str) -> None:
    digested: list[tuple[int, float]] = []

    async def live() -> None:
        all_parts = parts(own_hosts(3, 3), ScriptedFetcher(), noting(digested))
        loop = Loop(
            replace(all_parts, prepare=ready_after({0: 2.0, 1: 0.5, 2: 4.0})),
            LiveClock(0.0),
        )
        running = asyncio.ensure_future(loop.run())
        asyncio.get_running_loop().call_later(
            1.5, loop.stop if how == "stop" else running.cancel
        )
        if how == "stop":
            await running
        else:
            with pytest.raises(asyncio.CancelledError):
                await running
        assert len(asyncio.all_tasks()) == 1

    in_pretend_time(live())
    assert digested == [(0, 3.0), (1, 3.0), (2, 5.0)]


def test_at_the_end_nobody_waits_for_ever() -> None:
    """An answer that is not read in time is asked for again by the next run."""
    digested: list[tuple[int, float]] = []
    controller = own_hosts(3, 3)

    async def live() -> None:
        all_parts = parts(controller, ScriptedFetcher(), noting(digested))
        loop = Loop(
            replace(all_parts, prepare=ready_after({1: 1_000.0})), LiveClock(0.0)
        )
        asyncio.get_running_loop().call_later(1.5, loop.stop)
        await loop.run()

    assert in_pretend_time(live()) == 1.5 + LAST_WAIT_S
    assert [page for page, _ in digested] == [0]
    assert controller.in_flight(1) is not None
