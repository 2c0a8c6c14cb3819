"""Load every kernel that the live robot calls before its clock starts.

The first time they are compiled. The laboratory's kernels are apart, so that a crawl does not hold
the laboratory in memory.
"""

from __future__ import annotations

import numpy as np

from trapline.collection.duplicates import Duplicates
from trapline.collection.url_book import HashUrlBook
from trapline.core.links import Links, links_to
from trapline.core.records import Observation, Outcome, Robots, Ticket
from trapline.policies.registry import make_discovery_policy, make_refresh_policy
from trapline.reading.answer import analyse_document
from trapline.reading.html.depth_guard import FEW_TAGS
from trapline.reading.html.document import read_html
from trapline.robot.agenda import fringe_prices
from trapline.robot.agenda.agenda import Budget
from trapline.robot.bidding import bid_of
from trapline.robot.call_records import ArrivedLinks
from trapline.robot.request_controller import RequestController
from trapline.robot.visit_costs import CostKind
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import count_words


def warm_live(discovery: str, refresh: str) -> None:
    """Locate a host, read its robots.txt, visit pages that fail and change; then what is rarer."""
    book = HashUrlBook(0)
    page, host = book.number("http://127.0.0.1/")
    other, _ = book.number("http://127.0.0.1/b")
    book.number("http://127.0.0.1/")
    controller = _controller(discovery, refresh, book)
    controller.admit(links_to([page], [host]), 0.0)  # one seed, or
    controller.admit(links_to([page, other], [host, host]), 0.0)
    controller.locate(host, "127.0.0.1", 0.0)
    _warm_visits(controller, _warm_topic(book))
    _warm_rare(controller, host)


def warm_shard(discovery: str, refresh: str) -> None:
    """The same, and what a shard does beside: links that come by mail, and bids."""
    warm_live(discovery, refresh)
    book = HashUrlBook(0)
    numbers = [book.number(f"http://127.0.0.1/{name}") for name in "abcd"]
    pages = [page for page, _ in numbers]
    hosts = [host for _, host in numbers]
    controller = _controller(discovery, refresh, book)
    controller.admit(links_to(pages[:2], hosts[:2]), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    controller.spend(1.0, 0.0)
    mailed = links_to(pages[2:], hosts[2:])
    relevance = np.ones(2, np.float32)
    controller.receive(ArrivedLinks(mailed, relevance, np.ones(2, np.uint8)), 1.0)
    _warm_first_visit(controller)
    bid_of(controller, 0, 20.0)


def _warm_first_visit(controller: RequestController) -> None:
    """Of a host, then of a page that leads to another shard's."""
    ticket = _next_ticket(controller, 1.0)
    robots = Robots("", 1e9)
    controller.settle(Observation(ticket, Outcome.OK, robots=robots), 1.0)
    ticket = _next_ticket(controller, 9.0)
    elsewhere = links_to([-1, -1], [-1, -1])
    found = Observation(ticket, Outcome.OK, True, 1.0, elsewhere=elsewhere)
    controller.settle(found, 9.0)


def _controller(discovery: str, refresh: str, book: HashUrlBook) -> RequestController:
    return RequestController(
        discovery=make_discovery_policy(discovery),
        refresh=make_refresh_policy(refresh),
        budget=Budget(cost=CostKind.SECONDS),  # what others need is part of it
        url=book.url,
        gap_s=lambda host, delay_s: 1.0,
    )


def _warm_visits(controller: RequestController, links: Links) -> None:
    rules = Robots("User-agent: *\nDisallow: /x", 1e9)
    ticket = _next_ticket(controller, 1.0)
    controller.settle(Observation(ticket, Outcome.OK, robots=rules), 1.0)
    ticket = _next_ticket(controller, 3.0)
    controller.settle(Observation(ticket, Outcome.FAILED, retry_after_s=1.0), 3.0)
    ticket = _next_ticket(controller, 9.0)
    controller.settle(Observation(ticket, Outcome.OK, True, 1.0, links), 9.0)
    controller.load(controller.save())
    # both pages are held by then, and one is visited again, whichever policy decides
    for now_s in (99.0, 1e7, 2e7):
        ticket = _next_ticket(controller, now_s)
        controller.loss_per_s(ticket)
        controller.settle(Observation(ticket, Outcome.OK, True, 1.0), now_s)
    controller.issue(3e7, 1)
    controller.take_back_all(3e7)
    controller.next_time()


def _warm_rare(controller: RequestController, host: int) -> None:
    """A page promises less or is forgotten, a host may not be visited, a page is a copy."""
    fringe_prices.rewrite_fringe(controller.agenda.books, 2, 0.0, 3e7)
    controller.forget([2], 3e7)
    controller.locate(host, None, 3e7)
    duplicates = Duplicates()
    for page in range(2):
        duplicates.put(page, 1)
    duplicates.drop(1)
    duplicates.drop(0)


def _warm_topic(book: HashUrlBook) -> Links:
    """Reading a document and its links, with a topic of words and examples."""
    topic = Topic.from_text("warm")
    topic.exemplify("example", count_words("Warm", "a warm example"))
    topic.learn(bag := count_words("Cold", "and cold"), topic.judge(bag))
    # Two at least: numba takes the fields of a single record for another kind of array.
    links = "".join(f"<a href='{name}'>warm</a> " for name in "cdef")
    words = "warm , and cold since 2024 . " * 20
    page = f"<title>Warm</title><p>{words}<p>{links}{'<p>' * FEW_TAGS}".encode()
    url = "http://127.0.0.1/"
    found = analyse_document(read_html(page, "text/html", url), url).links
    return topic.links(found.words, dict(enumerate(map(book.number, found.urls))))


def _next_ticket(controller: RequestController, now_s: float) -> Ticket:
    [ticket] = controller.issue(now_s, 1)
    controller.land(ticket, now_s)
    return ticket


def warm_all_live() -> None:
    """Of every policy that has kernels of its own, and what is asked beside a robot."""
    one = np.zeros(1, np.int64)
    for refresh in ("auto", "posterior"):
        make_refresh_policy(refresh).page_gains(one, one)
    for refresh in ("auto", "posterior", "htraa", "lakg"):
        warm_live("auto", refresh)
    warm_live("breadth-first", "posterior")
    warm_live("q-learning", "q-learning")
    warm_shard("auto", "posterior")
