"""What is wrong with listed pages is told once, and when it is over."""

from __future__ import annotations

import pytest

from trapline.app.engine.listed_pages import ListedPages
from trapline.app.engine.page_troubles import (
    FORBIDDEN,
    MOST_OF_HOST,
    NAME_GONE,
    PageTroubles,
)
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.links import NO_LINKS, links_to
from trapline.core.records import (
    Failure,
    Fetched,
    Kind,
    Observation,
    Outcome,
    Robots,
    Ticket,
    Visit,
)
from trapline.core.storage import Store
from trapline.stores.memory import MemoryStore


def url(number: int) -> str:
    return f"http://a.org/{number}"


class Watch:
    """A watch of a few pages of one host, and what it tells."""

    def __init__(self, pages: int = 3, store: Store | None = None) -> None:
        self.store = store or MemoryStore()
        self.book = HashUrlBook.load(self.store, 1)
        self.collection = Collection(self.store, self.book)
        urls = [url(number) for number in range(pages)]
        for one in urls:
            self.book.number(one)
        self.listed = ListedPages(urls, self.store, self.collection)
        self.troubles = PageTroubles(
            self.listed, self.store, self.collection, self.book
        )
        self.visits = self.store.counts().visits

    def answer(
        self,
        status: int,
        outcome: Outcome = Outcome.FAILED,
        failure: Failure | None = None,
        page: int = 0,
        location: str = "",
        followed: bool = True,
    ) -> None:
        ticket = Ticket(self.visits, Kind.PAGE, page, 0, 0.0, 0.0)
        at_s = 1.0 + self.visits
        fetched = Fetched(ticket, url(page), at_s, status, failure, location=location)
        links = links_to([9], [0]) if location and followed else NO_LINKS

        def digest(fetched: Fetched, now_s: float) -> Observation:
            self.collection.note_visit(
                Visit(
                    self.visits,
                    page,
                    0,
                    Kind.PAGE,
                    0.0,
                    now_s,
                    0.0,
                    outcome,
                    status,
                    False,
                    0.0,
                )
            )
            return Observation(ticket, outcome, links=links)

        self.listed.around(self.troubles.around(digest))(fetched, 1.0)
        self.visits += 1

    def robots(self, text: str | None, status: int = 200) -> None:
        ticket = Ticket(0, Kind.ROBOTS, -1, 0, 0.0, 0.0)
        fetched = Fetched(ticket, "http://a.org/robots.txt", 1.0, status)

        def digest(_: Fetched, __: float) -> Observation:
            robots = Robots(text, 9.0)
            self.collection.note_robots(0, robots)
            return Observation(ticket, Outcome.OK, robots=robots)

        self.troubles.around(digest)(fetched, 1.0)

    def told(self) -> list[tuple[int, str, str]]:
        self.collection.flush()
        return [(d.page, str(d.turn), d.remark) for _, d in self.store.diffs()]

    def restarted(self, pages: int = 3) -> Watch:
        self.collection.flush()
        return Watch(pages, self.store)


@pytest.mark.parametrize(
    ("status", "outcome", "failure", "remark"),
    [
        (404, Outcome.FAILED, None, "404 Not Found"),
        (410, Outcome.GONE, None, "410 Gone"),
        (403, Outcome.SKIPPED, None, "403 Forbidden"),
        (200, Outcome.GONE, None, "it says that it is not there"),
        (0, Outcome.SKIPPED, Failure.TOO_LARGE, "it is too large"),
    ],
)
def test_what_is_final_is_told_at_once(
    status: int, outcome: Outcome, failure: Failure | None, remark: str
) -> None:
    watch = Watch()
    for _ in range(3):
        watch.answer(status, outcome, failure)
    assert watch.told() == [(0, "failing", remark)]
    watch.answer(200, Outcome.OK)
    watch.answer(304, Outcome.UNCHANGED)
    assert watch.told()[1:] == [(0, "back", remark)]


@pytest.mark.parametrize(
    ("status", "failure", "remark"),
    [
        (500, None, "500 Internal Server Error"),
        (503, None, "503 Service Unavailable"),
        (429, None, "429 Too Many Requests"),
        (599, None, "status 599"),
        (0, Failure.TIMEOUT, "it does not answer in time"),
        (0, Failure.NO_SUCH_NAME, "the name cannot be resolved"),
        (200, None, "what it answers cannot be read"),
    ],
)
def test_what_may_pass_is_told_when_it_is_met_twice_in_a_row(
    status: int, failure: Failure | None, remark: str
) -> None:
    watch = Watch()
    watch.answer(status, failure=failure)
    watch.answer(200, Outcome.OK)
    watch.answer(status, failure=failure)
    assert watch.told() == [], "one failure is no news"
    watch.answer(status, failure=failure)
    watch.answer(status, failure=failure)
    assert watch.told() == [(0, "failing", remark)]
    watch.answer(200, Outcome.OK)
    assert watch.told()[1:] == [(0, "back", remark)]


def test_a_page_that_is_elsewhere_for_now_is_not_in_trouble() -> None:
    watch = Watch()
    watch.answer(302, location="/9")
    watch.answer(302, location="/9")
    assert watch.told() == []


@pytest.mark.parametrize("status", [301, 302])
@pytest.mark.parametrize(
    ("location", "remark"),
    [
        ("/0", "moved to itself"),
        ("", "moved to itself"),
        ("mailto:me@a.org", "moved to what is not a URL"),
        ("http://b.org/", "moved to http://b.org/, which may not be visited"),
    ],
)
def test_a_redirect_that_leads_nowhere_is_told_until_it_leads_on(
    status: int, location: str, remark: str
) -> None:
    watch = Watch()
    for _ in range(2):
        watch.answer(status, location=location, followed=False)
    assert watch.told() == [(0, "failing", remark)]
    assert url(0) in watch.listed.of_host("a.org:80"), "it is visited again"
    watch.answer(302, location="/9")
    assert watch.told()[1:] == [(0, "back", remark)]


@pytest.mark.parametrize("status", [301, 302])
def test_redirects_in_a_circle_are_told_once_of_the_page_on_the_list(
    status: int,
) -> None:
    watch = Watch(pages=1)
    watch.book.number(url(1))
    for page in (0, 1, 0, 1):
        watch.answer(status, Outcome.MOVED, page=page, location=f"/{1 - page}")
    assert watch.told() == [(0, "failing", "moved in a circle")]
    assert url(0) in watch.listed.of_host("a.org:80"), "it is visited again"
    watch.answer(200, Outcome.OK, page=1)
    watch.answer(status, Outcome.MOVED, page=0, location="/1")
    assert watch.told()[1:] == [(0, "back", "moved in a circle")]


def test_a_restart_tells_nothing_twice_and_forgets_nothing() -> None:
    watch = Watch()
    watch.answer(404)
    watch.answer(500, page=1)
    watch = watch.restarted()
    watch.answer(404)
    watch.answer(500, page=1)
    expected = [(0, "failing", "404 Not Found")]
    expected += [(1, "failing", "500 Internal Server Error")]
    assert watch.told() == expected
    watch = watch.restarted()
    watch.answer(200, Outcome.OK)
    watch = watch.restarted()
    watch.answer(200, Outcome.OK)
    assert watch.told()[2:] == [(0, "back", "404 Not Found")]


def test_pages_that_robots_txt_forbids() -> None:
    watch = Watch()
    watch.robots("User-agent: *\nDisallow: /1")
    watch.robots("User-agent: *\nDisallow: /1")
    assert watch.told() == [(1, "failing", FORBIDDEN)]
    watch.robots("")
    assert len(watch.told()) == 1, "a visit will show whether it is back"
    watch.answer(200, Outcome.OK, page=1)
    assert watch.told()[1:] == [(1, "back", FORBIDDEN)]


def test_forbidden_pages_are_told_wherever_they_stand_in_a_long_list() -> None:
    watch = Watch(pages=MOST_OF_HOST + 50)
    watch.robots(f"User-agent: *\nDisallow: /{MOST_OF_HOST + 20}")
    assert watch.told() == [(MOST_OF_HOST + 20, "failing", FORBIDDEN)]


def test_a_page_that_is_listed_later_is_judged_by_rules_known_before() -> None:
    watch = Watch(pages=1)
    watch.robots("User-agent: *\nDisallow: /2")
    watch = watch.restarted(pages=3)
    watch.troubles.check_rules(5.0)
    assert watch.told() == [(2, "failing", FORBIDDEN)]


def test_a_host_without_a_robots_txt_to_be_had() -> None:
    watch = Watch(pages=2)
    watch.robots(None, 503)
    assert watch.told() == []
    watch = watch.restarted(pages=2)
    watch.robots(None, 503)
    remark = "robots.txt cannot be had: 503 Service Unavailable"
    assert watch.told() == [(0, "failing", remark), (1, "failing", remark)]


def test_a_name_that_is_gone() -> None:
    """Also when each look is made by another run."""
    watch = Watch(pages=2)
    watch.troubles.note_location(0, None, 1.0)
    assert watch.told() == []
    watch = watch.restarted(pages=2)
    watch.troubles.note_location(0, None, 2.0)
    watch.troubles.note_location(0, None, 3.0)
    assert watch.told() == [(0, "failing", NAME_GONE), (1, "failing", NAME_GONE)]
    watch.troubles.note_location(0, "10.0.0.1", 4.0)
    watch.troubles.note_location(0, None, 5.0)
    watch.answer(200, Outcome.OK)
    assert watch.told()[2:] == [(0, "back", NAME_GONE)]


def test_of_a_large_host_so_many_pages_are_told() -> None:
    watch = Watch(pages=MOST_OF_HOST + 50)
    for at_s in (1.0, 2.0):
        watch.troubles.note_location(0, None, at_s)
    assert len(watch.told()) == MOST_OF_HOST
