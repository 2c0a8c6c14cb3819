"""Long work: one at a time, a short line, and whoever fails lets the next one in."""

from __future__ import annotations

import asyncio
import threading

import pytest

from trapline.app.web.one_at_a_time import WAITING, OneAtATime
from trapline.core.errors import SearchBusy


def test_one_works_some_wait_and_the_others_are_sent_away() -> None:
    going_on = threading.Event()
    at_work = 0
    most_at_work = 0

    def work() -> str:
        nonlocal at_work, most_at_work
        at_work += 1
        most_at_work = max(most_at_work, at_work)
        going_on.wait(60.0)
        at_work -= 1
        return "done"

    async def main() -> list[str | BaseException]:
        desk = OneAtATime()
        waiting = [asyncio.create_task(desk.run(work)) for _ in range(WAITING)]
        await asyncio.sleep(0)
        with pytest.raises(SearchBusy):
            await desk.run(work)
        going_on.set()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert await desk.run(work) == "done"
        return found

    assert asyncio.run(main()) == ["done"] * WAITING
    assert most_at_work == 1


def test_a_failure_is_told_and_lets_the_next_one_in() -> None:
    def fail() -> None:
        raise ValueError("broken")

    async def main() -> None:
        desk = OneAtATime()
        for _ in range(WAITING + 1):
            with pytest.raises(ValueError, match="broken"):
                await desk.run(fail)

    asyncio.run(main())
