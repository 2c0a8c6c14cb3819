"""The collection: sees what is not committed yet, writes the last word once, loses nothing when a
commit fails.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest

from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.links import links_to
from trapline.core.records import Kind, Outcome, Page, Robots, Visit
from trapline.core.storage import Batch, Call, Held
from trapline.search.index import FullTextIndex
from trapline.search.query_language import read_query
from trapline.stores.memory import MemoryStore

VISIT = Visit(1, 0, 0, Kind.PAGE, 1.0, 2.0, 0.5, Outcome.OK, 200, True, 0.5)


class WatchedStore(MemoryStore):
    """A store whose commits can be seen, made to fail or kept waiting."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[Batch] = []
        self.failures = 0
        self.began, self.go_on = Event(), Event()
        self.go_on.set()

    def commit(self, batch: Batch) -> None:
        self.began.set()
        assert self.go_on.wait(10)
        if self.failures:
            self.failures -= 1
            raise OSError("disk full")
        super().commit(batch)
        self.batches.append(batch)


class Scene:
    def __init__(self, index: FullTextIndex | None = None) -> None:
        self.store = WatchedStore()
        self.book = HashUrlBook(1, self.store.url)
        self.collection = Collection(self.store, self.book, index)

    def page(self, name: str, text: str = "text", fetched_s: float = 1.0) -> Page:
        url = f"http://a/{name}"
        return Page(
            self.book.number(url)[0],
            url,
            "title",
            text,
            0.5,
            7,
            "etag",
            "lm",
            fetched_s,
            1.0,
        )


@pytest.fixture
def scene() -> Scene:
    return Scene()


def test_one_batch_holds_everything_gathered(scene: Scene) -> None:
    page = scene.page("0")
    other = scene.page("1")
    robots = Robots("Disallow:", 9.0)
    scene.collection.add(page)
    scene.collection.note_visit(VISIT)
    scene.collection.note_call(Call(1, "settle"))
    scene.collection.note("k", "v")
    scene.collection.note_robots(0, robots)
    scene.collection.note_gone(other.page)
    scene.collection.flush()
    (batch,) = scene.store.batches
    assert (batch.pages, batch.gone, batch.visits) == ([page], [other.page], [VISIT])
    assert (batch.calls, batch.notes, batch.robots) == (
        [Call(1, "settle")],
        {"k": "v"},
        [(0, robots)],
    )
    assert [row.url for row in batch.urls] == [page.url, other.url]
    assert [row.name for row in batch.hosts] == ["a:80"]
    assert scene.book.url(0) == page.url  # by way of the store now


def test_links_go_with_their_page_and_the_last_word_counts(scene: Scene) -> None:
    first = scene.page("0")
    second = scene.page("1")
    for page in (first, second):
        scene.collection.add(page)
        scene.collection.note_links(page.page, links_to([0, 1], [0, 0]))
    scene.collection.note_links(first.page, links_to([1], [0]))
    scene.collection.note_gone(second.page)
    scene.collection.flush()
    assert {page: links["page"].tolist() for page, links in scene.store.links()} == {
        first.page: [1]
    }
    scene.collection.note_gone(first.page)
    scene.collection.note_links(first.page, links_to([], []))
    scene.collection.flush()
    assert [(page, len(links)) for page, links in scene.store.links()] == [
        (first.page, 0)
    ]


def test_nothing_gathered_nothing_written(scene: Scene) -> None:
    assert scene.collection.seal() is False
    scene.collection.flush()
    assert scene.store.batches == []


def test_held_sees_what_is_not_committed(scene: Scene) -> None:
    page = scene.page("0")
    assert scene.collection.held(0) is None
    scene.collection.add(page)
    assert scene.collection.held(0) == Held("etag", "lm", 7, 1.0, 0.5)
    assert scene.store.held(0) is None
    scene.collection.seal()
    assert scene.collection.held(0) is not None
    scene.collection.flush()
    assert scene.collection.held(0) == scene.store.held(0) != None  # noqa: E711
    scene.collection.note_gone(0)
    assert scene.collection.held(0) is None
    scene.collection.flush()
    assert scene.collection.held(0) is None
    assert not scene.collection._fresh


def test_the_last_word_on_a_page_is_written(scene: Scene) -> None:
    first = scene.page("0", "first")
    scene.collection.add(first)
    scene.collection.note_gone(0)
    scene.collection.add(scene.page("0", "last"))
    lost = scene.page("1")
    scene.collection.add(lost)
    scene.collection.note_current(lost.page, 5.0)
    scene.collection.note_gone(lost.page)
    scene.collection.flush()
    (batch,) = scene.store.batches
    assert [page.text for page in batch.pages] == ["last"]
    assert (batch.gone, batch.seen) == ([lost.page], [])


def test_seen_reaches_the_store(scene: Scene) -> None:
    scene.collection.add(scene.page("0", fetched_s=1.0))
    scene.collection.note_current(0, 4.0)
    scene.collection.flush()
    scene.collection.note_current(0, 6.0)
    assert scene.collection.held(0) is not None
    scene.collection.flush()
    document = scene.store.page(0)
    assert document is not None
    assert document.fetched_s == 6.0
    assert scene.store.counts().revision == 1


def test_a_failed_commit_is_tried_again_and_keeps_its_order(scene: Scene) -> None:
    scene.collection.add(scene.page("0", "old"))
    scene.store.failures = 1
    with pytest.raises(OSError, match="disk full"):
        scene.collection.flush()
    assert scene.collection.held(0) is not None
    assert scene.book.url(0) == "http://a/0"
    scene.collection.add(scene.page("0", "new"))
    scene.collection.seal()
    scene.collection.flush()
    assert [batch.pages[0].text for batch in scene.store.batches] == ["old", "new"]
    document = scene.store.page(0)
    assert document is not None
    assert document.text == "new"


def test_gathering_goes_on_while_a_worker_writes(scene: Scene) -> None:
    scene.collection.add(scene.page("0", "old"))
    scene.collection.seal()
    scene.store.go_on.clear()
    worker = Thread(target=scene.collection.flush)
    worker.start()
    assert scene.store.began.wait(10)
    scene.collection.add(replace(scene.page("0", "new"), etag="new"))
    scene.collection.add(scene.page("1"))
    scene.store.go_on.set()
    worker.join(10)
    assert [page.text for page in scene.store.batches[0].pages] == ["old"]
    held = scene.collection.held(0)
    assert held is not None
    assert held.etag == "new", "the newer word was forgotten with the older one"
    assert scene.book.url(1) == "http://a/1"
    scene.collection.flush()
    assert [page.text for page in scene.store.batches[1].pages] == ["new", "text"]


def test_a_sealed_batch_is_not_mixed_with_what_comes_after(scene: Scene) -> None:
    scene.collection.add(scene.page("0"))
    assert scene.collection.seal() is True
    scene.collection.note_visit(VISIT)  # half an observation
    scene.collection.flush()
    assert len(scene.store.batches) == 1
    assert scene.store.batches[0].visits == []


def test_half_characters_do_not_poison_the_store(scene: Scene) -> None:
    page = replace(
        scene.page("0"),
        etag="\udcff",
        title="\ud800",
        last_modified="\udcff",
        text="a\ud800",
    )
    scene.collection.add(page)
    scene.collection.note_visit(replace(VISIT, remark="\udcff"))
    scene.collection.note_robots(0, Robots("\udcff", 1.0))
    scene.collection.note_robots(0, Robots(None, 1.0))
    scene.collection.flush()
    (batch,) = scene.store.batches
    (clean,) = batch.pages
    assert (clean.etag, clean.title, clean.last_modified, clean.text) == (
        "?",
        "?",
        "?",
        "a?",
    )
    assert batch.visits[0].remark == "?"
    assert [robots.text for _, robots in batch.robots] == ["?", None]


def test_the_index_follows_what_is_committed(tmp_path: Path) -> None:
    index = FullTextIndex(tmp_path)
    scene = Scene(index)
    scene.collection.add(scene.page("0", "a zebra"))
    scene.collection.update_index()
    assert index.rank(read_query("zebra")).total == 0
    scene.collection.flush()
    assert scene.collection.update_index() is True
    assert index.rank(read_query("zebra")).total == 1
    assert scene.collection.update_index() is False
    assert Scene().collection.update_index() is False


def test_nothing_is_sealed_while_an_observation_is_noted_in_parts(scene: Scene) -> None:
    scene.collection.note_call(Call(1, "before"))
    scene.collection.seal()
    scene.collection.hold(True)
    scene.collection.note_call(Call(2, "first part"))
    assert not scene.collection.seal()
    scene.collection.flush()
    scene.collection.flush()
    scene.collection.note_call(Call(3, "second part"))
    scene.collection.hold(False)  # a seal was wanted, so it is made now
    scene.collection.note_call(Call(4, "after"))
    scene.collection.flush()
    numbers = [[call.number for call in batch.calls] for batch in scene.store.batches]
    assert numbers == [[1], [2, 3]]


def test_texts_replaced_between_two_commits_are_versions_too(scene: Scene) -> None:
    collection = Collection(scene.store, scene.book, versions=9)
    for at_s, text in enumerate("abc", 1):
        page = replace(scene.page("x", text), changed_s=float(at_s))
        collection.add(replace(page, fingerprint=at_s))
        collection.add(replace(page, fingerprint=at_s, etag="another"))
    collection.flush()
    kept = [
        scene.store.version_text(0, version.number)
        for version in scene.store.versions(0)
    ]
    assert kept == ["a", "b", "c"]
    collection.note_forgotten(0)
    collection.flush()
    assert scene.store.versions(0) == []


def test_a_collection_keeps_no_past_unless_it_is_told_to(scene: Scene) -> None:
    for at_s, text in enumerate("abc", 1):
        page = scene.page("x", text)
        scene.collection.add(replace(page, changed_s=float(at_s)))
        scene.collection.flush()
    assert len(scene.store.versions(0)) == 1
