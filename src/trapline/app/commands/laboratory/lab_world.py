"""`lab world`: a world for the laboratory from an engine's folder.

Nothing is written there; a robot may be at work.

Pages are those that the engine knows; what it never read has relevance 0 and leads nowhere. Links
and their clues are those kept with each page, gaps those that the folder's settings and the hosts'
robots.txt ask for. Seeds are those of the settings, and held pages that no link leads to: seeds of
earlier runs, or what led to them has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from trapline.app.engine.from_settings import manners_of
from trapline.app.engine.restore import load_book
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.schedule.controller_snapshot import settings_noted
from trapline.app.settings import Settings
from trapline.core.errors import UserMistake
from trapline.core.links import Links
from trapline.core.records import Robots
from trapline.core.storage import Store
from trapline.laboratory.study.report import Progress
from trapline.laboratory.worlds.crawled import Visits, crawled_truth
from trapline.laboratory.worlds.truth import Floats
from trapline.laboratory.worlds.world_files import World, save_world
from trapline.politeness.rules import rules_of

Row = TypeVar("Row")

_SAY_EVERY: Final = 1000  # rows


@dataclass(frozen=True, slots=True)
class Made:
    """What was made, for people."""

    file: str
    pages: int
    held: int
    gone: int
    hosts: int
    links: int
    seeds: int
    unlinked: int  # held pages whose links are not kept: read before links were

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        said = (
            f"{self.file}: {self.pages:,} pages ({self.held:,} held, {self.gone:,} gone) on "
            f"{self.hosts:,} hosts, "
            f"{self.links:,} links, {self.seeds:,} seeds."
        )
        if self.unlinked:
            said += (
                f" The links of {self.unlinked:,} held pages are not kept: an older "
                "Trapline read them last."
            )
        return said


def make_world(
    folder: Path, out: Path | None, *, force: bool, progress: Progress
) -> Made:
    """Raises StoreCorrupt or some UserMistake before anything is written."""
    out = out or Path(f"{folder.resolve().name}.npz")
    if out.exists() and not force:
        raise UserMistake(
            f"{out} exists: choose another file with --out, or overwrite it with --force"
        )
    store = open_for_reading(folder)
    try:
        with store.snapshot():
            found = _read(store, folder, progress)
            world = _world(store, found)
    finally:
        store.close()
    progress(0.9, "writing")
    save_world(out, world)
    return Made(
        file=str(out),
        pages=len(found.host),
        held=int(found.held.sum()),
        gone=len(found.gone),
        hosts=len(world.truth.gap_s),
        links=len(world.truth.link_to),
        seeds=len(world.seeds),
        unlinked=int(
            found.held.sum() - found.held[[page for page, _ in found.links]].sum()
        ),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """What a folder says of each page that it knows."""

    settings: Settings
    visits: Visits
    urls: list[str]
    host: NDArray[np.int32]
    held: NDArray[np.bool_]
    relevance: Floats
    gone: list[int]
    links: list[tuple[int, Links]]


def _read(store: Store, folder: Path, progress: Progress) -> _Found:
    settings = settings_noted(store, folder)
    counts = store.counts()
    if not counts.held:
        raise UserMistake(
            f"the engine in {folder} holds no page yet: let it crawl first"
        )
    visits = Visits()
    for visit in _with_progress(
        store.history(), counts.visits, progress, 0.0, "visits"
    ):
        visits.add(visit)
    urls = []
    host = np.zeros(counts.known, np.int32)
    held = np.zeros(counts.known, np.bool_)
    relevance = np.zeros(counts.known)
    for row in _with_progress(store.urls(), counts.known, progress, 0.3, "pages"):
        urls.append(row.url)
        host[row.page] = row.host
        if row.page in visits.last and (document := store.held(row.page)) is not None:
            held[row.page] = True
            relevance[row.page] = document.relevance
    links = list(_with_progress(store.links(), counts.held, progress, 0.6, "links"))
    gone = visits.gone()
    return _Found(settings, visits, urls, host, held, relevance, gone, links)


def _crawl_delay_s(robots: Robots | None) -> float | None:
    return None if robots is None else rules_of(robots).crawl_delay_s


def _world(store: Store, found: _Found) -> World:
    hosts = store.hosts()[: int(found.host.max()) + 1]
    manners = manners_of(found.settings)
    delays_s = [_crawl_delay_s(store.robots(row.host)) for row in hosts]
    truth = crawled_truth(
        host=found.host,
        relevance=found.relevance,
        rate=found.visits.change_rates(len(found.host)),
        gone=found.gone,
        links=found.links,
        gap_s=np.array(
            [
                manners.gap_for(row.name, delay_s)
                for row, delay_s in zip(hosts, delays_s, strict=True)
            ]
        ),
        latency_s=found.visits.latencies(len(hosts)),
    )
    return World(
        found.settings.topic.words,
        _seeds(store, found, truth.link_to),
        truth,
        found.urls,
    )


def _seeds(store: Store, found: _Found, linked: NDArray[np.int32]) -> list[int]:
    book = load_book(store)
    wished = {book.number(seed)[0] for seed in found.settings.canonical_seeds()}
    lonely = found.held.copy()
    lonely[linked] = False
    return sorted(
        {page for page in wished if page < len(lonely)}
        | set(np.flatnonzero(lonely).tolist())
    )


def _with_progress(
    rows: Iterable[Row], count: int, progress: Progress, start: float, what: str
) -> Iterator[Row]:
    """The same rows; 30 % of the progress are theirs."""
    for number, row in enumerate(rows):
        if number % _SAY_EVERY == 0:
            progress(start + 0.3 * min(1.0, number / max(1, count)), what)
        yield row
