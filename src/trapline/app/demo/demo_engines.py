"""The engines of a federated demo: a topic each, on one living web, side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.engine.parts import Engine
from trapline.app.engine.run import run_engine
from trapline.app.settings import Settings, settings_from
from trapline.app.stop_signals import stop_signals
from trapline.laboratory.worlds.vocabulary import OTHERS

MOST: Final = 1 + len(OTHERS)  # subjects that a living web has
_ORDER: Final = ("sailing", "gardening", "music", "trains")  # the others follow
_VISITS_PER_HOST: Final = 3.5  # a second, of all engines together


@dataclass(frozen=True, slots=True)
class EngineTopic:
    name: str
    words: str  # by which a page is judged
    query: str  # that its pages answer


def engine_topics(first: str, count: int) -> list[EngineTopic]:
    """The topic of the living web, and subjects that its other pages are about.

    >>> [topic.name for topic in engine_topics("space", 3)]
    ['space', 'sailing', 'gardening']
    """
    by_name = {subject.name: subject for subject in OTHERS}
    names = [*_ORDER, *(name for name in by_name if name not in _ORDER)]
    others = [
        EngineTopic(name, " ".join((name, *things)), things[0])
        for name in names
        for things in [by_name[name].things]
    ]
    return [EngineTopic(first, first, first), *others][:count]


@dataclass(frozen=True, slots=True)
class DemoEngine:
    topic: EngineTopic
    folder: Path
    engine: Engine


@dataclass(frozen=True, slots=True)
class Shares:
    """What each of the engines gets of the living web."""

    hosts: int
    engines: int
    most_pages: int  # that one holds; it takes those of its topic first
    gap_s: float
    horizon_s: float


def open_engines(
    folder: Path, topics: Sequence[EngineTopic], web: PracticeWeb, shares: Shares
) -> list[DemoEngine]:
    opened: list[DemoEngine] = []
    try:
        for topic in topics:
            place = folder / topic.name
            engine = open_engine(place, engine_settings(topic, web, shares))
            opened.append(DemoEngine(topic, place, engine))
    except BaseException:
        close_engines(opened)
        raise
    return opened


def close_engines(engines: Sequence[DemoEngine]) -> None:
    for one in engines:
        one.engine.close()


def engine_settings(topic: EngineTopic, web: PracticeWeb, shares: Shares) -> Settings:
    visits = _VISITS_PER_HOST * shares.hosts / shares.engines
    values: dict[str, object] = {
        "topic": topic.words,
        "seeds": [web.home(host) for host in range(shares.hosts)],
        "scope": {"pages": shares.most_pages},
        "budget": {"visits": visits, "burst": 4.0},
        "refresh": {"options": {"horizon_s": shares.horizon_s}},
        "manners": {"own": dict.fromkeys(web.host_names(), shares.gap_s)},
        "fetchers": {"most": max(2, shares.hosts // 2)},
    }
    return settings_from("the demo", values)


async def crawl_beside(
    engines: Sequence[DemoEngine],
    seconds: float | None,
    beside: Callable[[], Awaitable[None]],
) -> None:
    """All robots until Ctrl-C or for so many seconds, with something `beside` them.

    Whatever ends one of them ends all.
    """
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in stop_signals():
        loop.add_signal_handler(sign, over.set)
    alarm = None if seconds is None else loop.call_later(seconds, over.set)
    robots = [asyncio.create_task(run_engine(one.engine)) for one in engines]
    ways: tuple[Awaitable[Any], ...] = (over.wait(), beside())
    others = [asyncio.ensure_future(one) for one in ways]
    try:
        await _until_over(robots, others)
    finally:
        if alarm is not None:
            alarm.cancel()
        for one in engines:
            one.engine.stop()
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.gather(*robots)


async def _until_over(
    robots: Sequence[asyncio.Task[None]], others: Sequence[asyncio.Future[Any]]
) -> None:
    """Until the first of `others` is done, or any of all fails."""
    over, beside = others
    waiting: set[asyncio.Future[Any]] = {*robots, over, beside}
    while not over.done():
        done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
