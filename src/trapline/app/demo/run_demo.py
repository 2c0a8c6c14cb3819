"""The work of `demo`: a living web on loopback, crawled before your eyes.

The web is a world of the laboratory served over real HTTP. Recall and freshness are exact: the
versions that the store holds, read off their ETags, are compared with the world at that moment.
"""

from __future__ import annotations

import contextlib
import math
import os
import socket
import tempfile
import time
import webbrowser
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from trapline.app.crawl.progress import Figures, figures_of, progress_shown
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.demo.demo_settings import (
    SHAPE,
    Tables,
    demo_settings,
    policy_in,
    read_choices,
)
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.engine.parts import Engine
from trapline.app.output.standard_output import print_json
from trapline.app.settings import Settings
from trapline.app.settings_files.kept_settings import check_free
from trapline.core.errors import PortTaken
from trapline.core.storage import Store
from trapline.laboratory.runs.measures import Holding, Quality, quality
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.truth import fresh_copy
from trapline.live.awake_loop import run_awake

PORT: Final = 8765
MEASURE_EVERY_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class DemoWishes:
    seconds: float | None = None
    pages: int = 600
    hosts: int = 8
    topic: str = "space"
    seed: int = 1
    port: int | None = None
    folder: Path | None = None
    settings: Path | None = None  # [budget], [discovery], [fetchers], [refresh]
    browser: bool = True
    as_json: bool = False


def held_versions(store: Store, web: PracticeWeb) -> Holding:
    """What the store holds, as pages and versions of the world: the living web's ETags begin
    "page-version-".
    """
    held: dict[int, int] = {}
    for change in store.changes():
        document = change.document
        page = None if document is None else web.page_at(document.url)
        if document is not None and page is not None:
            held[page] = int(document.etag.strip('"').split("-")[1])
    return Holding.of(held)


def measure_quality(engine: Engine, world: LinkedWeb, web: PracticeWeb) -> Quality:
    held = held_versions(engine.store, web)
    return quality(fresh_copy(world.truth), held, web.world_time())


@contextlib.contextmanager
def demo_folder(wanted: Path | None) -> Iterator[Path]:
    if wanted is not None:
        yield wanted
        return
    with tempfile.TemporaryDirectory(prefix="trapline-demo-") as name:
        yield Path(name)


def _page_served(folder: Path, wishes: DemoWishes) -> Any:
    """Search and status beside the crawl; not for machines, who asked for JSON alone."""
    if wishes.as_json:
        return contextlib.nullcontext()
    from trapline.app.web.server import WebServer

    return WebServer(folder, bind_page(wishes.port))


def bind_page(port: int | None) -> socket.socket:
    """At the usual port, or any that is free; one that was wished for must be."""
    from trapline.app.web.server import bind

    try:
        return bind(port or PORT)
    except PortTaken:
        if port is not None:
            raise
        return bind(0)


def _greet(server: Any, browser: bool) -> None:
    if server is None:
        return
    print(f"Search and status: {server.url}   (Ctrl-C ends the demo)", flush=True)
    show_in_browser(server.url, browser)


def show_in_browser(url: str, wanted: bool) -> None:
    if wanted and _has_display():
        webbrowser.open(url)


def _has_display() -> bool:
    return (
        os.name != "posix"
        or bool(os.environ.get("DISPLAY"))
        or bool(os.environ.get("WAYLAND_DISPLAY"))
    )


def settings_for(
    wishes: DemoWishes, web: PracticeWeb, seeds: list[int], choices: Tables
) -> Settings:
    """Of a robot that begins at the front pages of these hosts."""
    homes = [web.home(host) for host in seeds]
    return demo_settings(wishes.topic, homes, web.host_names(), choices)


def run_demo(wishes: DemoWishes) -> None:
    choices = {} if wishes.settings is None else read_choices(wishes.settings)
    if wishes.folder is not None:
        check_free(wishes.folder)
    refresh, discovery = (policy_in(choices, role) for role in ("refresh", "discovery"))
    warm_up(refresh, wishes.as_json, discovery)
    began_s = time.monotonic()
    hosts = min(wishes.hosts, wishes.pages)
    world = LinkedWeb.generate(wishes.pages, hosts, wishes.topic, wishes.seed, SHAPE)
    with demo_folder(wishes.folder) as folder, PracticeWeb(world) as web:
        settings = settings_for(wishes, web, world.seeds, choices)
        engine = open_engine(folder, settings)
        try:
            with _page_served(folder, wishes) as server:
                _greet(server, wishes.browser)
                _crawl(engine, world, web, wishes)
                summary = summary_of(engine, world, web, time.monotonic() - began_s)
        finally:
            engine.close()
    _print_summary(summary, wishes.as_json)


def _crawl(
    engine: Engine, world: LinkedWeb, web: PracticeWeb, wishes: DemoWishes
) -> None:
    title = f"{world.pages} pages on {world.hosts} hosts"
    with progress_shown(title, wishes.as_json) as progress:
        show = _shower(engine, world, web, progress)
        run_awake(crawl_until(engine, seconds=wishes.seconds, visits=None, show=show))


def _shower(
    engine: Engine,
    world: LinkedWeb,
    web: PracticeWeb,
    progress: Callable[[Figures], None],
) -> Callable[[], None]:
    """Show the figures, with recall and freshness measured anew every two seconds."""
    measured_s = -math.inf
    measured: Any = None

    def show() -> None:
        nonlocal measured_s, measured
        if time.monotonic() - measured_s >= MEASURE_EVERY_S:
            measured_s = time.monotonic()
            measured = measure_quality(engine, world, web)
        figures = figures_of(engine)
        progress(replace(figures, recall=measured.recall, freshness=measured.freshness))

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
        "fetchers": engine.control.fetchers.figures().as_dict(),
        "seconds": round(seconds, 3),
    }


def _print_summary(summary: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(summary)
        return
    print(
        f"{summary['visits']} visits in {summary['seconds']:.0f} s: "
        f"{summary['pages_held']} pages held, "
        f"recall {summary['recall']:.3f}, freshness {summary['freshness']:.3f}, "
        f"quality {summary['quality']:.3f}, {summary['gap_violations']} gap violations."
    )
