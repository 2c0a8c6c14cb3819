"""What every store promises, asked of each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.postgres_server import fresh_store
from trapline.core.errors import UnknownPage
from trapline.core.links import LINK, Links
from trapline.core.records import Diff, Kind, Outcome, Page, Robots, Turn, Visit
from trapline.core.storage import (
    Batch,
    Call,
    Checkpoint,
    Counts,
    Held,
    HostRow,
    Store,
    UrlRow,
)
from trapline.stores.memory import MemoryStore
from trapline.stores.sqlite.store import SqliteStore

MAKERS: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": SqliteStore,
    "postgres": lambda _: fresh_store(),
}


@pytest.fixture(params=MAKERS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = MAKERS[request.param](tmp_path / "engine")
    yield made
    made.close()


def url(page: int) -> str:
    return f"http://h{page % 2}.example/{page}"


def names(pages: int, hosts: int = 2) -> Batch:
    return Batch(
        hosts=[
            HostRow(host, f"h{host}.example:80", f"http://h{host}.example/")
            for host in range(hosts)
        ],
        urls=[UrlRow(page, url(page), page % hosts) for page in range(pages)],
    )


def test_a_host_is_found_by_its_number(store: Store) -> None:
    store.commit(names(4))
    assert store.host(1) == HostRow(1, "h1.example:80", "http://h1.example/")
    with pytest.raises(UnknownPage):
        store.host(2)


def test_relevant_documents_are_counted(store: Store) -> None:
    store.commit(names(4))
    relevant = [replace(document(page), relevance=0.25 * page) for page in range(4)]
    store.commit(Batch(pages=relevant))
    assert [store.count_relevant(least) for least in (0.0, 0.5, 0.9)] == [4, 2, 0]
    store.commit(Batch(gone=[3]))
    assert store.count_relevant(0.5) == 1


def document(page: int, text: str = "some text", fetched_s: float = 1.0) -> Page:
    return Page(
        page,
        url(page),
        f"title {page}",
        text,
        0.25,
        -page - 1,
        '"etag"',
        "yesterday",
        fetched_s,
        1.0,
    )


def test_pages_are_counted_by_host(store: Store) -> None:
    assert store.pages_by_host() == {}
    store.commit(names(5, hosts=3))
    store.commit(Batch(pages=[document(0), document(1), document(3)]))
    store.commit(Batch(gone=[1]))
    assert store.pages_by_host() == {0: (2, 2), 1: (2, 0), 2: (1, 0)}


def some_links(*targets: int) -> Links:
    links = np.zeros(len(targets), LINK)
    links["page"] = targets
    links["host"] = [target % 2 for target in targets]
    links["anchor"] = 0.25
    links["tokens"][:, 1] = -7
    return links


def visit(number: int, page: int = 0, kind: Kind = Kind.PAGE) -> Visit:
    return Visit(
        number,
        page,
        0,
        kind,
        1.5,
        2.5,
        math.inf,
        Outcome.OK,
        200,
        True,
        0.5,
        "a remark",
    )


def test_an_empty_store_is_empty(store: Store) -> None:
    assert store.counts() == Counts(0, 0, 0, 0, 0)
    assert not store.hosts()
    assert not list(store.urls())
    assert not list(store.changes())
    assert not list(store.links())
    assert not store.visits()
    assert not list(store.history())
    assert store.held(0) is None
    assert store.page(0) is None
    assert store.note("anything") is None
    assert store.load_checkpoint() is None
    assert list(store.calls(0)) == []


def test_an_empty_batch_changes_nothing(store: Store) -> None:
    store.commit(Batch())
    assert store.counts() == Counts(0, 0, 0, 0, 0)


def test_hosts_and_urls_come_back_in_order(store: Store) -> None:
    batch = names(9)
    store.commit(batch)
    store.commit(Batch(urls=[UrlRow(9, url(9), 1)]))
    assert store.hosts() == batch.hosts
    assert list(store.urls()) == [*batch.urls, UrlRow(9, url(9), 1)]
    assert [row.page for row in store.urls(first=7)] == [7, 8, 9]
    assert store.url(9) == url(9)
    assert store.counts() == Counts(hosts=2, known=10, held=0, visits=0, revision=0)


def test_a_page_is_found_by_its_url(store: Store) -> None:
    store.commit(names(3))
    assert [store.number_of(url(page)) for page in range(4)] == [0, 1, 2, None]


def test_many_urls_are_read_whole(store: Store) -> None:
    store.commit(names(10_000))
    assert [row.page for row in store.urls(5)] == list(range(5, 10_000))


@pytest.mark.parametrize("page", [-1, 3, 10**12])
def test_the_url_of_an_unknown_page(store: Store, page: int) -> None:
    store.commit(names(3))
    with pytest.raises(UnknownPage):
        store.url(page)


def test_robots_of_new_and_old_hosts(store: Store) -> None:
    hosts = [HostRow(0, "a:80", "http://a/"), HostRow(1, "b:80", "http://b/")]
    said = Robots("Disallow: /x", 5.0, b"compiled")
    store.commit(Batch(hosts=hosts, robots=[(0, said)]))
    assert (store.hosts(), store.robots(0), store.robots(1)) == (hosts, said, None)
    store.commit(Batch(robots=[(1, Robots(None, math.inf))]))
    assert store.robots(1) == Robots(None, math.inf)
    store.commit(Batch(robots=[(0, Robots("", 9.0)), (0, Robots("later", 10.0))]))
    assert store.robots(0) == Robots("later", 10.0)


def test_a_document_comes_back_and_is_held(store: Store) -> None:
    store.commit(names(2))
    store.commit(Batch(pages=[document(1)]))
    assert store.page(1) == document(1)
    assert store.held(1) == Held('"etag"', "yesterday", -2, 1.0, 0.25)
    assert store.page(0) is None
    assert store.held(0) is None
    assert store.counts() == Counts(hosts=2, known=2, held=1, visits=0, revision=1)


def test_what_was_picked_out_of_a_document_comes_back(store: Store) -> None:
    store.commit(names(1))
    picked = replace(document(0), fields='{"price":"3 €"}', rules=-5)
    store.commit(Batch(pages=[picked]))
    assert store.page(0) == picked
    assert store.held(0) == Held.of(picked)
    store.commit(Batch(pages=[document(0)]))
    assert store.held(0) == Held.of(document(0)), "rules that are gone leave nothing"


def test_changes_name_each_page_once_with_its_newest_state(store: Store) -> None:
    store.commit(names(4))
    store.commit(Batch(pages=[document(0), document(1), document(2)]))
    store.commit(Batch(pages=[document(1, "new text"), document(3)], gone=[0]))
    changes = list(store.changes())
    assert [(change.revision, change.page) for change in changes] == [
        (3, 2),
        (4, 1),
        (5, 3),
        (6, 0),
    ]
    assert [change.document for change in changes] == [
        document(2),
        document(1, "new text"),
        document(3),
        None,
    ]
    assert [change.page for change in store.changes(after=4)] == [3, 0]
    assert list(store.changes(after=6)) == []
    assert store.counts().held == 3


def test_more_changes_than_fit_into_one_reading(store: Store) -> None:
    store.commit(names(1000))
    store.commit(Batch(pages=[document(page) for page in range(1000)]))
    assert [change.page for change in store.changes(after=10)] == list(range(10, 1000))


def test_changes_made_while_reading_are_for_the_next_reading(store: Store) -> None:
    store.commit(names(1000))
    store.commit(Batch(pages=[document(page) for page in range(1000)]))
    reading = store.changes()
    first = next(reading)
    store.commit(Batch(pages=[document(page, "new") for page in range(500)]))
    last = max(change.revision for change in reading)
    assert (first.page, last) == (0, 1000)
    assert [change.page for change in store.changes(after=last)] == list(range(500))


def test_gone_pages_are_no_longer_held_and_may_come_back(store: Store) -> None:
    store.commit(names(2))
    store.commit(Batch(pages=[document(0), document(1)]))
    store.commit(Batch(gone=[0]))
    assert (store.page(0), store.held(0), store.counts().held) == (None, None, 1)
    store.commit(Batch(gone=[0]))
    assert store.counts() == Counts(hosts=2, known=2, held=1, visits=0, revision=4)
    store.commit(Batch(pages=[document(0, "again")]))
    assert store.page(0) == document(0, "again")
    assert store.counts().held == 2


def test_a_page_never_held_leaves_a_tombstone_too(store: Store) -> None:
    store.commit(names(1))
    store.commit(Batch(gone=[0]))
    assert [(change.page, change.document) for change in store.changes()] == [(0, None)]
    assert store.counts().held == 0


def test_seen_sets_fetched_s_without_a_revision(store: Store) -> None:
    store.commit(names(2))
    store.commit(Batch(pages=[document(0, fetched_s=3.0)]))
    store.commit(Batch(seen=[(0, 8.0), (1, 8.0)]))
    assert store.page(0) == document(0, fetched_s=8.0)
    assert store.page(1) is None
    assert store.counts().revision == 1
    store.commit(Batch(seen=[(0, 5.0)]))  # the clock was wrong, and was set right
    assert store.page(0) == document(0, fetched_s=5.0)


def test_visits_newest_first(store: Store) -> None:
    store.commit(names(2))
    visits = [visit(1), visit(2, page=1), visit(4), visit(3, page=-1, kind=Kind.ROBOTS)]
    store.commit(Batch(visits=visits))
    assert store.visits() == [visits[2], visits[3], visits[1], visits[0]]
    assert store.visits(last=2) == [visits[2], visits[3]]
    assert store.visits(page=0, last=1) == [visits[2]]
    assert store.visits(page=1) == [visits[1]]
    assert store.first_visit(0) == visits[0]
    assert store.first_visit(7) is None
    assert store.counts().visits == 3


def test_the_history_is_oldest_first_and_whole(store: Store) -> None:
    store.commit(names(1))
    visits = [visit(number) for number in range(1, 10_000, 2)]
    store.commit(Batch(visits=visits[::-1]))
    assert list(store.history()) == visits
    assert list(store.history(after=5)) == visits[3:]


def test_links_come_back_as_they_were(store: Store) -> None:
    store.commit(names(3))
    said = {2: some_links(0, 1), 0: some_links(), 1: some_links(2)}
    store.commit(Batch(links=list(said.items())))
    found = list(store.links())
    assert [page for page, _ in found] == [0, 1, 2]
    for page, links in found:
        assert links.dtype == LINK
        assert links.tobytes() == said[page].tobytes()
    assert [page for page, _ in store.links(first=1)] == [1, 2]


def test_links_are_replaced_and_leave_with_their_page(store: Store) -> None:
    store.commit(names(3))
    store.commit(
        Batch(
            pages=[document(0), document(1)],
            links=[(0, some_links(1, 2)), (1, some_links(2))],
        )
    )
    store.commit(Batch(pages=[document(0, "new")], links=[(0, some_links(2))]))
    assert {page: links["page"].tolist() for page, links in store.links()} == {
        0: [2],
        1: [2],
    }
    store.commit(Batch(gone=[0]))
    assert [page for page, _ in store.links()] == [1]
    # it was moved: no longer held, but it leads somewhere
    store.commit(Batch(gone=[1], links=[(1, some_links(0))]))
    assert {page: links["page"].tolist() for page, links in store.links()} == {1: [0]}


def test_links_that_were_handed_over_may_be_written_into(store: Store) -> None:
    store.commit(names(2))
    links = some_links(1)
    store.commit(Batch(links=[(0, links)]))
    links["page"] = 5
    for _ in range(2):
        [(_, found)] = store.links()
        assert found["page"].tolist() == [1]
        found["page"] = 6


def test_links_of_many_pages_are_read_whole(store: Store) -> None:
    store.commit(names(1000))
    store.commit(Batch(links=[(page, some_links(page)) for page in range(1000)]))
    assert [int(links["page"][0]) for _, links in store.links(first=3)] == list(
        range(3, 1000)
    )


def test_notes_last_value_wins(store: Store) -> None:
    store.commit(Batch(notes={"a": "1", "b": "2"}))
    store.commit(Batch(notes={"a": "3"}))
    assert (store.note("a"), store.note("b"), store.note("c")) == ("3", "2", None)


REFUSED: dict[str, tuple[type[Exception], Batch]] = {
    "a visit number again": (ValueError, Batch(visits=[visit(8), visit(7)])),
    "a visit number twice": (ValueError, Batch(visits=[visit(8), visit(8)])),
    "a call number again": (ValueError, Batch(calls=[Call(2, "x"), Call(1, "x")])),
    "a page number again": (
        ValueError,
        Batch(urls=[UrlRow(1, "http://h0.example/other", 0)]),
    ),
    "a hole in the page numbers": (
        ValueError,
        Batch(urls=[UrlRow(3, "http://h0.example/other", 0)]),
    ),
    "a host number again": (ValueError, Batch(hosts=[HostRow(0, "c:80", "http://c/")])),
    "robots of nobody": (ValueError, Batch(robots=[(9, Robots(None, 1.0))])),
    "a document without URL": (UnknownPage, Batch(pages=[document(2)])),
    "a lost page without URL": (UnknownPage, Batch(gone=[2])),
    "links of a page without URL": (UnknownPage, Batch(links=[(2, some_links(0))])),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refused_batch_leaves_nothing(store: Store, case: str) -> None:
    store.commit(names(2))
    store.commit(
        Batch(
            pages=[document(0)],
            visits=[visit(7)],
            calls=[Call(1, "first")],
            notes={"a": "1"},
        )
    )
    before = store.counts()
    error, poison = REFUSED[case]
    good = Batch(
        hosts=[HostRow(2, "c:80", "http://c/")],
        urls=[UrlRow(2, url(2), 2)],
        pages=[document(0, "new"), document(1)],
        seen=[(0, 99.0)],
        links=[(0, some_links(1))],
        notes={"a": "2"},
    )
    if case.endswith("without URL"):
        good.urls = []
    batch = replace(
        good,
        hosts=good.hosts + poison.hosts,
        urls=poison.urls or good.urls,
        pages=good.pages + poison.pages,
        robots=poison.robots,
        gone=poison.gone,
        links=good.links + poison.links,
        visits=poison.visits,
        calls=poison.calls,
    )
    with pytest.raises(error):
        store.commit(batch)
    assert store.counts() == before
    assert store.page(0) == document(0)
    assert store.page(1) is None
    assert list(store.links()) == []
    assert store.note("a") == "1"
    assert len(store.hosts()) == 2 == len(list(store.urls()))
    assert store.visits() == [visit(7)]
    assert list(store.calls(0)) == [Call(1, "first")]
    store.commit(good)  # and the store is none the worse for it
    assert store.page(1) == document(1)


def test_a_checkpoint_comes_back_and_trims_the_journal(store: Store) -> None:
    calls = [Call(number, f"call {number}") for number in range(1, 11)]
    store.commit(Batch(calls=calls))
    assert list(store.calls(0)) == calls
    assert list(store.calls(7)) == calls[7:]
    cards = np.zeros(3, [("last", np.float64), ("worth", np.float32, (2,))])
    cards["worth"][1] = (1.5, -np.inf)
    arrays = {
        "cards": cards,
        "file": np.arange(5),
        "a/b": np.array(2.5),
        "none": np.empty((0, 2), np.int32),
    }
    as_saved = cards.tobytes()
    store.save_checkpoint(Checkpoint(6, arrays))
    cards["last"] = 7.0  # the controller goes on
    loaded = store.load_checkpoint()
    assert loaded is not None
    assert loaded.calls == 6
    assert loaded.arrays.keys() == arrays.keys()
    assert loaded.arrays["cards"].dtype == cards.dtype
    assert loaded.arrays["cards"].tobytes() == as_saved
    for name in ("file", "a/b", "none"):
        assert np.array_equal(loaded.arrays[name], arrays[name])
        assert loaded.arrays[name].dtype == arrays[name].dtype
    assert list(store.calls(0)) == calls[6:]


def test_the_newest_checkpoint_counts(store: Store) -> None:
    store.commit(Batch(calls=[Call(number, "") for number in range(1, 30)]))
    for calls in (9, 10, 21):
        store.save_checkpoint(Checkpoint(calls, {"x": np.array([calls])}))
    loaded = store.load_checkpoint()
    assert loaded is not None
    assert (loaded.calls, loaded.arrays["x"][0]) == (21, 21)
    assert [call.number for call in store.calls(0)] == list(range(22, 30))


def test_a_checkpoint_after_the_same_call_takes_the_place_of_the_last(
    store: Store,
) -> None:
    """Each run begins with one, for its settings may be others."""
    for value in (1.0, 2.0):
        store.save_checkpoint(Checkpoint(5, {"x": np.array([value])}))
    loaded = store.load_checkpoint()
    assert loaded is not None
    assert (loaded.calls, loaded.arrays["x"][0]) == (5, 2.0)


def test_what_was_loaded_may_be_written_into(store: Store) -> None:
    store.save_checkpoint(Checkpoint(0, {"x": np.zeros(2)}))
    for _ in range(2):
        loaded = store.load_checkpoint()
        assert loaded is not None
        array = loaded.arrays["x"]
        assert not array.any()
        array[0] = 1.0


def test_the_lines_of_the_last_change_are_kept(store: Store) -> None:
    store.commit(names(3))
    assert store.changed_lines(0) is None
    store.commit(Batch(diffs=[Diff(0, 1.0, Turn.NEW, 3)]))
    assert store.changed_lines(0) is None
    for at_s, lines in ((2.0, "- ä\n+ b"), (3.0, "+ c")):
        note = Diff(0, at_s, Turn.CHANGED, 1, 1, lines)
        store.commit(Batch(diffs=[note, Diff(1, at_s, Turn.NEW, 2)]))
        assert store.changed_lines(0) == (at_s, lines)
    assert store.changed_lines(1) is None
    store.commit(Batch(diffs=[Diff(0, 4.0, Turn.GONE, 0, 3)]))
    assert store.changed_lines(0) is None


def test_diffs_are_numbered_without_holes(store: Store) -> None:
    store.commit(names(3))
    first = [Diff(0, 1.0, Turn.NEW, added=7), Diff(1, 2.0, Turn.NEW)]
    store.commit(Batch(diffs=first))
    store.commit(
        Batch(diffs=[Diff(0, 3.0, Turn.CHANGED, 2, 1), Diff(1, 4.0, Turn.GONE)])
    )
    assert [number for number, _ in store.diffs()] == [1, 2, 3, 4]
    assert [diff for _, diff in store.diffs()][:2] == first
    assert store.newest_diff() == 4
    assert list(store.diffs(after=2)) == [
        (3, Diff(0, 3.0, Turn.CHANGED, 2, 1)),
        (4, Diff(1, 4.0, Turn.GONE)),
    ]
    with pytest.raises(UnknownPage):
        store.commit(Batch(diffs=[Diff(9, 5.0, Turn.NEW)]))


def test_simhashes_of_held_pages_that_have_one(store: Store) -> None:
    store.commit(names(4))
    pages = [
        replace(document(0), simhash=-5),
        replace(document(1), simhash=0),
        replace(document(2), simhash=7, same_as=0),
    ]
    store.commit(Batch(pages=pages))
    assert list(store.simhashes()) == [(0, -5, -1), (2, 7, 0)]
    assert store.page(2) == pages[2]
    store.commit(Batch(gone=[0]))
    assert list(store.simhashes()) == [(2, 7, 0)]


def test_pages_are_regrouped_with_a_new_revision(store: Store) -> None:
    store.commit(names(4))
    pages = [
        replace(document(0), simhash=5),
        replace(document(1), simhash=5, same_as=0),
        document(2),
    ]
    store.commit(Batch(pages=pages))
    assert store.copies(0) == [1]
    assert store.copies(-1) == store.copies(2) == []
    store.commit(Batch(gone=[0], same=[(1, -1), (3, 2)]))
    assert store.copies(0) == []
    newer = [
        (change.page, change.document and change.document.same_as)
        for change in store.changes(3)
    ]
    assert newer == [(0, None), (1, -1)]
    assert store.counts().revision == 6
    with pytest.raises(UnknownPage):
        store.commit(Batch(same=[(9, 0)]))


def versions(store: Store, page: int = 0) -> list[tuple[int, float, str | None]]:
    return [
        (version.number, version.at_s, store.version_text(page, version.number))
        for version in store.versions(page)
    ]


def edition(text: str, at_s: float, mark: int = 0) -> Page:
    """Page 0 with another text, first seen at a time."""
    fingerprint = mark or hash(text)
    return replace(document(0, text), changed_s=at_s, fingerprint=fingerprint)


def test_earlier_texts_of_a_page_are_kept_up_to_a_number(store: Store) -> None:
    store.commit(names(2))
    assert store.versions(0) == [] and store.version_text(0, 1) is None
    store.commit(Batch(pages=[edition("a", 1.0)]))
    assert versions(store) == [(1, 1.0, "a")]
    for at_s, text in enumerate("bcd", 2):
        store.commit(Batch(pages=[edition(text, at_s)], versions=2))
    assert versions(store) == [(2, 2.0, "b"), (3, 3.0, "c"), (4, 4.0, "d")]
    assert store.version_text(0, 1) is store.version_text(0, 5) is None
    assert store.versions(0)[0].title == "title 0"
    assert store.versions(0)[0].fingerprint == hash("b")
    assert versions(store, 1) == []
    store.commit(Batch(pages=[edition("e", 5.0)]))
    assert versions(store) == [(1, 5.0, "e")], "a store that keeps none drops them"


def test_what_is_written_again_without_a_change_is_no_version(store: Store) -> None:
    store.commit(names(1))
    store.commit(Batch(pages=[edition("a", 1.0)], versions=5))
    noisy = replace(edition("a, seen 7 times", 1.0), fetched_s=2.0)
    store.commit(Batch(pages=[noisy], seen=[(0, 3.0)], versions=5))
    assert versions(store) == [(1, 1.0, "a, seen 7 times")]
    again = replace(noisy, text="a, seen 8 times")
    store.commit(Batch(past=[noisy], pages=[again], versions=5))
    assert versions(store) == [(1, 1.0, "a, seen 8 times")]


def test_texts_replaced_in_one_batch_and_gone_pages_keep_their_past(
    store: Store,
) -> None:
    store.commit(names(1))
    store.commit(Batch(pages=[edition("a", 1.0)], versions=5))
    past = [edition("b", 2.0), edition("c", 3.0)]
    store.commit(Batch(past=past, pages=[edition("d", 4.0)], versions=5))
    assert [text for _, _, text in versions(store)] == ["a", "b", "c", "d"]
    store.commit(Batch(gone=[0], versions=5))
    assert [text for _, _, text in versions(store)] == ["a", "b", "c", "d"]
    assert store.page(0) is None
    store.commit(Batch(pages=[edition("d", 6.0)], versions=5))
    assert versions(store)[-2:] == [(4, 4.0, "d"), (5, 6.0, "d")]
    store.commit(Batch(gone=[0], forgotten=[0], versions=5))
    assert versions(store) == [], "a page that is forgotten leaves nothing"


def test_a_text_that_comes_back_is_stored_once(store: Store) -> None:
    """Also when the version that first had it is dropped."""
    store.commit(names(1))
    for at_s, text in enumerate("abababab", 1):
        store.commit(Batch(pages=[edition(text, at_s)], versions=3))
    assert versions(store) == [
        (5, 5.0, "a"),
        (6, 6.0, "b"),
        (7, 7.0, "a"),
        (8, 8.0, "b"),
    ]


def test_earlier_texts_take_so_many_bytes_at_most(store: Store) -> None:
    store.commit(names(1))
    rng = np.random.default_rng(1)
    for at_s in range(1, 7):
        noise = rng.integers(33, 126, 400_000, np.uint8).tobytes().decode()
        store.commit(Batch(pages=[edition(noise, at_s)], versions=100))
    assert 3 <= len(store.versions(0)) <= 5
    assert len(store.version_text(0, 4) or "") == 400_000


def test_who_is_failing_is_told_by_the_changes(store: Store) -> None:
    store.commit(names(3))
    assert store.failing() == {}
    failing = [Diff(page, 1.0, Turn.FAILING, remark="404 Not Found") for page in (0, 1)]
    store.commit(Batch(diffs=failing))
    store.commit(Batch(diffs=[Diff(0, 2.0, Turn.BACK), Diff(1, 2.0, Turn.CHANGED)]))
    store.commit(Batch(diffs=[Diff(2, 3.0, Turn.FAILING, remark="timeout")]))
    assert store.failing() == {1: "404 Not Found", 2: "timeout"}
    assert [diff.remark for _, diff in store.diffs(3)] == ["", "timeout"]
