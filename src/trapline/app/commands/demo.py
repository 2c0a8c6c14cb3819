"""`demo`: a living web on loopback, crawled before your eyes; search and status in the browser.

The web is a world of the laboratory served over real HTTP; recall and freshness are exact, from the
world's truth at the last instant: what the robot holds is read off the ETags in its store.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trapline.app.commands.crawl import crawl_until, figures_of, warm_up
from trapline.app.commands.progress import progress_shown
from trapline.app.commands.tables import print_json
from trapline.app.engine.build import Engine, open_engine
from trapline.app.practice_web import PracticeWeb
from trapline.app.settings import RefreshTable, Settings, settings_from
from trapline.core.errors import PortTaken
from trapline.core.ports import Store
from trapline.laboratory.runs.measures import Holding, Quality, quality
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import fresh_copy

PORT = 8765
GAP_S = 0.25  # the living web's hosts belong to whoever runs the demo
SHAPE = Shape(gap_s=GAP_S, change_every_s=(8.0, 5000.0), life_s=600.0)


@dataclass(frozen=True, slots=True)
class DemoWishes:
    seconds: float | None = None
    pages: int = 600
    hosts: int = 8
    topic: str = "space"
    seed: int = 1
    port: int | None = None
    folder: Path | None = None
    browser: bool = True
    as_json: bool = False


def demo_settings(wishes: DemoWishes, web: PracticeWeb, seeds: list[int]) -> Settings:
    values: dict[str, object] = {
        "topic": wishes.topic,
        "seeds": [web.home(host) for host in seeds],
        "budget": {"visits": 3.5 * wishes.hosts, "burst": 4.0},
        # a page is worth no more than this web's ten minutes
        "refresh": {"options": {"horizon_s": SHAPE.life_s}},
        "manners": {"own": dict.fromkeys(web.host_names(), GAP_S)},
        "fetchers": {"most": max(wishes.hosts, 2)},
    }
    return settings_from("the demo", values)


def held_versions(store: Store, web: PracticeWeb) -> Holding:
    """What the store holds, as pages and versions of the world: the living web's ETags begin
    "page-version-".
    """
    held: dict[int, int] = {}
    for change in store.changes():
        if (
            change.document is not None
            and (page := web.page_at(change.document.url)) is not None
        ):
            held[page] = int(change.document.etag.strip('"').split("-")[1])
    return Holding.of(held)


def measure_quality(engine: Engine, world: LinkedWeb, web: PracticeWeb) -> Quality:
    return quality(
        fresh_copy(world.truth), held_versions(engine.store, web), web.world_time()
    )


@contextlib.contextmanager
def _folder(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        yield wanted
        return
    with tempfile.TemporaryDirectory(prefix="trapline-demo-") as name:
        yield Path(name)


def _page_served(folder: Path, wishes: DemoWishes) -> Any:
    """Search and status beside the crawl; not for machines, who asked for JSON alone."""
    if wishes.as_json:
        return contextlib.nullcontext()
    from trapline.app.web.server import WebServer, bind

    try:
        listener = bind(wishes.port or PORT)
    except PortTaken:
        if wishes.port is not None:
            raise
        listener = bind(0)
    return WebServer(folder, listener)


def _greet(server: Any, browser: bool) -> None:
    if server is None:
        return
    print(f"Search and status: {server.url}   (Ctrl-C ends the demo)", flush=True)
    if browser and (
        os.environ.get("DISPLAY")
        or os.environ.get("WAYLAND_DISPLAY")
        or os.name != "posix"
    ):
        webbrowser.open(server.url)


def run_demo(wishes: DemoWishes) -> None:
    warm_up(RefreshTable().policy, wishes.as_json)
    began_s = time.monotonic()
    world = LinkedWeb.generate(
        wishes.pages, min(wishes.hosts, wishes.pages), wishes.topic, wishes.seed, SHAPE
    )
    with _folder(wishes.folder) as folder, PracticeWeb(world) as web:
        engine = open_engine(folder, demo_settings(wishes, web, world.seeds))
        try:
            with _page_served(folder, wishes) as server:
                _greet(server, wishes.browser)
                with progress_shown(
                    f"{world.pages} pages on {world.hosts} hosts", wishes.as_json
                ) as progress:
                    show = _shower(engine, world, web, progress)
                    asyncio.run(
                        crawl_until(
                            engine, seconds=wishes.seconds, visits=None, show=show
                        )
                    )
                summary = summary_of(engine, world, web, time.monotonic() - began_s)
        finally:
            engine.close()
    _say(summary, wishes.as_json)


def _shower(
    engine: Engine, world: LinkedWeb, web: PracticeWeb, progress: Callable[[Any], None]
) -> Callable[[], None]:
    """Figures four times a second, with recall and freshness measured anew every two seconds."""
    last: list[Any] = [0.0, None]

    def show() -> None:
        if time.monotonic() - last[0] >= 2.0:
            last[:] = [time.monotonic(), measure_quality(engine, world, web)]
        progress(
            replace(
                figures_of(engine), recall=last[1].recall, freshness=last[1].freshness
            )
        )

    return show


def summary_of(
    engine: Engine, world: LinkedWeb, web: PracticeWeb, seconds: float
) -> dict[str, Any]:
    found = measure_quality(engine, world, web)
    counts = engine.store.counts()
    return {
        "pages_held": counts.held,
        "pages_known": counts.known,
        "visits": counts.visits,
        "recall": found.recall,
        "freshness": found.freshness,
        "quality": found.quality,
        "gap_violations": web.gap_violations(),
        "requests": web.requests(),
        "private_requests": web.private_requests(),
        "fetchers": engine.fetchers.figures().as_dict(),
        "seconds": round(seconds, 3),
    }


def _say(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    print(
        f"{summary['visits']} visits in {summary['seconds']:.0f} s: {summary['pages_held']} "
        "pages held, "
        f"recall {summary['recall']:.3f}, freshness {summary['freshness']:.3f}, quality "
        f"{summary['quality']:.3f}, "
        f"{summary['gap_violations']} gap violations."
    )
