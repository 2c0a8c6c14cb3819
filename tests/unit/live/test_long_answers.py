"""Answers with many links are settled in parts: others get their turn in between, nothing is
committed meanwhile, and nothing is lost at the end.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from tests.unit.live.test_loop import ScriptedFetcher, in_pretend_time, own_hosts, parts
from trapline.core.links import links_to
from trapline.core.records import Fetched, Observation, Outcome
from trapline.live.clock import LiveClock
from trapline.live.loop import Loop
from trapline.robot.response.results import PART

FOUND = 4 * PART + 7


def finds_many(fetched: Fetched, now_s: float) -> Observation:
    """The first page leads to many others; nobody visits them in time."""
    if fetched.ticket.page:
        return Observation(fetched.ticket, Outcome.GONE)
    links = links_to(range(10, 10 + FOUND), [1] * FOUND)
    return Observation(fetched.ticket, Outcome.OK, True, 1.0, links)


@pytest.mark.parametrize("stopped", [False, True])
def test_all_links_are_found_whenever_the_run_ends(stopped: bool) -> None:
    controller = own_hosts(2, 2, gap_s=1e6)
    held: list[tuple[bool, int]] = []

    async def live() -> None:
        def hold(held_back: bool) -> None:
            held.append((held_back, controller.agenda.count(0)))
            if held_back and stopped:
                asyncio.get_running_loop().call_soon(loop.stop)

        made = replace(parts(controller, ScriptedFetcher(), finds_many), hold=hold)
        loop = Loop(made, LiveClock(0.0), most_visits=2)
        await loop.run()

    in_pretend_time(live())
    # one page is held, one gone: all others wait to be fetched
    assert controller.agenda.count(0) == FOUND
    assert [before for before, _ in held if before] == [True, True]
    assert held[-1][0] is False
    # released only when all parts were settled
    assert next(count for before, count in held if not before) >= FOUND


def test_others_get_their_turn_between_two_parts() -> None:
    controller = own_hosts(2, 2, gap_s=1e6)
    seen: list[int] = []

    async def live() -> None:
        async def look() -> None:
            for _ in range(20):
                seen.append(controller.agenda.count(0))
                await asyncio.sleep(0)

        def digest(fetched: Fetched, now_s: float) -> Observation:
            asyncio.get_running_loop().create_task(look())
            return finds_many(fetched, now_s)

        made = parts(controller, ScriptedFetcher(), digest)
        await Loop(made, LiveClock(0.0), most_visits=2).run()

    in_pretend_time(live())
    assert len({count for count in seen if 1 < count < FOUND}) >= 3


def test_a_failure_does_not_keep_what_is_there_from_being_committed() -> None:
    held: list[bool] = []

    def fails(fetched: Fetched, now_s: float) -> Observation:
        raise RuntimeError("the digest broke")

    async def live() -> None:
        made = parts(own_hosts(1, 1), ScriptedFetcher(), fails)
        await Loop(replace(made, hold=held.append), LiveClock(0.0)).run()

    with pytest.raises(RuntimeError, match="the digest broke"):
        in_pretend_time(live())
    assert held[-1] is False
