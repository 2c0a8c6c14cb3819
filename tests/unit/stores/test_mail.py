"""Letters that leave and arrive with batches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres_server import OnlyStore, fresh_store
from trapline.core.errors import Fenced
from trapline.core.ledger import Letter, Posting
from trapline.core.storage import Batch, Call, HostRow, UrlRow
from trapline.ledgers.postgres.ledger import PostgresLedger
from trapline.stores.postgres.store import PostgresStore
from trapline.stores.sqlite.store import SqliteStore

KNOWN = Batch(
    hosts=[HostRow(0, "a:80", "http://a/")], urls=[UrlRow(0, "http://a/0", 0)]
)
POSTED = [Posting(1, b"one"), Posting(2, b"two"), Posting(1, b"three")]
OWN = 3  # the shard of `fresh_store`
# a page that nobody knows: the batch contradicts the store
IMPOSSIBLE = [(99, 1.0)]


# a folder: letters wait in the store


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path)
    store.commit(KNOWN)
    yield store
    store.close()


def test_a_folder_keeps_letters_until_they_are_handed_on(sqlite: SqliteStore) -> None:
    sqlite.commit(Batch(postings=POSTED[:2], read=[7, 8]))
    sqlite.commit(Batch(postings=POSTED[2:], read=[8, 9]))
    outbox = sqlite.outbox()
    assert [posting for _, posting in outbox] == POSTED
    numbers = [number for number, _ in outbox]
    assert numbers == sorted(numbers)
    assert sqlite.read_letters() == [7, 8, 9]
    sqlite.clear_mail(numbers[1], [7, 9])
    assert sqlite.outbox() == outbox[2:]
    assert sqlite.read_letters() == [8]


def test_numbers_of_letters_are_never_given_twice(sqlite: SqliteStore) -> None:
    """The ledger tells by them what it has already."""
    sqlite.commit(Batch(postings=POSTED))
    last = sqlite.outbox()[-1][0]
    sqlite.clear_mail(last, [])
    assert sqlite.outbox() == []
    sqlite.commit(Batch(postings=POSTED[:1]))
    assert sqlite.outbox()[0][0] > last


def test_letters_survive_the_end_of_the_process(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.commit(Batch(postings=POSTED, read=[5]))
    before = store.outbox()
    store.close()
    store = SqliteStore(tmp_path)
    assert store.outbox() == before
    assert store.read_letters() == [5]
    store.close()


def test_a_batch_that_is_refused_leaves_no_letter(sqlite: SqliteStore) -> None:
    with pytest.raises(Exception, match="99"):
        sqlite.commit(Batch(postings=POSTED, read=[5], seen=IMPOSSIBLE))
    assert sqlite.outbox() == []
    assert sqlite.read_letters() == []


# PostgreSQL: letters lie in the ledger when the batch is written


@pytest.fixture
def postgres() -> Iterator[OnlyStore]:
    store = fresh_store(OWN)
    store.commit(KNOWN)
    yield store
    store.close()


def letters(store: OnlyStore, shard: int) -> list[Letter]:
    return PostgresLedger(store._database).letters(shard, 99)


def test_letters_are_posted_with_the_batch(postgres: OnlyStore) -> None:
    postgres.commit(Batch(postings=POSTED))
    first, second = letters(postgres, 1)
    assert (first.sender, first.body, second.body) == (OWN, b"one", b"three")
    assert first.number < second.number
    assert [letter.body for letter in letters(postgres, 2)] == [b"two"]


def test_letters_are_struck_with_the_batch(postgres: OnlyStore) -> None:
    postgres.commit(Batch(postings=[Posting(OWN, b"x"), Posting(OWN, b"y")]))
    first, second = letters(postgres, OWN)
    with pytest.raises(Exception, match="99"):
        postgres.commit(Batch(read=[first.number], seen=IMPOSSIBLE))
    assert letters(postgres, OWN) == [first, second]
    postgres.commit(Batch(read=[first.number]))
    assert letters(postgres, OWN) == [second]


def test_a_shard_strikes_its_own_letters_only(postgres: OnlyStore) -> None:
    postgres.commit(Batch(postings=POSTED))
    others = letters(postgres, 1)
    postgres.commit(Batch(read=[letter.number for letter in others]))
    assert letters(postgres, 1) == others


def test_a_batch_that_is_refused_posts_nothing(postgres: OnlyStore) -> None:
    with pytest.raises(Exception, match="99"):
        postgres.commit(Batch(postings=POSTED, seen=IMPOSSIBLE))
    assert letters(postgres, 1) == []


def test_an_owner_of_before_posts_and_strikes_nothing(postgres: OnlyStore) -> None:
    postgres.commit(Batch(postings=[Posting(OWN, b"x")]))
    [waiting] = letters(postgres, OWN)
    assert postgres._epoch is not None
    former = PostgresStore(postgres._database, OWN, postgres._epoch - 1)
    with pytest.raises(Fenced):
        former.commit(
            Batch(postings=POSTED, read=[waiting.number], calls=[Call(1, "x")])
        )
    assert letters(postgres, OWN) == [waiting]
    assert letters(postgres, 1) == []
    assert list(postgres.calls(0)) == []


def test_a_batch_that_was_written_unheard_posts_once(postgres: OnlyStore) -> None:
    """The server did it all, and its answer got lost: the same batch comes again."""
    batch = Batch(postings=POSTED, calls=[Call(1, "x")])
    postgres.commit(batch)
    postgres._tried = batch
    postgres.commit(batch)
    assert len(letters(postgres, 1)) == 2
    assert [call.number for call in postgres.calls(0)] == [1]
