"""The request controller, method by method: what it hands out, what it learns, what it refuses."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from trapline.core.cards import FRINGE, GONE, HELD, Cards
from trapline.core.errors import BadNumber, ClockWentBack, UnknownPage
from trapline.core.links import NO_LINKS, Links, links_to
from trapline.core.ports import Found, Scores
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy, scores_of
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda import host_turns
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import LEASE_S, Limits, RequestController

OPEN = "User-agent: *\nDisallow: /secret"  # rules, so that every page is checked


def controller_with(
    gaps: Sequence[float] = (), budget: Budget | None = None, lease_s: float = LEASE_S
) -> RequestController:
    """A controller of the laboratory: hosts of their own addresses that need no robots.txt."""
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=budget or Budget(),
        limits=Limits(lease_s=lease_s),
    )
    for gap_s in gaps:
        controller.add_own_host(gap_s)
    return controller


def live_controller(
    budget: Budget | None = None, least_gap_s: float = 1.0
) -> RequestController:
    """A controller as the engine has it: hosts are met through links, located, and asked for their
    robots.txt.
    """
    return RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=budget or Budget(),
        url=lambda page: f"http://host/{'secret' if page >= 100 else 'page'}/{page}",
        gap_s=lambda host, delay_s: max(least_gap_s, delay_s or 0.0),
    )


def seen(
    ticket: Ticket, outcome: Outcome = Outcome.OK, links: Links = NO_LINKS
) -> Observation:
    return Observation(ticket, outcome, changed=True, relevance=0.5, links=links)


def visit(
    controller: RequestController,
    now_s: float,
    outcome: Outcome = Outcome.OK,
    links: Links = NO_LINKS,
) -> Ticket:
    """Exactly one ticket, landed and settled at once."""
    [ticket] = controller.issue(now_s, 1)
    controller.land(ticket, now_s)
    controller.settle(seen(ticket, outcome, links), now_s)
    return ticket


def with_rules(
    text: str | None, *, until_s: float = 1000.0, pages: Sequence[int] = (0, 1, 2)
) -> RequestController:
    """One host whose robots.txt was read at time 0 (landed at 0, settled at 0)."""
    controller = live_controller()
    controller.admit(links_to(pages, [0] * len(pages)), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    [ticket] = controller.issue(0.0, 9)
    controller.land(ticket, 0.0)
    controller.settle(
        Observation(ticket, Outcome.OK, robots=Robots(text, until_s)), 0.0
    )
    return controller


# admit, issue


def test_pages_are_admitted_once_and_visited_in_the_order_found() -> None:
    controller = controller_with([0.0, 0.0], Budget(discovery_share=1.0))
    controller.admit(links_to([5, 2, 5], [1, 0, 1]), 0.0)
    controller.admit(links_to([2, 9, 1, -3], [0, 0, 0, 0]), 1.0)
    assert controller.agenda.count(FRINGE) == 4
    assert [visit(controller, 2.0).page for _ in range(4)] == [2, 5, 1, 9]
    controller.admit(links_to([2, 5], [0, 1]), 3.0)  # held ones are known
    assert controller.agenda.count(FRINGE) == 0


def test_tickets_are_numbered_and_say_what_they_are() -> None:
    controller = controller_with([0.0] * 3)
    controller.admit(links_to(range(3), range(3)), 1.0)
    tickets = controller.issue(2.0, 2)
    assert tickets == [
        Ticket(0, Kind.PAGE, 0, 0, 2.0, math.inf),
        Ticket(1, Kind.PAGE, 1, 1, 2.0, math.inf),
    ]
    assert controller.in_flight(1) == tickets[1]
    assert controller.in_flight(2) is None
    assert controller.issue(2.0, 0) == []
    assert controller.issue(2.0, -4) == []
    assert [ticket.number for ticket in controller.issue(2.0, 5)] == [2]


def test_a_link_to_a_host_that_nobody_knows_needs_a_gap_for_it() -> None:
    with pytest.raises(UnknownPage):
        controller_with([1.0]).admit(links_to([0], [1]), 0.0)


def test_links_found_are_one_step_deeper() -> None:
    controller = controller_with([0.0])
    controller.admit(links_to([0], [0]), 0.0)
    visit(controller, 0.0, links=links_to([1, 2], [0, 0]))
    visit(controller, 1.0, links=links_to([40], [0]))
    assert controller.agenda.cards["depth"][[0, 1, 2, 40]].tolist() == [0, 1, 1, 2]


def test_the_budget_limits_tickets_not_room() -> None:
    controller = controller_with([0.0] * 10, Budget(per_s=2.0, burst=3.0))
    controller.admit(links_to(range(10), range(10)), 0.0)
    assert len(controller.issue(0.0, 99)) == 3
    assert controller.opens_s == controller.next_time() == 0.5
    assert controller.issue(0.4, 99) == []
    assert len(controller.issue(0.5, 99)) == 1


# the clock


def test_the_clock_may_stand_still_but_not_go_back() -> None:
    controller = controller_with([0.0])
    controller.admit(links_to([0], [0]), 5.0)
    [ticket] = controller.issue(5.0, 1)
    for call in (
        lambda: controller.issue(4.9, 1),
        lambda: controller.admit(links_to([1], [0]), 4.9),
        lambda: controller.settle(seen(ticket), 4.9),
        lambda: controller.expire(4.9),
        lambda: controller.locate(0, "127.0.0.1", 4.9),
        lambda: controller.take_back_all(4.9),
        lambda: controller.issue(math.nan, 1),
    ):
        with pytest.raises(ClockWentBack):
            call()
    assert controller.now_s == 5.0
    assert controller.in_flight(ticket.number) == ticket  # nothing was done by halves
    controller.settle(seen(ticket), 5.0)
    assert controller.agenda.count(HELD) == 1


# land, settle


def test_the_gap_counts_from_the_landing_not_from_the_settling() -> None:
    controller = controller_with([2.0])
    controller.admit(links_to([0, 1], [0, 0]), 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.land(ticket, 3.0)
    assert controller.next_time() == 5.0
    controller.settle(seen(ticket), 4.0)
    assert controller.issue(4.9, 1) == []
    assert controller.issue(5.0, 1)[0].page == 1


def test_a_host_is_free_at_the_landing_even_if_the_answer_is_not_read_yet() -> None:
    controller = controller_with([0.0])
    controller.admit(links_to([0, 1], [0, 0]), 0.0)
    [first] = controller.issue(0.0, 1)
    assert controller.issue(1.0, 1) == []
    controller.land(first, 1.0)
    [second] = controller.issue(1.0, 1)
    assert second.page == 1
    controller.land(second, 2.0)
    controller.settle(seen(second), 2.0)
    controller.settle(seen(first), 2.0)
    # the end of a visit is its landing: page 0 was read first, and is the first to be read again
    assert controller.agenda.cards["last"][:2].tolist() == [1.0, 2.0]
    assert [visit(controller, 3.0).page, visit(controller, 3.0).page] == [0, 1]


def test_settled_without_landing_it_landed_then() -> None:
    controller = controller_with([2.0])
    controller.admit(links_to([0, 1], [0, 0]), 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.settle(seen(ticket), 7.0)
    assert controller.agenda.cards["last"][0] == 7.0
    assert controller.next_time() == 9.0


def test_settled_twice_counts_once() -> None:
    controller = controller_with([2.0])
    controller.admit(links_to([0], [0]), 0.0)
    ticket = visit(controller, 1.0)
    controller.settle(seen(ticket, Outcome.GONE, links_to([3], [0])), 2.0)
    assert (
        controller.agenda.count(HELD),
        controller.agenda.count(GONE),
        controller.agenda.count(FRINGE),
    ) == (1, 0, 0)
    assert controller.next_time() == 3.0


def test_landed_twice_owes_the_gap_of_the_later_landing() -> None:
    controller = controller_with([2.0])
    controller.admit(links_to([0, 1], [0, 0]), 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.land(ticket, 1.0)
    controller.land(ticket, 1.5)
    assert controller.issue(3.0, 1) == []
    assert controller.next_time() == 3.5
    [other] = controller.issue(3.5, 1)
    # a third time: the visit that is under way by now goes on
    controller.land(ticket, 4.0)
    controller.settle(seen(ticket), 4.0)
    assert controller.issue(99.0, 9) == []
    controller.land(other, 99.0)
    assert len(controller.issue(101.0, 9)) == 1


def test_an_unknown_ticket_teaches_nothing() -> None:
    controller = controller_with([2.0])
    controller.admit(links_to([0], [0]), 0.0)
    stranger = Ticket(77, Kind.PAGE, 0, 0, 0.0, 1.0)
    controller.settle(seen(stranger, Outcome.GONE, links_to([3], [0])), 1.0)
    assert (controller.agenda.count(FRINGE), controller.agenda.count(GONE)) == (1, 0)
    assert visit(controller, 1.0).page == 0


@pytest.mark.parametrize("relevance", [math.nan, math.inf, -math.inf])
def test_a_relevance_that_is_no_number_is_refused_and_the_ticket_kept(
    relevance: float,
) -> None:
    controller = controller_with([0.0])
    controller.admit(links_to([0], [0]), 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.land(ticket, 1.0)
    with pytest.raises(BadNumber, match="relevance"):
        controller.settle(Observation(ticket, Outcome.OK, relevance=relevance), 1.0)
    assert controller.in_flight(ticket.number) == ticket
    controller.settle(seen(ticket), 1.0)
    assert controller.agenda.count(HELD) == 1


# leases


def test_a_lease_expires_the_page_is_filed_again_and_the_gap_is_owed_from_then() -> (
    None
):
    controller = controller_with([2.0], lease_s=10.0)
    controller.admit(links_to([0], [0]), 0.0)
    [ticket] = controller.issue(1.0, 1)
    assert controller.next_time() == 11.0  # when to call `expire`
    assert controller.expire(10.9) == []
    assert controller.expire(11.0) == [ticket]
    assert controller.in_flight(ticket.number) is None
    assert controller.agenda.count(FRINGE) == 1  # unlearnt
    assert controller.issue(12.9, 1) == []
    [again] = controller.issue(13.0, 1)
    assert (again.page, again.number) == (0, 1)


def test_only_the_tickets_past_their_lease_expire() -> None:
    controller = controller_with([0.0] * 4, lease_s=10.0)
    controller.admit(links_to(range(4), range(4)), 0.0)
    early = controller.issue(0.0, 2)
    late = controller.issue(5.0, 2)
    controller.settle(seen(early[0]), 6.0)
    assert controller.expire(12.0) == [early[1]]
    assert controller.next_time() <= 12.0  # its host is free again
    assert controller.expire(15.0) == late


def test_a_ticket_that_landed_but_was_never_settled_expires_without_landing_again() -> (
    None
):
    controller = controller_with([2.0], lease_s=10.0)
    controller.admit(links_to([0], [0]), 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.land(ticket, 1.0)
    assert controller.expire(20.0) == [ticket]
    assert controller.issue(20.0, 1)[0].page == 0  # its gap was over long ago


def test_a_landing_after_the_lease_owes_the_gap_on_its_host_and_address() -> None:
    controller = live_controller(least_gap_s=2.0)
    controller.admit(links_to([0, 1, 2], [0, 1, 2]), 0.0)
    for host, address in enumerate(["127.0.0.1", "127.0.0.1", "127.0.0.2"]):
        controller.locate(host, address, 0.0)
        controller.agenda.hosts["rules_until"][host] = math.inf
    tickets = {ticket.page: ticket for ticket in controller.issue(0.0, 9)}
    assert set(tickets) == {0, 2}
    assert len(controller.expire(LEASE_S)) == 2
    assert controller.issue(LEASE_S + 1.0, 9) == []
    late_s = LEASE_S + 5.0
    controller.issue(late_s, 0)
    controller.land(tickets[0], late_s)  # it had gone on all the time
    controller.settle(seen(tickets[0], Outcome.GONE), late_s)
    assert controller.agenda.count(GONE) == 0  # too late to teach anything
    assert [ticket.page for ticket in controller.issue(late_s + 1.9, 9)] == [2]
    assert len(controller.issue(late_s + 2.0, 9)) == 1


def test_a_late_landing_sends_idle_hosts_of_its_address_back_to_their_gap() -> None:
    controller = live_controller(least_gap_s=2.0)
    controller.admit(links_to([0, 1], [0, 1]), 0.0)
    for host in (0, 1):
        controller.locate(host, "127.0.0.1", 0.0)
        controller.agenda.hosts["rules_until"][host] = math.inf
    [lost] = controller.issue(0.0, 9)
    controller.expire(LEASE_S)
    # from here both hosts were seen to be free
    [other] = controller.issue(LEASE_S + 2.0, 9)
    controller.settle(seen(other), LEASE_S + 2.0)
    idle_s = LEASE_S + 10.0
    controller.issue(idle_s, 0)
    controller.agenda.choose(idle_s)  # wakes the hosts
    controller.land(lost, idle_s)
    assert controller.issue(idle_s + 1.9, 9) == []
    assert len(controller.issue(idle_s + 2.0, 9)) == 1


def test_after_a_restart_all_tickets_are_taken_back() -> None:
    controller = controller_with([3.0, 3.0])
    controller.admit(links_to([0, 1], [0, 1]), 0.0)
    tickets = controller.issue(0.0, 2)
    assert controller.take_back_all(1.0) == tickets
    assert controller.issue(3.9, 2) == []
    assert [ticket.page for ticket in controller.issue(4.0, 2)] == [0, 1]


# outcomes


def test_failures_back_off_and_a_fringe_page_is_given_up() -> None:
    controller = controller_with([0.0])
    controller.admit(links_to([0], [0]), 0.0)
    now_s = 0.0
    waits = []
    for _ in range(5):
        visit(controller, now_s, Outcome.FAILED)
        waits.append(controller.next_time() - now_s)
        assert controller.issue(now_s, 1) == []
        now_s = controller.next_time()
        if math.isinf(now_s):
            break
    assert waits == [60.0, 120.0, 240.0, 480.0, math.inf]
    assert controller.agenda.count(GONE) == 1


def test_a_held_page_that_fails_is_tried_again_for_ever() -> None:
    controller = controller_with([0.0])
    controller.admit(links_to([0], [0]), 0.0)
    visit(controller, 0.0)
    now_s = 0.0
    for _ in range(20):
        now_s = max(now_s, controller.next_time())
        visit(controller, now_s, Outcome.FAILED)
    assert controller.agenda.count(HELD) == 1
    assert controller.next_time() - now_s == 86400.0
    visit(controller, controller.next_time())
    assert controller.agenda.cards["failures"][0] == 0


@pytest.mark.parametrize("outcome", [Outcome.GONE, Outcome.MOVED, Outcome.SKIPPED])
@pytest.mark.parametrize("held", [False, True])
def test_pages_that_are_no_more_cost_nothing_afterwards(
    outcome: Outcome, held: bool
) -> None:
    controller = controller_with([0.0, 0.0])
    controller.admit(links_to([0], [0]), 0.0)
    if held:
        visit(controller, 0.0)
    visit(controller, 1.0, outcome, links_to([1], [1]))
    assert controller.agenda.count(GONE) == 1
    controller.admit(links_to([0], [0]), 2.0)  # a link to it changes nothing
    # where it moved to is a page like any other
    assert visit(controller, 2.0, Outcome.GONE).page == 1
    assert controller.agenda.cards["depth"][1] == 1
    assert controller.next_time() == math.inf


def test_retry_after_keeps_the_whole_host_waiting() -> None:
    controller = controller_with([1.0, 1.0])
    controller.admit(links_to([0, 1, 2], [0, 0, 1]), 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.land(ticket, 1.0)
    controller.settle(Observation(ticket, Outcome.FAILED, retry_after_s=30.0), 2.0)
    assert [ticket.page for ticket in controller.issue(3.0, 9)] == [2]
    assert controller.issue(31.9, 9) == []
    assert [ticket.page for ticket in controller.issue(32.0, 9)] == [1]


# robots.txt


@pytest.mark.parametrize("text", ["", OPEN])
def test_robots_txt_comes_first_owes_the_gap_but_not_the_budget(text: str) -> None:
    controller = live_controller(Budget(per_s=0.01), least_gap_s=2.0)
    controller.admit(links_to([0, 1, 2], [0, 0, 1]), 0.0)
    assert controller.issue(0.0, 9) == []  # nobody knows where the hosts are
    controller.locate(0, "127.0.0.1", 0.0)
    controller.locate(1, "127.0.0.2", 0.0)
    tickets = controller.issue(0.0, 9)
    assert [(ticket.kind, ticket.page, ticket.host) for ticket in tickets] == [
        (Kind.ROBOTS, -1, 0),
        (Kind.ROBOTS, -1, 1),
    ]
    for ticket in tickets:
        controller.land(ticket, 1.0)
        controller.settle(
            Observation(ticket, Outcome.OK, robots=Robots(text, 5000.0)), 1.0
        )
    assert controller.issue(2.9, 9) == []  # the gap
    # one visit of the budget: the questions for robots.txt cost none
    [page] = controller.issue(3.0, 9)
    assert (page.kind, page.page) == (Kind.PAGE, 0)
    assert controller.agenda.tally("visits") == 1
    assert controller.opens_s == 103.0


def test_robots_txt_is_asked_for_again_when_it_is_too_old() -> None:
    controller = with_rules("", until_s=50.0)
    assert visit(controller, 49.0).kind is Kind.PAGE
    [ticket] = controller.issue(50.0, 9)
    assert ticket.kind is Kind.ROBOTS


def test_a_disallowed_page_is_refused_until_the_rules_are_read_anew() -> None:
    controller = with_rules(OPEN, until_s=1000.0, pages=[100, 101, 1])
    assert visit(controller, 1.0).page == 1
    for now_s in (2.0, 500.0, 999.0):
        assert visit(controller, now_s).page == 1  # only ever the allowed one
    [ticket] = controller.issue(1000.0, 9)
    assert ticket.kind is Kind.ROBOTS
    controller.land(ticket, 1000.0)
    controller.settle(
        Observation(ticket, Outcome.OK, robots=Robots("", 9000.0)), 1000.0
    )
    assert {visit(controller, 1001.0 + step).page for step in range(3)} == {1, 100, 101}


def test_a_refused_page_is_not_looked_at_again_before_the_rules_are_read_anew() -> None:
    controller = with_rules(OPEN, until_s=1000.0, pages=[100])
    assert controller.issue(1.0, 9) == []
    assert controller.next_time() == 1000.0


def test_refused_pages_do_not_eat_the_share_of_discovery() -> None:
    controller = with_rules(OPEN, pages=[0, *range(100, 140), 1, 2, 3])
    host_turns.set_gap(controller.agenda.books, 0, 0.0)
    visit(controller, 1.0)
    for visits in range(1, 7):
        visit(controller, 1.0)
        assert abs(controller.agenda.count(HELD) - 1 - 0.5 * visits) <= 0.5
    assert controller.agenda.count(HELD) == 4


def test_robots_txt_fails_closed_until_it_is_asked_for_again() -> None:
    controller = with_rules(None, until_s=60.0)
    assert controller.next_time() == 60.0
    for now_s in (1.0, 30.0, 59.9):
        assert controller.issue(now_s, 9) == []
    [ticket] = controller.issue(60.0, 9)
    assert ticket.kind is Kind.ROBOTS
    controller.land(ticket, 61.0)
    controller.settle(
        Observation(ticket, Outcome.FAILED, robots=Robots(None, 660.0)), 61.0
    )
    assert controller.issue(659.0, 9) == []
    [ticket] = controller.issue(660.0, 9)
    assert ticket.kind is Kind.ROBOTS


def test_robots_txt_that_is_lost_is_asked_for_again_and_no_page_before() -> None:
    controller = live_controller()
    controller.admit(links_to([0], [0]), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    [ticket] = controller.issue(0.0, 9)
    assert controller.expire(LEASE_S) == [ticket]
    [again] = controller.issue(LEASE_S + 1.0, 9)
    controller.land(again, LEASE_S + 1.0)
    # an answer without rules is none
    controller.settle(Observation(again, Outcome.FAILED), LEASE_S + 1.0)
    [third] = controller.issue(LEASE_S + 2.0, 9)
    assert (again.kind, third.kind) == (Kind.ROBOTS, Kind.ROBOTS)


def test_crawl_delay_raises_the_gap_from_that_visit_on() -> None:
    controller = with_rules("User-agent: *\nCrawl-delay: 7")  # read at 0
    assert controller.issue(6.9, 9) == []
    assert visit(controller, 7.0).page == 0
    assert controller.issue(13.9, 9) == []
    visit(controller, 14.0)


def test_a_host_without_address_is_not_visited_until_it_has_one() -> None:
    controller = live_controller()
    controller.admit(links_to([0, 1], [0, 1]), 0.0)
    controller.locate(0, None, 0.0)
    controller.locate(1, "127.0.0.1", 0.0)
    [ticket] = controller.issue(0.0, 9)
    assert ticket.host == 1
    assert controller.issue(1e6, 9) == []
    controller.locate(0, "127.0.0.2", 1e6)  # the next run asks again
    assert [ticket.host for ticket in controller.issue(1e6, 9)] == [0]
    assert controller.hosts() == 2


def test_robots_txt_is_not_asked_for_again_while_it_is_being_read() -> None:
    controller = live_controller(least_gap_s=0.0)
    controller.admit(links_to([0], [0]), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    [asked] = controller.issue(0.0, 9)
    controller.land(asked, 1.0)
    assert controller.issue(1.0, 9) == controller.issue(1.05, 9) == []
    controller.settle(Observation(asked, Outcome.OK, robots=Robots("", math.inf)), 1.2)
    assert [ticket.page for ticket in controller.issue(1.2, 9)] == [0]


def test_hosts_on_one_address_take_turns_also_for_robots_txt() -> None:
    controller = live_controller(least_gap_s=2.0)
    controller.admit(links_to([0, 1], [0, 1]), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    controller.locate(1, "127.0.0.1", 0.0)
    [first] = controller.issue(0.0, 9)
    controller.land(first, 5.0)
    assert controller.issue(6.9, 9) == []
    assert len(controller.issue(7.0, 9)) == 1


def test_gaps_are_renewed_from_the_settings_and_owed_from_the_last_visit() -> None:
    gap = {"s": 1.0}
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=Uniform(),
        budget=Budget(),
        gap_s=lambda host, delay_s: gap["s"],
    )
    controller.admit(links_to([0, 1], [0, 0]), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    controller.agenda.hosts["rules_until"][0] = math.inf
    visit(controller, 0.0)
    gap["s"] = 9.0
    controller.renew_gaps()
    assert controller.issue(8.9, 1) == []
    assert controller.issue(9.0, 1) != []


# a change of policy between two runs


class ByAnchor(DiscoveryPolicy):
    """Fringe pages by the words of their links."""

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        return scores_of(found.links["page"], found.links["anchor"], now_s)


class Scrambled(DiscoveryPolicy):
    """Fringe pages in an order of its own."""

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        return scores_of(found.links["page"], found.links["page"] * 7919 % 1009, now_s)


@pytest.mark.parametrize("successor", [BreadthFirst, Scrambled])
@pytest.mark.parametrize("seed", range(4))
def test_another_discovery_policy_takes_over_the_whole_fringe_in_its_own_order(
    successor: type[DiscoveryPolicy], seed: int
) -> None:
    """Every card's place changes at once: the heaps must come out right."""
    rng = np.random.default_rng(seed)
    controller = RequestController(
        discovery=ByAnchor(), refresh=Uniform(), budget=Budget(discovery_share=1.0)
    )
    for _ in range(5):
        controller.add_own_host(0.0)
    links = links_to(range(400), np.arange(400) % 5)
    links["anchor"] = rng.uniform(size=400)
    controller.admit(links, 0.0)
    for _ in range(10):
        visit(controller, 1.0, Outcome.GONE)
    other = RequestController(
        discovery=successor(), refresh=Uniform(), budget=Budget(discovery_share=1.0)
    )
    other.load({name: np.array(array) for name, array in controller.save().items()})
    order = [visit(other, 2.0, Outcome.GONE).page for _ in range(390)]
    assert order == sorted(
        order,
        key=lambda page: page if successor is BreadthFirst else -(page * 7919 % 1009),
    )
    assert other.next_time() == math.inf


def test_the_budget_of_the_settings_counts_not_that_of_the_saved_state() -> None:
    controller = controller_with([0.0] * 9, Budget(per_s=0.001))
    controller.admit(links_to(range(9), range(9)), 0.0)
    assert len(controller.issue(0.0, 99)) == 1
    other = controller_with([], Budget(per_s=4.0, burst=3.0))
    other.load({name: np.array(array) for name, array in controller.save().items()})
    assert other.in_flight(0) == controller.in_flight(0)
    assert len(other.issue(2000.0, 99)) == 3


@pytest.mark.parametrize(
    ("budget", "opens_s"),
    [
        # as before: one of the four was given back after 100 s
        (Budget(per_s=0.01, burst=4.0), 110.0),
        (Budget(per_s=1.0, burst=4.0), 11.0),
        (Budget(per_s=1.0), 11.0),
        (Budget(per_s=0.005), 210.0),  # no more is owed than the new bucket holds
        (Budget(), 10.0),
    ],
)
def test_what_is_owed_under_another_budget_are_visits_and_not_seconds(
    budget: Budget, opens_s: float
) -> None:
    controller = controller_with([0.0] * 9, Budget(per_s=0.01, burst=4.0))
    controller.admit(links_to(range(9), range(9)), 0.0)
    assert len(controller.issue(10.0, 99)) == 4
    other = controller_with([], budget)
    other.load({name: np.array(array) for name, array in controller.save().items()})
    assert other.next_time() == pytest.approx(opens_s)
    assert len(other.issue(opens_s, 1)) == 1


def test_another_refresh_policy_takes_over_the_held_pages() -> None:
    controller = controller_with([0.0] * 3, Budget(discovery_share=1.0))
    controller.admit(links_to(range(30), [page % 3 for page in range(30)]), 0.0)
    for _ in range(30):
        visit(controller, 10.0)
    other = RequestController(
        discovery=BreadthFirst(),
        refresh=NutchAdaptive(interval_s=100.0, least_s=1.0),
        budget=Budget(),
    )
    other.load({name: np.array(array) for name, array in controller.save().items()})
    # nothing was seen to change: 1.4 intervals, not all the time since 1970
    assert other.next_time() == 10.0 + 140.0
    assert len(other.issue(150.0, 99)) == 3
