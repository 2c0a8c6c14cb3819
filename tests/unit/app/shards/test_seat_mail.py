"""Letters between shards whose stores are files of their own: each arrives once, wherever a kill
falls.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import trapline.app.shards.seat as seat_module
from trapline.app.shards.seat import Seat
from trapline.cluster.letters import MailedLinks, pack_letter, unpack_letter
from trapline.cluster.partition import Partition, home_shard
from trapline.cluster.tenure import Tenure
from trapline.core.errors import Fenced
from trapline.core.ledger import Founding, Lease, Letter, MovedHost, Posting
from trapline.core.links import LINK
from trapline.core.storage import Batch
from trapline.ledgers.sqlite.ledger import SqliteLedger
from trapline.live.reader_processes import ReaderProcesses
from trapline.stores.sqlite.store import SqliteStore

OURS, THEIRS = 0, 1
HOSTS = [f"site{n}.example:80" for n in range(50)]


class Crawl:
    """Two shards; an owner may be replaced at any moment, as after a kill."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.ledger = SqliteLedger(folder)
        self.ledger.establish(Founding(2, "{}", 2.0))
        self.stores: dict[int, SqliteStore] = {}
        self.leases: dict[int, Lease] = {}
        for shard in (OURS, THEIRS):
            self.own(shard)

    def own(self, shard: int) -> Seat:
        """As a new owner."""
        if shard in self.stores:
            self.stores[shard].close()
            self.ledger.release("w", shard, self.leases[shard].epoch)
        (lease,) = self.ledger.claim("w", 1)
        assert lease.shard == shard
        self.leases[shard] = lease
        self.stores[shard] = SqliteStore(self._folder / str(shard))
        partition = Partition(2, shard)
        partition.learn(self.ledger.moved_hosts(0))
        readers = ReaderProcesses(0)
        store = self.stores[shard]
        seat = Seat(lease, Tenure(), partition, self.ledger, readers, store)
        seat.hand_on_now()
        return seat

    def waiting(self) -> list[bytes]:
        return [letter.body for letter in self.ledger.letters(THEIRS, 9)]

    def close(self) -> None:
        for store in self.stores.values():
            store.close()
        self.ledger.close()


@pytest.fixture
def crawl(tmp_path: Path) -> Iterator[Crawl]:
    made = Crawl(tmp_path)
    yield made
    made.close()


def letter(*urls: str) -> bytes:
    count = len(urls)
    links = np.zeros(count, LINK)
    worths = np.ones(count, np.float32)
    return pack_letter(MailedLinks(urls, links, worths, np.ones(count, np.uint8)))


@pytest.mark.parametrize("killed", ["before", "after the ledger", "after all"])
def test_a_letter_leaves_once(crawl: Crawl, killed: str) -> None:
    store = crawl.stores[OURS]
    store.commit(Batch(postings=[Posting(THEIRS, b"1"), Posting(THEIRS, b"2")]))
    if killed != "before":
        epoch = crawl.leases[OURS].epoch
        crawl.ledger.exchange(OURS, epoch, store.outbox(), [])
    if killed == "after all":
        store.clear_mail(store.outbox()[-1][0], [])
    crawl.own(OURS)
    assert crawl.waiting() == [b"1", b"2"]
    assert crawl.stores[OURS].outbox() == []
    # numbers only grow: the next one is not taken for one of these
    crawl.stores[OURS].commit(Batch(postings=[Posting(THEIRS, b"3")]))
    crawl.own(OURS)
    assert crawl.waiting() == [b"1", b"2", b"3"]


@pytest.mark.parametrize("killed", ["before", "after the ledger", "after all"])
def test_a_letter_that_was_read_is_not_read_again(crawl: Crawl, killed: str) -> None:
    sender = crawl.stores[OURS]
    sender.commit(Batch(postings=[Posting(THEIRS, b"1"), Posting(THEIRS, b"2")]))
    crawl.own(OURS)
    first, second = crawl.ledger.letters(THEIRS, 9)
    receiver = crawl.stores[THEIRS]
    receiver.commit(Batch(read=[first.number]))
    if killed != "before":
        epoch = crawl.leases[THEIRS].epoch
        crawl.ledger.exchange(THEIRS, epoch, [], receiver.read_letters())
    if killed == "after all":
        receiver.clear_mail(0, [first.number])
    crawl.own(THEIRS)
    assert crawl.waiting() == [second.body]
    assert crawl.stores[THEIRS].read_letters() == []


def test_an_owner_of_before_hands_nothing_on(crawl: Crawl) -> None:
    crawl.stores[OURS].commit(Batch(postings=[Posting(THEIRS, b"1")]))
    old = crawl.leases[OURS]
    outbox = crawl.stores[OURS].outbox()
    crawl.ledger.release("w", OURS, old.epoch)
    crawl.ledger.claim("x", 1)
    with pytest.raises(Fenced):
        crawl.ledger.exchange(OURS, old.epoch, outbox, [])
    assert crawl.waiting() == []


def test_links_to_a_host_that_has_moved_go_on_to_its_home(crawl: Crawl) -> None:
    """And no further: its home knows that it has moved there."""
    name = next(host for host in HOSTS if home_shard(host, 2) == OURS)
    url = f"http://{name.removesuffix(':80')}/"
    crawl.ledger.move_host(crawl.leases[OURS], name, THEIRS, "192.0.2.1")
    ours = crawl.own(OURS)
    sent = crawl.ledger.letters(OURS, 9)
    assert sent == []
    crawl.stores[THEIRS].commit(Batch(postings=[Posting(OURS, letter(url))]))
    crawl.own(THEIRS)
    (arrived,) = crawl.ledger.letters(OURS, 9)
    assert ours.open_letter(arrived).urls == ()
    (passed_on,) = ours.outgoing.take()
    assert passed_on.receiver == THEIRS
    assert unpack_letter(passed_on.body).urls == (url,)
    theirs = crawl.own(THEIRS)
    assert theirs.partition.move_of(name) == MovedHost(1, name, THEIRS, "192.0.2.1")
    assert theirs.open_letter(arrived._replace(body=passed_on.body)).urls == (url,)
    assert theirs.outgoing.take() == []


def test_a_letter_is_taken_once_though_others_push_in_before_it(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In PostgreSQL numbers are given before transactions end, and these end in any order."""
    monkeypatch.setattr(seat_module, "UNSAVED", 2)
    seat = crawl.own(THEIRS)
    there: list[Letter] = []

    def read_letters(_: int, most: int) -> list[Letter]:
        return sorted(there)[:most]

    def take() -> list[int]:
        letters = asyncio.run(seat.letters())
        for one in letters:
            seat.open_letter(one)
        return [one.number for one in letters]

    monkeypatch.setattr(crawl.ledger, "letters", read_letters)
    early, middle, late = (Letter(number, OURS, letter()) for number in (1, 2, 3))
    there += [early, late]
    assert take() == [1, 3]
    there.append(middle)
    assert take() == [2]
    there.remove(early)  # struck, with the batch that it was read in
    assert take() == []
    there.clear()
    assert take() == []
    assert seat.taken == set()


def test_letters_are_read_faster_than_they_are_saved_and_no_more_than_fit(
    crawl: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With many shards each sends a letter with each of its batches."""
    monkeypatch.setattr(seat_module, "AT_ONCE", 3)
    monkeypatch.setattr(seat_module, "UNSAVED", 8)
    sent = [Posting(THEIRS, letter()) for _ in range(20)]
    crawl.stores[OURS].commit(Batch(postings=sent))
    crawl.own(OURS)
    seat = crawl.own(THEIRS)

    def take() -> int:
        letters = asyncio.run(seat.letters())
        for one in letters:
            seat.open_letter(one)
        return len(letters)

    def save() -> None:
        crawl.stores[THEIRS].commit(Batch(read=list(seat.taken)))
        asyncio.run(seat.exchange())

    assert [take() for _ in range(4)] == [3, 3, 2, 0]
    save()
    assert [take() for _ in range(4)] == [3, 3, 2, 0]
    save()
    assert [take() for _ in range(3)] == [3, 1, 0]
    save()
    assert take() == 0 and seat.taken == set()
