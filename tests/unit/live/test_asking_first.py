"""Who sets out asks before the answer just brought is read: a server works while we read."""

from __future__ import annotations

from tests.unit.live.test_loop import ScriptedFetcher, in_pretend_time, once, own_hosts
from trapline.core.records import Fetched, Observation, Request
from trapline.live.clock import LiveClock
from trapline.live.loop import Loop
from trapline.live.loop_parts import LoopParts
from trapline.policies.fetchers.fixed import Fixed
from trapline.robot.fetcher_controller import FetcherController


def test_the_next_visit_begins_before_the_last_answer_is_read() -> None:
    seen: list[str] = []
    fetcher = ScriptedFetcher()

    def digest(fetched: Fetched, now_s: float) -> Observation:
        seen.append(f"read {fetched.ticket.page} of {len(fetcher.begun)}")
        return once(fetched, now_s)

    async def main() -> None:
        fetchers = FetcherController(Fixed(most=2, capacity=8), 8)
        parts = LoopParts(
            own_hosts(1, 3),
            fetchers,
            fetcher,
            lambda ticket: Request(ticket, ""),
            digest,
            str,
        )
        await Loop(parts, LiveClock(0.0), queue_room=8).run()

    in_pretend_time(main())
    assert seen == ["read 0 of 2", "read 1 of 3", "read 2 of 3"]
