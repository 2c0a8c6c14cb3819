"""Running an engine from the command line: until it is done, or somebody stops it."""

from __future__ import annotations

import asyncio
import math
import signal
from collections.abc import Callable

from trapline.app.engine.memory import settle_down
from trapline.app.engine.parts import Engine
from trapline.app.engine.run import run_engine
from trapline.app.output.terminal import Terminal
from trapline.app.settings_tables import DiscoveryTable


def warm_up(
    refresh: str, quiet: bool, discovery: str = DiscoveryTable().policy
) -> None:
    """Load the kernels before the clock of a crawl starts; the first time they are compiled."""
    from trapline.live.warm_up import warm_live

    with Terminal(stderr=True, quiet=quiet).status(
        "loading kernels (the first time they are compiled: a minute)"
    ):
        warm_live(discovery, refresh)
    settle_down()


async def crawl_until(
    engine: Engine,
    *,
    seconds: float | None,
    visits: int | None,
    show: Callable[[], None],
    every_s: float = 0.25,
) -> None:
    """Run the engine; Ctrl-C, SIGTERM, so many seconds or visits stop it cleanly.

    `show` is called while it runs.
    """
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, engine.stop)
    most_visits = math.inf if visits is None else visits
    running = asyncio.create_task(run_engine(engine, most_visits=most_visits))
    alarm = None if seconds is None else loop.call_later(seconds, engine.stop)
    try:
        while not running.done():
            await asyncio.wait((running,), timeout=every_s)
            show()
    finally:
        if alarm is not None:
            alarm.cancel()
    await running
