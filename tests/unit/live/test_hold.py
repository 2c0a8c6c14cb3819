"""A loop that is held sends nobody out, and goes on when it is let go."""

from __future__ import annotations

import asyncio

import pytest

from tests.unit.live.test_loop import (
    ScriptedFetcher,
    in_pretend_time,
    own_hosts,
    parts,
)
from trapline.live.clock import LiveClock
from trapline.live.loop import Loop


def test_nobody_sets_out_while_it_is_held() -> None:
    fetcher = ScriptedFetcher()
    visits: list[int] = []

    async def live() -> None:
        loop = Loop(parts(own_hosts(4, 40, gap_s=2.0), fetcher), LiveClock(0.0))
        running = asyncio.create_task(loop.run())
        await asyncio.sleep(5.0)
        loop.hold(held=True)
        await asyncio.sleep(5.0)  # those under way come home
        visits.append(loop.visits)
        await asyncio.sleep(100.0)
        visits.append(loop.visits)
        assert not loop.is_over, "there is more to do"
        loop.hold(held=False)
        await asyncio.sleep(10.0)
        visits.append(loop.visits)
        loop.stop()
        await running

    in_pretend_time(live())
    assert visits[0] == visits[1] < visits[2]


def test_before_it_runs_nobody_is_sent() -> None:
    fetcher = ScriptedFetcher()

    async def live() -> None:
        loop = Loop(parts(own_hosts(1, 1), fetcher), LiveClock(0.0))
        loop.hold(held=True)
        loop.hold(held=False)
        await asyncio.sleep(5.0)
        assert loop.visits == 0

    in_pretend_time(live())


def test_a_failure_at_a_timer_is_raised_out_of_run() -> None:
    """Nobody awaits a timer: the robot would hang."""
    controller = own_hosts(1, 30, gap_s=2.0)
    issue = controller.issue

    def failing(now_s: float, room: int) -> object:
        if now_s > 10.0:
            raise ValueError("broken")
        return issue(now_s, room)

    controller.issue = failing  # type: ignore[method-assign, assignment]

    async def live() -> None:
        with pytest.raises(ValueError, match="broken"):
            await Loop(parts(controller, ScriptedFetcher()), LiveClock(0.0)).run()

    in_pretend_time(live())
