"""Time that stands still while nobody is awake, and a clock that lets it pass."""

from __future__ import annotations

import asyncio
import time

from trapline.live.awake_loop import STOPPED_S, AwakeLoop
from trapline.live.clock import LiveClock, PretendLoop


class Seconds:
    """A clock that can leap."""

    def __init__(self) -> None:
        self.slept_s = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.slept_s


def test_who_was_stopped_is_not_late() -> None:
    seconds = Seconds()

    async def wait() -> str:
        answer = asyncio.get_running_loop().create_future()
        async with asyncio.timeout(30.0):
            asyncio.get_running_loop().call_later(0.01, answer.set_result, "here")
            seconds.slept_s = 3600.0  # long after the answer was due
            found: str = await answer
        return found

    with asyncio.Runner(loop_factory=lambda: AwakeLoop(seconds)) as runner:
        assert runner.run(wait()) == "here"


def test_who_is_awake_is_late() -> None:
    seconds = Seconds()

    async def wait() -> bool:
        try:
            async with asyncio.timeout(30.0):
                while True:
                    seconds.slept_s += STOPPED_S / 2.0
                    await asyncio.sleep(0.0)
        except TimeoutError:
            return True

    with asyncio.Runner(loop_factory=lambda: AwakeLoop(seconds)) as runner:
        assert runner.run(wait())


def test_sleep_passes_before_anybody_hears_of_the_time() -> None:
    slept: list[tuple[float, float]] = []
    asleep_s = [0.0]

    async def look() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        clock = LiveClock(
            1000.0,
            lambda: loop.time() + asleep_s[0],
            lambda slept_s, now_s: slept.append((slept_s, now_s)),
        )
        before_s = clock.now()
        asleep_s[0] = 40.0
        return before_s, clock.now()

    with asyncio.Runner(loop_factory=PretendLoop) as runner:
        assert runner.run(look()) == (1000.0, 1040.0)
    assert slept == [(40.0, 1040.0)]


def test_a_hair_between_two_clocks_is_no_sleep() -> None:
    ahead_s = [0.0]

    async def look() -> list[float]:
        loop = asyncio.get_running_loop()
        clock = LiveClock(1000.0, lambda: loop.time() + ahead_s[0])
        found = []
        for ahead_s[0] in (0.0, 0.9, -5.0, 0.5):
            found.append(clock.now())
        return found

    with asyncio.Runner(loop_factory=PretendLoop) as runner:
        assert runner.run(look()) == [1000.0] * 4
