"""What every store promises of link texts: what others call a page, counted by host, in bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.postgres_server import fresh_store
from trapline.core.errors import UnknownPage
from trapline.core.links import links_to
from trapline.core.records import Kind, Outcome, Page, Visit
from trapline.core.storage import Batch, HostRow, LinkText, Store, UrlRow
from trapline.stores.link_tallies import (
    MOST_ENTRIES,
    MOST_PAGES,
    MOST_SHOWN,
    MOST_TEXTS,
)
from trapline.stores.memory import MemoryStore
from trapline.stores.sqlite.store import SqliteStore

MAKERS: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": SqliteStore,
    "postgres": lambda _: fresh_store(),
}
TARGET = 0
VISIT = Visit(1, 0, 0, Kind.PAGE, 1.0, 2.0, 0.5, Outcome.OK, 200, True, 0.5)


@pytest.fixture(params=MAKERS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = MAKERS[request.param](tmp_path / "engine")
    yield made
    made.close()


def meet(store: Store, pages: int, hosts: int = 2) -> None:
    """Page n is on host n modulo `hosts`."""
    store.commit(
        Batch(
            hosts=[HostRow(n, f"h{n}:80", f"http://h{n}/") for n in range(hosts)],
            urls=[
                UrlRow(n, f"http://h{n % hosts}/{n}", n % hosts) for n in range(pages)
            ],
        )
    )


def document(page: int) -> Page:
    return Page(
        page, f"http://h{page % 2}/{page}", "title", "text", 1.0, 1, "", "", 1.0, 1.0
    )


def say(store: Store, page: int, *texts: str, target: int = TARGET) -> None:
    store.commit(Batch(texts=[(page, [(target, text) for text in texts])]))


def test_texts_are_counted_by_pages_and_hosts(store: Store) -> None:
    meet(store, 8)
    assert store.link_texts(TARGET) == []
    say(store, 1, "the Sun")
    say(store, 2, "the Sun", "our star")
    say(store, 3, "the Sun", "the Sun")
    assert store.link_texts(TARGET) == [
        LinkText("the Sun", pages=3, hosts=2),
        LinkText("our star", pages=1, hosts=1),
    ]
    assert store.link_texts(5) == []


def test_a_page_that_is_read_anew_is_not_counted_twice(store: Store) -> None:
    meet(store, 8)
    for texts in (["the Sun"], ["the Sun"], ["a star"], ["a star", "the Sun"]):
        say(store, 1, *texts)
        assert [(one.text, one.pages) for one in store.link_texts(TARGET)] == [
            (text, 1) for text in sorted(texts)
        ]


def test_texts_leave_with_their_page(store: Store) -> None:
    meet(store, 8)
    say(store, 1, "the Sun")
    say(store, 2, "the Sun")
    store.commit(Batch(gone=[1]))
    assert store.link_texts(TARGET) == [LinkText("the Sun", 1, 1)]
    # it is read anew, and calls nobody anything
    store.commit(Batch(links=[(2, links_to([TARGET], [0]))]))
    assert store.link_texts(TARGET) == []
    store.commit(Batch(gone=[1, 2]))
    assert store.link_texts(TARGET) == []


def test_a_page_that_moved_says_nothing_any_more(store: Store) -> None:
    meet(store, 8)
    say(store, 1, "the Sun")
    store.commit(Batch(gone=[1], links=[(1, links_to([5], [1]))]))
    assert store.link_texts(TARGET) == []


def test_what_a_host_repeats_counts_little_and_grows_nothing(store: Store) -> None:
    meet(store, 10_002)
    lie = [(TARGET, "best casino")]
    liars = range(1, 10_001, 2)  # all of host 1
    store.commit(Batch(texts=[(page, lie) for page in liars]))
    assert store.link_texts(TARGET) == [LinkText("best casino", MOST_PAGES, 1)]
    revision = store.counts().revision
    store.commit(Batch(texts=[(page, lie) for page in liars]))
    assert store.counts().revision == revision
    store.commit(Batch(gone=list(liars)))
    assert store.link_texts(TARGET) == []


def test_there_is_room_again_when_a_page_is_gone(store: Store) -> None:
    meet(store, 100)
    said = [(TARGET, "the Sun")]
    pages = list(range(1, 2 * MOST_PAGES + 2, 2))  # one too many, of host 1
    for _ in range(2):
        store.commit(Batch(texts=[(page, said) for page in pages]))
    store.commit(Batch(gone=pages[:2]))
    assert store.link_texts(TARGET) == [LinkText("the Sun", MOST_PAGES - 2, 1)]
    store.commit(Batch(texts=[(pages[-1], said)]))
    assert store.link_texts(TARGET) == [LinkText("the Sun", MOST_PAGES - 1, 1)]


def test_a_refused_batch_teaches_nothing(store: Store) -> None:
    meet(store, 100)
    said = [(TARGET, "the Sun")]
    many = range(1, 99, 2)
    with pytest.raises(ValueError, match=r"batch|twice"):
        store.commit(
            Batch(
                texts=[(page, said) for page in many],
                visits=[VISIT, VISIT],
            )
        )
    assert store.link_texts(TARGET) == []
    store.commit(Batch(texts=[(97, said)]))
    assert store.link_texts(TARGET) == [LinkText("the Sun", 1, 1)]


def test_a_host_has_few_texts_for_a_page(store: Store) -> None:
    meet(store, 10_000)
    store.commit(
        Batch(texts=[(page, [(TARGET, f"lie {page}")]) for page in range(1, 9_999, 2)])
    )
    assert len(store.link_texts(TARGET)) == MOST_TEXTS
    say(store, 2, "the Sun")
    say(store, 4, "the Sun")
    assert store.link_texts(TARGET)[0] == LinkText("the Sun", 2, 1)


def test_texts_of_many_hosts_are_bounded(store: Store) -> None:
    meet(store, 400, hosts=200)
    for page in range(1, 400):
        say(store, page, "the Sun", f"star {page}")
    found = store.link_texts(TARGET)
    assert len(found) == MOST_SHOWN
    assert found[0].text == "the Sun"
    assert MOST_ENTRIES / 3 < found[0].hosts <= MOST_ENTRIES


def test_a_change_is_reported_when_it_matters(store: Store) -> None:
    """At first, then whenever changes have doubled."""
    meet(store, 2_000)
    store.commit(Batch(pages=[document(TARGET)]))
    reported = []
    for page in range(1, 41):
        before = store.counts().revision
        say(store, page, f"text {page // 4}")
        changes = list(store.changes(before))
        assert [change.document for change in changes] in ([], [document(TARGET)])
        reported += [page] * len(changes)
    assert reported == [1, 2, 4, 8, 16, 32]


def test_flickering_texts_do_not_have_a_page_indexed_forever(store: Store) -> None:
    meet(store, 3)
    store.commit(Batch(pages=[document(TARGET)]))
    for turn in range(100):
        say(store, 1, f"{turn} comments")
    assert store.counts().revision < 12


def test_pages_that_are_not_held_or_just_written_get_no_revision(store: Store) -> None:
    meet(store, 8)
    say(store, 1, "the Sun")
    assert store.counts().revision == 0
    store.commit(Batch(pages=[document(TARGET)], texts=[(2, [(TARGET, "a star")])]))
    assert store.counts().revision == 1
    assert [change.page for change in store.changes()] == [TARGET]
    assert len(store.link_texts(TARGET)) == 2
    store.commit(Batch(gone=[TARGET], texts=[(3, [(TARGET, "gone"), (5, "x")])]))
    assert store.counts().revision == 2


@pytest.mark.parametrize(
    "text",
    [
        "a\0b",
        "\u202eesrever",
        "שמש",
        "x" * 300,
        "\x01\x1f\x7f\x85\u2028",
        "\r",
        "👩‍👩‍👧",
        "'\";--",
        "3",
        "",
        " ",
    ],
)
def test_odd_texts_come_back_as_they_were(store: Store, text: str) -> None:
    meet(store, 8)
    say(store, 1, text, "the Sun")
    say(store, 3, text)
    assert store.link_texts(TARGET)[0] == LinkText(text, 2, 1)
    store.commit(Batch(gone=[1, 3]))
    assert store.link_texts(TARGET) == []


@pytest.mark.parametrize("text", ["half \ud83d", "a\tb", "a\nb", "\n", "\t3\t"])
def test_texts_that_cannot_be_kept_stop_no_commit(store: Store, text: str) -> None:
    meet(store, 8)
    for _ in range(2):
        say(store, 1, text, "the Sun")
    assert store.link_texts(TARGET) == [LinkText("the Sun", 1, 1)]
    store.commit(Batch(gone=[1]))
    assert store.link_texts(TARGET) == []


@pytest.mark.parametrize(("page", "target"), [(9, 0), (0, 9), (-1, 0), (0, -1)])
def test_a_batch_with_texts_of_unknown_pages_is_refused(
    store: Store, page: int, target: int
) -> None:
    meet(store, 8)
    with pytest.raises(UnknownPage):
        store.commit(Batch(texts=[(1, [(2, "kept")]), (page, [(target, "the Sun")])]))
    assert store.link_texts(2) == []
