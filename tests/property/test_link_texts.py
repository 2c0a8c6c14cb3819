"""After any history of visits, what others call a page is what a recount finds; and where numbers
are bounded, never more than that.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trapline.core.links import LinkTexts
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, LinkText, Store, UrlRow
from trapline.stores.link_tallies import MOST_PAGES, MOST_SHOWN
from trapline.stores.memory import MemoryStore
from trapline.stores.sqlite.store import SqliteStore

HOSTS = 3
# of a host fewer than are counted, so that nothing is left out
FEW_PAGES = HOSTS * MOST_PAGES
MANY_PAGES = HOSTS * (MOST_PAGES + 4)
TARGETS = 3

Said = dict[int, LinkTexts]  # by page
# what pages of a batch say; None = the page is gone
History = list[dict[int, list[tuple[int, str]] | None]]


def histories(pages: int, texts: int) -> st.SearchStrategy[History]:
    text = st.sampled_from("abcdefghijklmnopqrstuvwxyz"[:texts])
    said = st.lists(st.tuples(st.integers(0, TARGETS - 1), text), max_size=6)
    step = st.dictionaries(st.integers(0, pages - 1), st.none() | said, max_size=pages)
    return st.lists(step, max_size=8)


def begin(store: Store, pages: int) -> None:
    store.commit(
        Batch(
            hosts=[HostRow(n, f"h{n}:80", f"http://h{n}/") for n in range(HOSTS)],
            urls=[UrlRow(n, url_of(n), n % HOSTS) for n in range(pages)],
            pages=[
                Page(n, url_of(n), "", "words", 1.0, 1, "", "", 1.0, 1.0)
                for n in range(TARGETS)
            ],
        )
    )


def url_of(page: int) -> str:
    return f"http://h{page % HOSTS}/{page}"


def replay(store: Store, history: History) -> Said:
    """Commit it all; returns what each page says in the end."""
    now: Said = {}
    for step in history:
        gone = [page for page, said in step.items() if said is None]
        texts: list[tuple[int, LinkTexts]] = [
            (page, said) for page, said in step.items() if said is not None
        ]
        store.commit(Batch(gone=gone, texts=texts))
        now.update(texts)
        for page in gone:
            now.pop(page, None)
    return now


def recount(said: Said, target: int) -> list[LinkText]:
    """By hand, without bounds."""
    users = {
        (text, page)
        for page, texts in said.items()
        for to, text in texts
        if to == target
    }
    pages = Counter(text for text, _ in users)
    hosts = Counter(text for text, _ in {(text, page % HOSTS) for text, page in users})
    found = [LinkText(text, count, hosts[text]) for text, count in pages.items()]
    return sorted(found, key=lambda one: (-one.pages, -one.hosts, one.text))


def in_both(pages: int, check: Callable[[Store], None]) -> None:
    with tempfile.TemporaryDirectory() as place:
        for store in (MemoryStore(), SqliteStore(Path(place))):
            begin(store, pages)
            check(store)
            store.close()


QUICK = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


@QUICK
@given(histories(FEW_PAGES, texts=5))
def test_tallies_are_what_a_recount_finds(history: History) -> None:
    def check(store: Store) -> None:
        said = replay(store, history)
        for target in range(TARGETS):
            assert store.link_texts(target) == recount(said, target)

    in_both(FEW_PAGES, check)


@QUICK
@given(histories(MANY_PAGES, texts=26))
def test_tallies_beyond_the_bounds_are_never_too_high(history: History) -> None:
    def check(store: Store) -> None:
        said = replay(store, history)
        for target in range(TARGETS):
            truth = {one.text: one for one in recount(said, target)}
            found = store.link_texts(target)
            assert len(found) <= MOST_SHOWN
            for one in found:
                assert 0 < one.pages <= truth[one.text].pages
                assert one.pages <= one.hosts * MOST_PAGES
                assert 0 < one.hosts <= truth[one.text].hosts
        # nothing that was counted is left when all pages are gone
        store.commit(Batch(gone=list(range(MANY_PAGES))))
        assert not any(store.link_texts(target) for target in range(TARGETS))

    in_both(MANY_PAGES, check)


@QUICK
@given(histories(MANY_PAGES, texts=26))
def test_both_stores_count_and_report_the_same(history: History) -> None:
    with tempfile.TemporaryDirectory() as place:
        memory = MemoryStore()
        store = SqliteStore(Path(place))
        for one in (memory, store):
            begin(one, MANY_PAGES)
        for step in history:
            for one in (memory, store):
                replay(one, [step])
            assert store.counts() == memory.counts()
            assert list(store.changes()) == list(memory.changes())
            for target in range(TARGETS):
                assert store.link_texts(target) == memory.link_texts(target)
        store.close()
