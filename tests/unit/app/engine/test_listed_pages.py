"""Only listed pages: redirects are followed a few times, lists may change, and pages
may come back.
"""

from __future__ import annotations

import json
import math

from trapline.app.engine.listed_pages import HOPS, ListedPages
from trapline.app.output.page_moves import NOTE
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import FRINGE, GONE, HELD, UNMET
from trapline.core.links import NO_LINKS, links_to
from trapline.core.records import Fetched, Kind, Observation, Outcome, Ticket
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.agenda.filing import file_card
from trapline.robot.agenda.outcomes import note_outcome
from trapline.robot.journal import Journal
from trapline.robot.request_controller import RequestController
from trapline.stores.memory import MemoryStore


def url(number: int) -> str:
    return f"http://a/{number}"


def fetched(
    number: int, status: int, location: str = "", kind: Kind = Kind.PAGE
) -> Fetched:
    return Fetched(
        Ticket(0, kind, number, 0, 0.0, 0.0),
        url(number),
        1.0,
        status=status,
        location=location,
    )


def heard(listed: ListedPages, answer: Fetched, outcome: Outcome) -> Observation:
    return listed.around(
        lambda f, _: Observation(f.ticket, outcome, links=links_to([5], [0]))
    )(answer, 1.0)


def opened(
    *numbers: int, moved: dict[str, tuple[str, int]] | None = None
) -> tuple[ListedPages, MemoryStore, Collection]:
    store = MemoryStore()
    collection = Collection(store, HashUrlBook(1))
    collection.note(NOTE, json.dumps(moved or {}))
    collection.flush()
    return ListedPages(map(url, numbers), store, collection), store, collection


def test_redirects_are_followed_and_noted() -> None:
    listed, store, collection = opened(0)
    assert listed.in_scope(url(0)) and not listed.in_scope(url(1))
    assert len(heard(listed, fetched(0, 301, "/1"), Outcome.MOVED).links) == 1
    assert listed.in_scope(url(1))
    collection.flush()
    assert ListedPages([url(0)], store, collection).in_scope(url(1)), (
        "also after a restart"
    )
    assert not ListedPages([url(7)], store, collection).in_scope(url(1)), (
        "but not for another list"
    )


def test_redirects_without_end_are_cut() -> None:
    listed, *_ = opened(0)
    for hop in range(HOPS + 3):
        found = (
            heard(listed, fetched(hop, 302, f"/{hop + 1}"), Outcome.MOVED)
            if listed.in_scope(url(hop))
            else None
        )
        assert found is None or (len(found.links) > 0) == (hop < HOPS)
    assert listed.in_scope(url(HOPS)) and not listed.in_scope(url(HOPS + 1))


def test_the_pages_of_a_host_are_those_that_are_visited_there() -> None:
    moved = {url(0): (url(7), 301), url(1): (url(8), 302)}
    listed, *_ = opened(0, 1, 2, moved=moved)
    assert listed.hosts() == ["a:80"]
    assert sorted(listed.of_host("a:80")) == [url(1), url(2), url(7), url(8)]
    listed.relist([url(2)])
    assert listed.of_host("a:80") == [url(2)] and listed.of_host("b:80") == []


def test_a_loop_of_redirects_ends() -> None:
    listed, *_ = opened(0, moved={url(0): (url(1), 301), url(1): (url(0), 301)})
    assert listed.in_scope(url(1))


def test_a_redirect_to_nowhere() -> None:
    listed, *_ = opened(0)
    assert (
        heard(listed, fetched(0, 301, "mailto:me@lab.org"), Outcome.MOVED).links
        is NO_LINKS
    )


def test_pages_that_are_not_there_are_looked_for_again() -> None:
    listed, *_ = opened(0)
    for outcome in (Outcome.GONE, Outcome.SKIPPED):
        assert heard(listed, fetched(0, 404), outcome).outcome is Outcome.FAILED
    assert heard(listed, fetched(0, 200), Outcome.OK).outcome is Outcome.OK
    robots = heard(listed, fetched(-1, 301, "/elsewhere", Kind.ROBOTS), Outcome.OK)
    assert robots.outcome is Outcome.OK and not listed.in_scope("http://a/elsewhere")


def test_a_list_that_has_changed() -> None:
    """Held and fringe pages that are listed no more are let go, and can be listed again; what left
    for good stays.
    """
    store = MemoryStore()
    book = HashUrlBook(1)
    collection = Collection(store, book)
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(per_s=math.inf),
        url=book.url,
    )
    host = controller.add_own_host(gap_s=0.0)
    for number in range(6):
        book.number(url(number))
    collection.flush()
    controller.admit(links_to(range(6), [host] * 6), 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.land(ticket, 0.0)
    controller.settle(Observation(ticket, Outcome.OK, changed=True, relevance=1.0), 0.0)
    cards = controller.agenda.cards
    till = controller.agenda.books.till
    assert [cards["state"][page] for page in (0, 1)] == [HELD, FRINGE]
    for page in (4, 5):
        note_outcome(cards, till, page, int(Outcome.MOVED), 0.0, 0.0)
        file_card(controller.agenda.books, page, 0.0)
    collection.note(NOTE, json.dumps({url(4): (url(3), 301)}))
    collection.flush()
    ListedPages([url(2), url(4), url(5)], store, collection).tidy(
        controller, store, 1.0
    )
    assert cards["state"][:6].tolist() == [UNMET, UNMET, FRINGE, FRINGE, GONE, UNMET]
    controller.admit(links_to([2, 4, 5], [host] * 3), 1.0)
    visited = []
    while tickets := controller.issue(1.0, 1):
        visited.append(tickets[0].page)
        controller.land(tickets[0], 1.0)
        controller.settle(Observation(tickets[0], Outcome.SKIPPED), 1.0)
    assert sorted(visited) == [2, 3, 5]
    ListedPages([url(0)], store, collection).tidy(controller, store, 2.0)
    controller.admit(links_to([0], [host]), 2.0)
    assert [ticket.page for ticket in controller.issue(2.0, 4)] == [0], (
        "listed again, visited again"
    )


def test_listed_pages_that_were_given_up_are_tried_again() -> None:
    """But not those that moved for good, are not listed, or are to be forgotten."""
    book = HashUrlBook(1)
    store = MemoryStore()
    collection = Collection(store, book)
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(per_s=math.inf),
        url=book.url,
    )
    journal = Journal(controller, collection.note_call)
    host = controller.add_own_host(gap_s=0.0)
    for number in range(4):
        book.number(url(number))
    collection.note(NOTE, json.dumps({url(1): (url(9), 301)}))
    collection.flush()
    controller.admit(links_to(range(4), [host] * 4), 0.0)
    while tickets := controller.issue(0.0, 1):
        controller.land(tickets[0], 0.0)
        controller.settle(Observation(tickets[0], Outcome.GONE), 0.0)
    journal.forget([3], 0.0)
    listed = ListedPages([url(0), url(1), url(3)], store, collection)
    listed.retry_given_up(journal, store, 5.0)
    assert [ticket.page for ticket in controller.issue(5.0, 9)] == [0]
