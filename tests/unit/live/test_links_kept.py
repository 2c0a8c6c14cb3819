"""Links go into the store with the page that shows them, and leave with it."""

from __future__ import annotations

from typing import Any

from trapline.collection.collection import Collection
from trapline.collection.duplicates import Duplicates
from trapline.collection.url_book import HashUrlBook
from trapline.core.records import Fetched, Kind, Ticket, Turn
from trapline.core.storage import Batch
from trapline.live.digest import Digester
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.scope.gate import Gate
from trapline.search.index import FullTextIndex
from trapline.search.query_language import read_query
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Question
from trapline.stores.memory import MemoryStore
from trapline.topic.topic import Topic

HOME = "http://a.test/"


class CountingStore(MemoryStore):
    links_written = 0

    def commit(self, batch: Batch) -> None:
        self.links_written += len(batch.links)
        super().commit(batch)


class Scene:
    """A digester without a robot: answers are handed in."""

    def __init__(self) -> None:
        self.store = CountingStore()
        self.book = HashUrlBook(1, self.store.url)
        self.collection = Collection(self.store, self.book)
        topic = Topic(())
        processor = ResponseProcessor(self.book, topic, self.collection.held)
        self.digester = Digester(self.collection, processor, Duplicates(), Gate())
        self.tickets = 0

    def bring(
        self, name: str, body: str = "", later_s: float = 0.0, **answer: Any
    ) -> None:
        page, host = self.book.number(HOME + name)
        self.tickets += 1
        at_s = self.tickets + later_s
        ticket = Ticket(self.tickets, Kind.PAGE, page, host, at_s, 1.0)
        given = {
            "status": 200,
            "content_type": "text/html",
            "body": body.encode(),
            **answer,
        }
        self.digester.digest(Fetched(ticket, HOME + name, at_s, **given), at_s)

    def kept(self) -> dict[str, list[str]]:
        """After a commit: which page leads where."""
        self.collection.flush()
        found = (
            (self.book.url(page), links["page"].tolist())
            for page, links in self.store.links()
        )
        return {
            url.removeprefix(HOME): [
                self.book.url(to).removeprefix(HOME) for to in links
            ]
            for url, links in found
        }


def linking(*names: str) -> str:
    return "<p>Words.</p>" + "".join(f'<a href="/{name}">{name}</a>' for name in names)


def test_links_are_kept_and_replaced_with_their_page() -> None:
    scene = Scene()
    scene.bring("a", linking("b", "c", "a"))
    assert scene.kept() == {"a": ["b", "c"]}
    scene.bring("a", linking("d"))
    scene.bring("b", "<p>No way out.</p>")
    assert scene.kept() == {"a": ["d"], "b": []}


def test_a_page_that_did_not_change_keeps_its_links() -> None:
    scene = Scene()
    scene.bring("a", linking("b"), etag='"1"')
    assert scene.kept() == {"a": ["b"]}
    scene.store.links_written = 0
    scene.bring("a", status=304)
    scene.bring("a", linking("b"), etag='"1"')
    assert scene.kept() == {"a": ["b"]}
    assert scene.store.links_written == 0


def test_links_leave_with_their_page() -> None:
    scene = Scene()
    scene.bring("a", linking("b"))
    scene.bring("a", status=404)
    assert scene.kept() == {"a": ["b"]}  # to be confirmed
    scene.bring("a", status=404, later_s=60.0)
    assert scene.kept() == {}


def test_redirects_and_pages_that_must_not_be_indexed_lead_somewhere_too() -> None:
    scene = Scene()
    scene.bring("a", linking("b"))
    scene.bring("a", status=301, location="/c")
    scene.bring("d", '<meta name="robots" content="noindex">' + linking("e"))
    scene.bring("f", status=500)
    assert scene.kept() == {"a": ["c"], "d": ["e"]}
    assert scene.store.counts().held == 0


def test_robots_txt_leads_nowhere() -> None:
    scene = Scene()
    _, host = scene.book.number(HOME)
    ticket = Ticket(1, Kind.ROBOTS, -1, host, 1.0, 0.0)
    scene.digester.digest(
        Fetched(ticket, HOME + "robots.txt", 1.0, status=200, body=b"User-agent: *"),
        1.0,
    )
    assert scene.kept() == {}


def test_changes_are_noted_with_what_came_and_went() -> None:
    scene = Scene()
    scene.bring("a", "<title>Stars</title><p>hot and far")
    scene.bring("a", "<title>Stars</title><p>far and cold and old")
    # nothing that a reader sees
    scene.bring("a", "<title>Stars</title><p>far and cold and old", etag='"2"')
    scene.bring("a", status=404)
    scene.bring("a", status=404, later_s=60.0)
    scene.bring("a", status=404, later_s=120.0)  # was gone already
    # no document
    scene.bring(
        "b", "<urlset><url><loc>/c</loc></url></urlset>", content_type="text/xml"
    )
    scene.collection.flush()
    diffs = [diff for _, diff in scene.store.diffs()]
    assert [(diff.turn, diff.added, diff.removed) for diff in diffs] == [
        (Turn.NEW, 4, 0),
        (Turn.CHANGED, 3, 1),
        (Turn.GONE, 0, 6),
    ]
    assert [diff.at_s for diff in diffs] == [1.0, 2.0, 65.0]


def test_changes_are_noted_before_and_after_a_commit_alike() -> None:
    scene = Scene()
    scene.bring("a", "<p>one two")
    scene.collection.flush()
    scene.bring("a", "<p>two three")
    scene.collection.flush()
    assert [
        (diff.turn, diff.added, diff.removed) for _, diff in scene.store.diffs()
    ] == [
        (Turn.NEW, 2, 0),
        (Turn.CHANGED, 1, 1),
    ]


def test_sitemaps_and_feeds_are_held_but_not_searched() -> None:
    scene = Scene()
    scene.bring(
        "map",
        "<urlset><url><loc>/c</loc></url></urlset>",
        content_type="text/xml",
        etag='"1"',
    )
    scene.bring("words", "<p>urlset or c")
    scene.collection.flush()
    index = FullTextIndex(None)
    index.catch_up(scene.store)
    assert scene.kept() == {"map": ["c"], "words": []}
    assert scene.store.counts().held == 2
    hits = QueryProcessor(index, scene.store).ask(Question("c")).hits
    assert [hit.url for hit in hits] == [HOME + "words"]
    assert index.rank(read_query("*")).total == 1
