"""Shards that are doubled: every page, visit and change is in one shard as before, hosts of one
address have one owner, and the crawl goes on.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.support.command import said, trapline, wait_until
from tests.e2e.support.shard_looks import LONG_S
from tests.e2e.support.shard_web import ShardWeb
from tests.postgres_server import fresh_address
from trapline.app.settings import settings_from
from trapline.app.shards.crawl_place import CrawlPlace
from trapline.app.shards.crawl_shards import settings_kept
from trapline.app.shards.shard_figures import figures_of_shards
from trapline.app.shards.splitting.splitting import split_crawl
from trapline.core.ledger import Founding, Ledger
from trapline.core.storage import Store
from trapline.core.urls import host_of
from trapline.postgres.address import read_address
from trapline.postgres.connection import Database
from trapline.stores.postgres.store import PostgresStore
from trapline.stores.sqlite.store import SqliteStore

GAP_S = 0.05
ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["folder", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> CrawlPlace:
    address = fresh_address() if request.param == "postgres" else ""
    return CrawlPlace(tmp_path / "D", address)


def test_a_crawl_is_split(place: CrawlPlace, tmp_path: Path) -> None:
    with (
        ShardWeb(hosts=24, addresses=12, pages=2, change_s=2.0) as web,
        closing(_founded(place, web)) as ledger,
    ):
        names = web.write_names(tmp_path / "names.json")
        with _worker(place, names):
            wait_until(lambda: _held_figure(ledger) == len(web.all_urls()), LONG_S)
        before = _look(place, 2)
        visits = figures_of_shards(ledger).visits
        assert set(before.held) == web.all_urls()
        assert said(trapline("search", place.folder, "moon", "--json"))["hits"]
        index = place.folder / "index"
        assert index.exists()
        done = said(trapline("cluster", place.folder, "split", "--json"))
        assert done == {"shards": 4}
        assert not index.exists(), "pages have other numbers now"
        after = _look(place, 4)
        assert after.held == before.held
        assert set(after.held.values()) == {1}
        assert (after.visits, after.diffs) == (before.visits, before.diffs)
        assert after.counted == before.counted
        assert after.texts == before.texts
        assert figures_of_shards(ledger).visits == visits
        assert _held_figure(ledger) == len(web.all_urls())
        _check_owners(after, web)
        # it goes on: every page is visited again where it is now
        served = dict(web.served)
        with _worker(place, names):
            wait_until(lambda: _all_served_again(web, served), LONG_S)
        last = _look(place, 4)
        assert last.held == before.held
        _check_owners(last, web)
        assert not web.hurried(GAP_S)


def test_a_kill_in_the_middle_leaves_the_crawl(
    place: CrawlPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was copied; and the next split does it all."""
    with (
        ShardWeb(hosts=6, addresses=3, pages=3) as web,
        closing(_founded(place, web)) as ledger,
    ):
        names = web.write_names(tmp_path / "names.json")
        with _worker(place, names):
            wait_until(lambda: _held_figure(ledger) == len(web.all_urls()), LONG_S)
        before = _look(place, 2)
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(type(ledger), "double", _interrupt)
            split_crawl(place, ledger)
        assert _look(place, 2) == before
        founding = ledger.founding()
        assert founding is not None
        assert founding.shards == 2
        # killed as soon as there are twice as many: whoever runs a shard first lets go
        real = type(ledger).double
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(type(ledger), "double", _interrupt_after(real))
            split_crawl(place, ledger)
        with _worker(place, names):
            wait_until(lambda: _all_are_run(ledger, 4), LONG_S)
        assert _look(place, 4).held == before.held


def test_a_crawl_at_work_is_not_split(place: CrawlPlace) -> None:
    with closing(place.open_ledger(create=True)) as ledger:
        ledger.establish(Founding(2, "{}", 1.0))
        ledger.renew("somebody", {}, {}, 0.0)
        done = trapline("cluster", str(place.where), "split")
        assert done.returncode == 2
        assert "already" in done.stderr
        ledger.leave("somebody", {})
        assert len(ledger.shards()) == 2


class _Look:
    """What the shards of a crawl hold."""

    def __init__(self) -> None:
        self.held: Counter[str] = Counter()
        self.texts: dict[str, str] = {}
        self.owners: dict[str, set[int]] = {}  # host → shards
        self.counted = 0
        self.visits: Counter[tuple[str, float]] = Counter()
        self.diffs: Counter[tuple[str, float, str]] = Counter()

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]

    def add(self, shard: int, store: Store) -> None:
        self.counted += store.counts().visits
        for change in store.changes():
            page = change.document
            if page is not None:
                self.held[page.url] += 1
                self.texts[page.url] = page.text
                self.owners.setdefault(host_of(page.url), set()).add(shard)
        for visit in store.history():
            url = store.url(visit.page) if visit.page >= 0 else ""
            self.visits[url, visit.ended_s] += 1
        for _, diff in store.diffs():
            self.diffs[store.url(diff.page), diff.at_s, str(diff.turn)] += 1


def _look(place: CrawlPlace, shards: int) -> _Look:
    found = _Look()
    with _stores(place) as open_store:
        for shard in range(shards):
            with closing(open_store(shard)) as store:
                found.add(shard, store)
    return found


@contextmanager
def _stores(place: CrawlPlace) -> Iterator[Callable[[int], Any]]:
    if not place.address:
        folder = place.shards_folder
        yield lambda shard: SqliteStore(folder / f"{shard:03}", read_only=True)
        return
    with closing(Database(read_address(place.address))) as database:
        yield lambda shard: PostgresStore(database, shard)


def _check_owners(found: _Look, web: ShardWeb) -> None:
    """All hosts of one address are in one shard, and not all in the first ones."""
    owners: dict[str, set[int]] = {}
    for host, shards in found.owners.items():
        address = web.addresses[host.partition(":")[0]]
        owners.setdefault(address, set()).update(shards)
    assert all(len(shards) == 1 for shards in owners.values()), owners
    assert {shard for shards in owners.values() for shard in shards} - {0, 1}


def _founded(place: CrawlPlace, web: ShardWeb) -> Ledger:
    ledger = place.open_ledger(create=True)
    values: dict[str, Any] = {
        "seeds": [web.url(name) for name in web.names],
        "budget": {"visits": 200.0},
        "manners": {"own": dict.fromkeys(web.host_names(), GAP_S)},
    }
    text = json.dumps(settings_kept(settings_from("the test", values)))
    ledger.establish(Founding(2, text, 200.0))
    return ledger


@contextmanager
def _worker(place: CrawlPlace, names: Path) -> Iterator[None]:
    module = "tests.e2e.support.shard_worker"
    words = (str(place.where), str(place.folder), str(names), "worker")
    process = subprocess.Popen([sys.executable, "-m", module, *words], cwd=ROOT)
    try:
        yield
        process.send_signal(signal.SIGTERM)
        assert process.wait(LONG_S) == 0
    finally:
        process.kill()
        process.wait()


def _held_figure(ledger: Ledger) -> int:
    return figures_of_shards(ledger).held


def _all_are_run(ledger: Ledger, shards: int) -> bool:
    figures = figures_of_shards(ledger)
    return figures.owned == shards and all(
        row.reported_ago_s is not None and row.reported_ago_s < LONG_S
        for row in figures.rows
    )


def _all_served_again(web: ShardWeb, before: dict[str, int]) -> bool:
    return all(web.served.get(url, 0) > before[url] for url in web.all_urls())


def _interrupt(*_: object) -> bool:
    raise KeyboardInterrupt


def _interrupt_after(act: Callable[..., bool]) -> Callable[..., bool]:
    def acted(*words: object) -> bool:
        act(*words)
        raise KeyboardInterrupt

    return acted
