"""Whose a host is, when it is located; what leads to it goes to its home, and nothing is lost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import trapline.app.shards.seat as seat_module
from trapline.app.engine.background import unlocated_hosts
from trapline.app.engine.host_reach import HostReach
from trapline.app.settings import settings_from
from trapline.app.shards.homes import Homes
from trapline.app.shards.letters_in import take_in
from trapline.app.shards.seat import Seat
from trapline.app.shards.shard_engine import OpenedStore, ShardEngine, ShardOpener
from trapline.cluster.letters import MailedLinks, pack_letter, unpack_letter
from trapline.cluster.partition import home_shard
from trapline.cluster.tenure import Tenure
from trapline.core.errors import StoreAway
from trapline.core.ledger import Founding, Lease, Letter
from trapline.core.links import LINK, Links, links_to
from trapline.core.records import Fetched, Request
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.live.reader_processes import ReaderProcesses
from trapline.stores.sqlite.store import SqliteStore

OURS, THEIRS = 0, 1
HOST = next(
    name
    for name in (f"site{n}.example:80" for n in range(50))
    if home_shard(name, 2) == OURS
)
ADDRESS = "192.0.2.1"


class Web:
    """Where names lead to: a Fetcher that is only asked that."""

    def __init__(self, address: str | None) -> None:
        self._address = address

    async def fetch(self, request: Request) -> Fetched:
        raise AssertionError(request)

    async def locate(self, host_name: str) -> str | None:
        return self._address


class Shard:
    """Ours; opened anew as by another owner."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ledger = SqliteLedger(folder)
        self.ledger.establish(Founding(2, "{}", 2.0))
        self._engine: ShardEngine | None = None
        self._letters = 0

    def open(self) -> ShardEngine:
        self.close()
        (lease,) = self.ledger.claim("w", 1)
        settings = settings_from("the test", {"seeds": ["http://127.0.0.1/"]})
        readers = ReaderProcesses(0)
        opener = ShardOpener(
            settings, self.ledger, 2, self._folder, self._open_store, readers
        )
        self._engine = asyncio.run(opener(lease, Tenure()))
        return self._engine

    def _open_store(self, lease: Lease) -> OpenedStore:
        store = SqliteStore(self._folder / str(lease.shard))
        return OpenedStore(store, store)

    def receive(self, run: ShardEngine, *paths: str) -> None:
        """A letter of others with links to the host; it is saved."""
        self._letters += 1
        urls = tuple(url(path) for path in paths)
        worths = np.full(len(urls), 0.5, np.float32)
        links = np.zeros(len(urls), LINK)
        sent = MailedLinks(urls, links, worths, np.full(len(urls), 2, np.uint8))
        letter = Letter(self._letters, THEIRS, pack_letter(sent))
        take_in(run.engine, seat_of(run), letter, lambda _: True, 1000.0)
        run.engine.holdings.collection.flush()

    def close(self) -> None:
        if self._engine is not None:
            self._engine.engine.close()
            self._engine = None
            for row in self.ledger.shards():
                self.ledger.release("w", row.shard, row.epoch)


@pytest.fixture
def shard(tmp_path: Path) -> Iterator[Shard]:
    made = Shard(tmp_path)
    yield made
    made.close()
    made.ledger.close()


def url(path: str) -> str:
    return f"http://{HOST.removesuffix(':80')}/{path}"


def seat_of(run: ShardEngine) -> Seat:
    assert run.engine.seat is not None
    return run.engine.seat


def locate(run: ShardEngine, address: str | None = ADDRESS) -> str | None:
    homes = Homes(run.engine, seat_of(run), Web(address))
    return asyncio.run(homes.locate(HOST))


def handed_over(run: ShardEngine) -> list[str]:
    postings = seat_of(run).outgoing.take()
    assert {posting.receiver for posting in postings} <= {THEIRS}
    return sorted(
        link for posting in postings for link in unpack_letter(posting.body).urls
    )


def test_who_locates_a_host_first_is_the_home_of_its_address(shard: Shard) -> None:
    run = shard.open()
    shard.receive(run, "a")
    assert locate(run) == ADDRESS
    assert shard.ledger.home_of(ADDRESS, THEIRS) == OURS
    assert handed_over(run) == []
    assert shard.ledger.moved_hosts(0) == []


def test_a_host_of_anothers_address_goes_there_with_all_that_leads_to_it(
    shard: Shard,
) -> None:
    """Also what an owner of before was told, and nobody remembers."""
    shard.ledger.home_of(ADDRESS, THEIRS)
    shard.receive(shard.open(), "a", "b")
    run = shard.open()
    shard.receive(run, "b", "c")
    assert locate(run) is None
    assert handed_over(run) == [url("a"), url("b"), url("c")]
    (move,) = shard.ledger.moved_hosts(0)
    assert move[1:] == (HOST, THEIRS, ADDRESS)
    # what comes later goes on at once
    shard.receive(run, "d")
    assert handed_over(run) == [url("d")]


def test_a_seed_is_one_also_where_others_lead_to_it(shard: Shard) -> None:
    shard.ledger.home_of(ADDRESS, THEIRS)
    run = shard.open()
    shard.receive(run, "a", "b")
    page, host = run.engine.holdings.book.number(url("a"))
    run.engine.control.journal.unmeet([page], 1000.0)
    run.engine.control.journal.admit(links_to([page], [host]), 1000.0)
    assert locate(run) is None
    (posting,) = seat_of(run).outgoing.take()
    sent = unpack_letter(posting.body)
    assert (sent.urls, sent.depth.tolist()) == ((url("a"), url("b")), [0, 2])


def test_what_leads_to_hosts_is_read_once_for_all_and_beside_the_loop(
    shard: Shard, monkeypatch: pytest.MonkeyPatch
) -> None:
    shard.ledger.home_of(ADDRESS, THEIRS)
    run = shard.open()
    hosts = [f"{n}.{HOST}" for n in range(3)]  # of one site
    for host in hosts:
        page, number = run.engine.holdings.book.number(f"http://{host[:-3]}/")
        run.engine.control.journal.admit(links_to([page], [number]), 1000.0)
    store = run.engine.holdings.store
    readers: list[threading.Thread] = []
    read = store.links

    def links() -> Iterator[tuple[int, Links]]:
        readers.append(threading.current_thread())
        return read()

    async def locate_all() -> list[str | None]:
        homes = Homes(run.engine, seat_of(run), Web(ADDRESS))
        return await asyncio.gather(*map(homes.locate, hosts))

    monkeypatch.setattr(store, "links", links)
    assert asyncio.run(locate_all()) == [None] * 3
    assert len(handed_over(run)) == 3
    (reader,) = readers
    assert reader is not threading.main_thread()


def test_a_host_that_was_left_is_looked_for_while_something_leads_to_it(
    shard: Shard,
) -> None:
    """Of those on shared addresses most are another shard's, and each look takes its time."""
    shard.ledger.home_of(ADDRESS, THEIRS)
    run = shard.open()
    shard.receive(run, "a", "b")
    host = run.engine.holdings.book.known_host(HOST)
    assert host in unlocated_hosts(run.engine)
    leave(run, host)
    assert host not in unlocated_hosts(run.engine)
    # met in steps, of which the last one comes after the host has moved
    page = run.engine.holdings.book.number(url("c"))[0]
    run.engine.control.journal.admit(links_to([page], [host]), 1000.0)
    assert host in unlocated_hosts(run.engine)
    assert handed_over(run) == [url("a"), url("b")]
    leave(run, host)
    assert handed_over(run) == [url("c")]
    assert host not in unlocated_hosts(run.engine)


def leave(run: ShardEngine, host: int) -> None:
    """As the loop does when a host is not found here."""
    assert locate(run) is None
    run.engine.control.journal.locate(host, None, 1000.0)
    HostReach(run.engine, lambda: 1000.0).heed_place(host, 1000.0)


@pytest.mark.parametrize(("found", "paced_by"), [("192.0.2.7", ADDRESS), (None, None)])
def test_a_host_that_was_moved_here_is_paced_by_the_address_it_was_moved_for(
    shard: Shard, found: str | None, paced_by: str | None
) -> None:
    """One whose address may not be contacted (the fetcher finds none) is not visited at all."""
    shard.ledger.move_host(Lease(THEIRS, 0, 1.0), HOST, OURS, ADDRESS)
    shard.ledger.home_of("192.0.2.7", THEIRS)
    run = shard.open()
    shard.receive(run, "a")
    assert locate(run, found) == paced_by


def test_while_the_ledger_is_away_a_host_waits_to_be_located(
    shard: Shard, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = shard.open()
    shard.receive(run, "a")
    tries = 0
    home_of = shard.ledger.home_of

    def away(address: str, own: int) -> int:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise StoreAway("ledger", "it is away")
        return home_of(address, own)

    monkeypatch.setattr(shard.ledger, "home_of", away)
    monkeypatch.setattr(seat_module, "AGAIN_S", 0.01)
    assert locate(run) == ADDRESS
    assert tries == 3
