"""The robot's time: how it follows the clock of the machine, and when it does not believe it.

The robot's time never lies more than a minute from the clock. What it was not awake for (a stopped
process, a machine asleep, the time between two runs) passes like any other time. But where the
clock was set, back or ahead, nobody knows how long the robot was away: then its whole state is
moved along, as if no time had passed, so that waits and ages stay what they were.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from trapline.app.engine.parts import Engine
from trapline.live.awake_loop import unstopped_s
from trapline.live.clock import LiveClock
from trapline.policies.wording import say_span
from trapline.robot.response.host_dates import FAR_S
from trapline.robot.response.response_processor import ResponseProcessor

CHECK_EVERY_S: Final = 1.0
# Clocks are set by less all the time, and nobody need know.
TOLERATED_S: Final = 60.0
# Nobody leaves a robot alone for longer: so large a step is a clock that was wrong.
LONGEST_AWAY_S: Final = 366 * 86_400.0
WORTH_SAYING_S: Final = 10.0
_UNTRUSTED: Final = (
    "dates that pages give are not acted on until several hosts confirm the clock"
)


@dataclass(frozen=True, slots=True)
class MachineClocks:
    """What the machine says: the time of day, which people set, and seconds that nobody can."""

    wall: Callable[[], float] = time.time
    unstopped: Callable[[], float] = unstopped_s


class Timekeeper:
    """Keeps the time of one run."""

    def __init__(
        self, engine: Engine, processor: ResponseProcessor, clocks: MachineClocks
    ) -> None:
        self._engine = engine
        self._processor = processor
        self._wall = clocks.wall
        wall_s = clocks.wall()
        saved_s = engine.controller.now_s  # −∞ in a new folder
        if 0.0 <= wall_s - saved_s <= LONGEST_AWAY_S or saved_s == -math.inf:
            start_s = wall_s
        elif -TOLERATED_S <= wall_s - saved_s < 0.0:
            start_s = saved_s
        else:
            start_s = wall_s
            self._distrust(wall_s, saved_s)
            engine.control.journal.set_clock(wall_s)
        self.clock = LiveClock(start_s, clocks.unstopped, self._wake_up)
        self._suspect = processor.dates.suspect

    async def run(self) -> None:
        while True:
            await asyncio.sleep(CHECK_EVERY_S)
            self.check()

    def check(self) -> None:
        off_s = self._wall() - self.clock.now()
        if abs(off_s) > TOLERATED_S:
            self._set_clock(off_s)
        self._say_what_hosts_say()

    def _distrust(self, wall_s: float, saved_s: float) -> None:
        self._processor.dates.suspect |= abs(wall_s - saved_s) > FAR_S
        tail = f"; {_UNTRUSTED}" if self._processor.dates.suspect else ""
        self._engine.say(
            f"the clock says {_date(wall_s)}, but the last run ended at {_date(saved_s)}: it is "
            f"wrong now, or was then; the schedule goes on from now{tail}"
        )

    def _wake_up(self, slept_s: float, now_s: float) -> None:
        self._engine.control.journal.wake_up(now_s)
        self._go_on(now_s)
        if slept_s >= WORTH_SAYING_S:
            self._engine.say(
                f"the robot stood still for {say_span(slept_s)}: it goes on"
            )

    def _set_clock(self, off_s: float) -> None:
        now_s = self._wall()
        self.clock.set(now_s)
        self._engine.control.journal.set_clock(now_s)
        self._processor.note_clock_set()
        self._go_on(now_s)
        way = "ahead" if off_s > 0.0 else "back"
        self._engine.say(
            f"the clock was set {way} by {say_span(abs(off_s))}: the schedule moves with it"
        )

    def _go_on(self, now_s: float) -> None:
        self._engine.control.fetchers.skip_to(now_s)
        if self._engine.loop is not None:
            # later: it may be the loop itself that has asked for the time
            asyncio.get_running_loop().call_soon(self._engine.loop.look_again)

    def _say_what_hosts_say(self) -> None:
        dates = self._processor.dates
        if dates.suspect == self._suspect:
            return
        self._suspect = dates.suspect
        if not dates.suspect:
            self._engine.say("several hosts confirm the clock: dates count again")
            return
        way = "behind" if dates.off_s > 0.0 else "ahead of"
        self._engine.say(
            f"the clock is {say_span(abs(dates.off_s))} {way} what several hosts say: set it; "
            f"{_UNTRUSTED}"
        )


def _date(seconds: float) -> str:
    """As people read it, by the clock of the machine.

    >>> _date(-1e18)
    'an impossible time'
    """
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):
        return "an impossible time"
