"""A controller whose state is lost learns from the history of its visits."""

from __future__ import annotations

from trapline.core.cards import FRINGE, GONE, HELD
from trapline.core.links import Links, links_to
from trapline.core.records import Kind, Outcome, Robots, Visit
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import Limits, RequestController


def new_controller(depth: int = 255) -> RequestController:
    return RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(),
        url=lambda page: f"http://a/{page}",
        gap_s=lambda host, delay_s: delay_s or 1.0,
        limits=Limits(depth=depth),
    )


def visit(
    number: int, page: int, ended_s: float, outcome: Outcome = Outcome.OK
) -> Visit:
    kind = Kind.PAGE if page >= 0 else Kind.ROBOTS
    return Visit(
        number, page, 0, kind, ended_s - 0.5, ended_s, 1.0, outcome, 200, True, 0.5
    )


def to(*pages: int) -> Links:
    return links_to(list(pages), [0] * len(pages))


def test_what_is_held_what_is_gone_and_what_comes_next() -> None:
    controller = new_controller()
    for seen in (
        visit(0, -1, 1.0),
        visit(1, 0, 2.0),
        visit(3, 1, 3.0),
        visit(4, 2, 4.0, Outcome.GONE),
        visit(5, 0, 5.0, Outcome.UNCHANGED),
    ):
        controller.remember(seen)
    controller.remember_rules(0, Robots("User-agent: *\nCrawl-delay: 7\n", 1e6))
    controller.remember_links(0, 0.5, to(1, 2, 3))
    cards = controller.agenda.cards
    assert cards["state"][:4].tolist() == [HELD, HELD, GONE, FRINGE]
    assert cards["last"][:2].tolist() == [5.0, 3.0]
    assert controller.now_s == 5.0
    assert controller.agenda.tally("visits") == 4
    controller.take_back_all(6.0)
    controller.locate(0, "127.0.0.1", 6.0)
    assert controller.issue(12.9, 1) == [], "every host owes its gap"
    [ticket] = controller.issue(13.0, 1)
    assert ticket.number == 6, "numbers go on"
    assert ticket.page in (0, 1, 3)


def test_how_far_a_page_is_from_a_seed() -> None:
    controller = new_controller(depth=2)
    for number in range(3):
        controller.remember(visit(number, number, 1.0 + number))
    controller.remember_links(0, 0.5, to(1))
    controller.remember_links(1, 0.5, to(2, 3))
    controller.remember_links(2, 0.5, to(4))
    assert controller.agenda.cards["depth"][:4].tolist() == [0, 1, 2, 2]
    assert controller.agenda.count(FRINGE) == 1, "page 4 is too far from the seed"


def test_visits_of_a_clock_that_was_set_back() -> None:
    """No page is younger than it was."""
    controller = new_controller()
    controller.remember(visit(0, 0, 1e9))
    controller.remember(visit(1, 0, 10.0))
    assert controller.agenda.cards["last"][0] == 1e9
    assert controller.now_s == 1e9
