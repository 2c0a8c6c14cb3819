"""Letting go of another shard's hosts in PostgreSQL: in portions, for while one of them holds the
fence the lease cannot be renewed.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.contract.test_stores import document, names, visit
from tests.postgres_server import OnlyStore, fresh_store
from trapline.core.storage import Batch
from trapline.stores.postgres import shedding

PAGES = 7


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> Iterator[OnlyStore]:
    monkeypatch.setattr(shedding, "PORTION", 2)
    made = fresh_store()
    made.commit(names(PAGES))
    made.commit(
        Batch(
            pages=[document(page) for page in range(PAGES)],
            visits=[visit(number, page=number) for number in range(PAGES)],
        )
    )
    yield made
    made.close()


def count_fences(store: OnlyStore, patch: pytest.MonkeyPatch) -> list[int]:
    taken = []
    fence = store._fence

    def fence_counted(cursor: object) -> None:
        taken.append(1)
        fence(cursor)

    patch.setattr(store, "_fence", fence_counted)
    return taken


def test_each_portion_has_a_transaction_of_its_own(
    store: OnlyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = count_fences(store, monkeypatch)
    store.give_away([1])
    assert len(taken) == 8  # four of pages, four of visits
    counts = store.counts()
    assert (counts.held, counts.visits, counts.revision) == (4, PAGES, PAGES + 3)
    assert store.pages_by_host() == {0: (4, 4), 1: (3, 0)}
    assert [store.held(page) is not None for page in range(PAGES)] == [
        page % 2 == 0 for page in range(PAGES)
    ]


def test_visits_go_with_their_host(store: OnlyStore) -> None:
    store.give_away([0])
    assert store.counts().visits == 0
    assert not store.visits()


def test_who_dies_on_the_way_begins_anew(
    store: OnlyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch, pytest.raises(StopIteration):
        steps = iter(range(2))
        patch.setattr(store, "_fence", lambda _: next(steps))
        store.give_away([1])
    assert store.counts().held < PAGES
    for _ in range(2):
        store.give_away([1])
        counts = store.counts()
        assert (counts.held, counts.visits, counts.revision) == (4, PAGES, PAGES + 3)


def test_a_store_without_pages_has_nothing_to_let_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    empty = fresh_store()
    empty.give_away([1])
    assert empty.counts().known == 0
    empty.close()
