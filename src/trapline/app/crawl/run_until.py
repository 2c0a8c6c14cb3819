"""Running an engine from the command line: until it is done, or somebody stops it."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from pathlib import Path

from trapline.app.engine.build import open_engine
from trapline.app.engine.memory import settle_down
from trapline.app.engine.parts import Engine
from trapline.app.engine.run import run_engine
from trapline.app.settings import Settings
from trapline.app.settings_files.given import Given
from trapline.app.settings_tables import DiscoveryTable
from trapline.app.stop_signals import ending_at_once, stop_signals


def warm_up(
    refresh: str, quiet: bool, discovery: str = DiscoveryTable().policy
) -> None:
    """Load the kernels before the clock of a crawl starts; the first time they are compiled."""
    from trapline.app.crawl.kernel_progress import compiling_shown
    from trapline.live.warm_up import warm_live

    with ending_at_once(), compiling_shown(quiet=quiet):
        warm_live(discovery, refresh)
    settle_down()


def open_warmed(
    folder: Path, settings: Settings, given: Given | None, *, quiet: bool
) -> Engine:
    """An engine with its kernels loaded; opening it may compile the first of them."""
    from trapline.app.crawl.kernel_progress import compiling_shown
    from trapline.live.warm_up import warm_live

    with ending_at_once(), compiling_shown(quiet=quiet):
        engine = open_engine(folder, settings, given=given)
        try:
            warm_live(settings.discovery.policy, settings.refresh.policy)
        except BaseException:
            engine.close()
            raise
    settle_down()
    return engine


async def crawl_until(
    engine: Engine,
    *,
    seconds: float | None,
    visits: int | None,
    show: Callable[[], None],
    every_s: float = 0.25,
) -> None:
    """Run the engine; Ctrl-C, SIGTERM, SIGHUP, so many seconds or visits stop it cleanly.

    `show` is called while it runs.
    """
    loop = asyncio.get_running_loop()
    for sign in stop_signals():
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
