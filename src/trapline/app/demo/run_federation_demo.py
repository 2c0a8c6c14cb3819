"""The work of `demo --engines`: topical engines, a directory and a broker on one living web.

Each engine crawls its topic and is served by itself; all talk over real HTTP on loopback. The first
one is the broker: its search page asks the others.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from trapline.app.crawl.run_until import warm_up
from trapline.app.demo.demo_engines import (
    DemoEngine,
    Shares,
    close_engines,
    crawl_beside,
    engine_topics,
    open_engines,
)
from trapline.app.demo.demo_federation import Addresses, DemoFederation, search_broker
from trapline.app.demo.demo_settings import GAP_S, SHAPE
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.demo.run_demo import (
    DemoWishes,
    demo_folder,
    show_in_browser,
)
from trapline.app.output.standard_output import print_json
from trapline.app.settings_tables import RefreshTable
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.live.awake_loop import run_awake

_SHARE: Final = (
    0.3  # of the living web that one engine holds: some pages are held by two
)
_ENOUGH: Final = 25  # pages that an engine holds before it joins
_PATIENCE_S: Final = 20.0  # for that
_LOOK_S: Final = 0.1
_TELL_EVERY_S: Final = 5.0


def run_federation_demo(wishes: DemoWishes, engines: int) -> None:
    warm_up(RefreshTable().policy, wishes.as_json)
    began_s = time.monotonic()
    hosts = min(wishes.hosts, wishes.pages)
    world = LinkedWeb.generate(wishes.pages, hosts, wishes.topic, wishes.seed, SHAPE)
    topics = engine_topics(wishes.topic, engines)
    most = max(_ENOUGH, round(_SHARE * wishes.pages))
    # all together ask a host no more often than one robot would
    shares = Shares(hosts, engines, most, GAP_S * engines, SHAPE.life_s)
    with demo_folder(wishes.folder) as folder, PracticeWeb(world) as web:
        opened = open_engines(folder, topics, web, shares)
        try:
            summary = _run(folder, opened, wishes)
        finally:
            close_engines(opened)
    summary["seconds"] = round(time.monotonic() - began_s, 3)
    _print_summary(summary, wishes.as_json)


def _run(
    folder: Path, engines: Sequence[DemoEngine], wishes: DemoWishes
) -> dict[str, Any]:
    federation = DemoFederation(folder, [one.folder for one in engines])
    searches: list[dict[str, Any]] = []

    async def beside() -> None:
        await _until(lambda: all(map(_has_enough, engines)))
        addresses = await _start(federation, wishes.port)
        if not wishes.as_json:
            _greet(addresses, engines)
            show_in_browser(addresses.broker, wishes.browser)
        for one in engines:
            query = (addresses.broker, one.topic.query)
            searches.append(await asyncio.to_thread(search_broker, *query))
        while not wishes.as_json:
            await asyncio.sleep(_TELL_EVERY_S)
            print(_say_held(engines), flush=True)

    try:
        run_awake(crawl_beside(engines, wishes.seconds, beside))
    finally:
        federation.close()
    return {"engines": [_figures(one) for one in engines], "searches": searches}


async def _start(federation: DemoFederation, port: int | None) -> Addresses:
    try:
        return await asyncio.to_thread(federation.start, port)
    except asyncio.CancelledError:
        federation.give_up()
        raise


async def _until(is_so: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + _PATIENCE_S
    while not is_so() and time.monotonic() < deadline_s:
        await asyncio.sleep(_LOOK_S)


def _has_enough(one: DemoEngine) -> bool:
    return one.engine.store.counts().held >= _ENOUGH


def _figures(one: DemoEngine) -> dict[str, Any]:
    counts = one.engine.store.counts()
    return {
        "name": one.topic.name,
        "topic": one.topic.words,
        "pages_held": counts.held,
        "visits": counts.visits,
    }


def _greet(addresses: Addresses, engines: Sequence[DemoEngine]) -> None:
    print(f"Search all engines: {addresses.broker}   (Ctrl-C ends the demo)")
    print(f"Who they are: {addresses.broker}engines")
    print(f"Directory: {addresses.directory}")
    print(_say_held(engines), flush=True)


def _say_held(engines: Sequence[DemoEngine]) -> str:
    held = [f"{one.topic.name} {one.engine.store.counts().held}" for one in engines]
    return "Pages held: " + ", ".join(held)


def _print_summary(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    for one in summary["engines"]:
        print(f"{one['name']}: {one['pages_held']} pages held, {one['visits']} visits")
    for one in summary["searches"]:
        said = ", ".join(f"{name} {hits}" for name, hits in one["origins"].items())
        print(
            f"Searched {one['q']}: {one['hits']} results ({said or 'nobody had any'})"
        )
