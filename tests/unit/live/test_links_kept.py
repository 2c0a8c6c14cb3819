"""Links go into the store with the page that shows them, and leave with it."""

from __future__ import annotations

from typing import Any

from trapline.collection.collection import Collection
from trapline.collection.duplicates import Duplicates
from trapline.collection.url_book import HashUrlBook
from trapline.core.records import Fetched, Kind, Ticket, Turn
from trapline.core.storage import Batch
from trapline.live.digest import Digester
from trapline.reading.answer import read_answer
from trapline.reading.html.link_texts import MOST_OF_PAGE
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.robot.response.results import PART
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
        self.processor = ResponseProcessor(self.book, topic, self.collection.held)
        self.digester = Digester(self.collection, self.processor, Duplicates(), Gate())
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

    def called(self, name: str) -> list[tuple[str, int]]:
        """After a commit: what others call a page."""
        self.collection.flush()
        page, _ = self.book.number(HOME + name)
        return [(one.text, one.pages) for one in self.store.link_texts(page)]


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


def calling(name: str, *texts: str) -> str:
    links = [f'<p>Some words <a href="/{name}">{text}</a>' for text in texts]
    return "".join(links)


def test_what_pages_call_each_other_is_kept_and_leaves_with_them() -> None:
    scene = Scene()
    scene.bring("a", calling("sun", "the Sun", "our star", "next", "the Sun"))
    scene.bring("b", calling("sun", "the Sun"))
    scene.bring("sun", calling("sun", "this very page"))  # its own word does not count
    assert scene.called("sun") == [("the Sun", 2), ("our star", 1)]
    scene.bring("a", calling("sun", "our star"))
    assert scene.called("sun") == [("our star", 1), ("the Sun", 1)]
    scene.bring("a", status=404)
    scene.bring("a", status=404, later_s=60.0)
    assert scene.called("sun") == [("the Sun", 1)]
    scene.bring("b", status=301, location="/c")
    assert scene.called("sun") == []


def test_a_page_that_is_not_kept_calls_nobody_anything() -> None:
    scene = Scene()
    noindex = '<meta name="robots" content="noindex">'
    scene.bring("a", noindex + calling("sun", "the Sun"))
    assert scene.called("sun") == []
    scene.bring("b", calling("sun", "the Sun"))
    scene.bring("b", noindex + calling("sun", "the Sun"))
    assert scene.called("sun") == []


def test_a_page_gone_before_the_commit_calls_nobody_anything() -> None:
    scene = Scene()
    scene.bring("a", calling("sun", "the Sun"))
    scene.bring("a", status=404)
    scene.bring("a", status=404, later_s=60.0)
    assert scene.called("sun") == []


def test_links_that_are_numbered_in_parts_call_pages_by_name() -> None:
    scene = Scene()
    names = [f"page{n}" for n in range(3 * PART)]
    page, host = scene.book.number(HOME + "a")
    ticket = Ticket(1, Kind.PAGE, page, host, 1.0, 1.0)
    body = linking(*names).encode()
    kind = "text/html"
    fetched = Fetched(ticket, HOME + "a", 1.0, 200, body=body, content_type=kind)
    reading = read_answer(fetched)
    steps = list(scene.processor.meet_links(fetched, reading))
    assert len(steps) == 3
    said = scene.processor.process(fetched, 1.0, reading).texts
    urls = [(scene.book.url(to).removeprefix(HOME), text) for to, text in said]
    assert urls == [(name, name) for name in names][:MOST_OF_PAGE]


def test_a_page_that_moved_is_called_by_name_where_it_is_now() -> None:
    scene = Scene()
    scene.bring("sol", status=301, location="/sun")
    scene.bring("a", calling("sol", "the Sun"))
    scene.bring("sun", calling("sol", "where I was before"))
    assert scene.called("sun") == [("the Sun", 1)]
    assert scene.called("sol") == []
