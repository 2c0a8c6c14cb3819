"""One queue of prices: what discovery scores, the controller prices, and fringe and held pages
compete.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.cards import BY_DUE, FRINGE, GONE, HELD, NOWHERE, Cards, blank_cards
from trapline.core.errors import BadNumber
from trapline.core.links import NO_LINKS, Links, links_to
from trapline.core.ports import Arrays, Found, Scores, Seen
from trapline.core.records import Observation, Outcome, Robots, Ticket
from trapline.core.storage import Call
from trapline.laboratory.runs.drive import Log, drive, new_controller, observe
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy, scores_of
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.refresh_policy import RefreshPolicy, a_visit
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.fringe import RESCORES, STALE
from trapline.robot.journal import Journal
from trapline.robot.replay import replay
from trapline.robot.request_controller import LEASE_S, Limits, RequestController


class ByAnchor(DiscoveryPolicy):
    """A page scores what the words of its latest link say; when asked again, what `truly` says."""

    def __init__(
        self, explores: float = 0.0, truly: dict[int, float] | None = None
    ) -> None:
        super().__init__()
        self.explores = explores
        self.truly = truly or {}
        self.rescores = truly is not None
        self.asked: list[int] = []

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        return scores_of(found.links["page"], found.links["anchor"], now_s)

    def rescore(self, page: int) -> float:
        self.asked.append(page)
        return self.truly[page]


class Shop(RefreshPolicy):
    """A refresh policy with price tags: held pages cost `held`, a relevant page found on a host is
    worth `found`.
    """

    prices_finds = True

    def __init__(
        self,
        held: float = 1.0,
        usual: float = 1.0,
        found: dict[int, float] | None = None,
    ) -> None:
        self.held = held
        self.usual = usual
        self.found = found or {}
        self.news: list[float] = []

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        cards["base"][page] = self.held
        self.news.append(seen.news)
        return (page,)

    def found_worth(self, host: int) -> float:
        return self.found.get(host, self.usual)


def controller_with(
    discovery: DiscoveryPolicy,
    refresh: RefreshPolicy | None = None,
    hosts: int = 1,
    lease_s: float = LEASE_S,
) -> RequestController:
    controller = RequestController(
        discovery=discovery,
        refresh=refresh or Shop(),
        budget=Budget(),
        limits=Limits(lease_s=lease_s),
    )
    for _ in range(hosts):
        controller.add_own_host(0.0)
    return trusting(controller)


def trusting(controller: RequestController) -> RequestController:
    """Scores are taken at their word here: pages have always kept what they promised."""
    till = controller.agenda.books.till
    till["kept"] = till["promised"] = 1e12
    return controller


def links(scores: dict[int, float], hosts: int = 1) -> Links:
    """Page → what the words of a link to it say. Page p is on host p mod `hosts`."""
    found = links_to(list(scores), [page % hosts for page in scores])
    found["anchor"] = list(scores.values())
    return found


def end(
    controller: RequestController,
    ticket: Ticket,
    now_s: float,
    outcome: Outcome = Outcome.OK,
    found: Links = NO_LINKS,
) -> None:
    controller.land(ticket, now_s)
    controller.settle(Observation(ticket, outcome, True, 0.5, found), now_s)


def visit(
    controller: RequestController,
    now_s: float,
    outcome: Outcome = Outcome.OK,
    found: Links = NO_LINKS,
) -> Ticket:
    [ticket] = controller.issue(now_s, 1)
    end(controller, ticket, now_s, outcome, found)
    return ticket


def copied(saved: Arrays) -> dict[str, NDArray[np.generic]]:
    return {name: np.array(array) for name, array in saved.items()}


def approx(price: float) -> Any:
    return pytest.approx(price, rel=1e-6)


# fringe against held


def test_the_dearer_goes_first_whether_on_the_fringe_or_held() -> None:
    controller = controller_with(ByAnchor(), Shop(held=1.0, usual=2.0), hosts=3)
    controller.admit(links({0: 0.9}, 3), 0.0)
    first = visit(controller, 0.0, found=links({1: 0.6, 2: 0.4}, 3))
    assert (first.page, first.price) == (0, approx(1.8))
    prices = [(ticket.page, ticket.price) for ticket in controller.issue(1.0, 3)]
    assert prices == [(1, approx(1.2)), (0, approx(1.0)), (2, approx(0.8))]


def test_who_has_visits_to_spare_sees_the_poorest_page_of_the_fringe() -> None:
    """Scores may be below nothing, and held pages visited a moment ago are worth a little more than
    nothing.
    """
    controller = controller_with(ByAnchor(), Shop(held=1e-9))
    controller.admit(links({0: 0.9, 1: -0.5, 2: -0.1}), 0.0)
    assert [visit(controller, float(second)).page for second in range(4)] == [
        0,
        2,
        1,
        0,
    ]


def test_where_prices_decide_the_stated_share_does_not() -> None:
    for share in (0.0, 1.0):
        controller = RequestController(
            discovery=ByAnchor(),
            refresh=Shop(held=1.0),
            budget=Budget(discovery_share=share),
        )
        controller.add_own_host(0.0)
        controller.admit(links({0: 0.9, 1: 1.5, 2: 0.8}), 0.0)
        assert [visit(controller, float(second)).page for second in range(3)] == [
            1,
            1,
            1,
        ]
        assert controller.agenda.tally("contested") == 0


def test_all_fringe_pages_are_dearer_at_once_when_pages_found_are_worth_more() -> None:
    shop = Shop(held=1.0, usual=1.0)
    controller = controller_with(ByAnchor(), shop, hosts=2)
    controller.admit(links({0: 2.0, 1: 0.5}, 2), 0.0)
    assert visit(controller, 0.0).page == 0
    assert visit(controller, 1.0).page == 0  # 1.0 against 0.5
    shop.usual = 3.0
    ticket = visit(controller, 2.0, found=links({3: 0.1}, 2))
    assert ticket.page == 0  # nobody has told the controller yet
    ticket = visit(controller, 3.0)
    assert (ticket.page, ticket.price) == (1, approx(1.5))


def test_without_prices_for_what_is_found_a_score_is_a_price() -> None:
    controller = controller_with(ByAnchor(), Uniform())
    controller.admit(links({0: 0.25}), 0.0)
    assert visit(controller, 0.0).price == approx(0.25)


# worth by host


def test_a_page_on_a_host_whose_pages_do_not_last_is_cheaper() -> None:
    controller = controller_with(
        ByAnchor(), Shop(usual=10.0, found={0: 5.0, 1: 20.0}), hosts=3
    )
    controller.admit(links({0: 0.5, 1: 0.5, 2: 0.5}, 3), 0.0)
    prices = {ticket.page: ticket.price for ticket in controller.issue(0.0, 3)}
    assert list(prices) == [1, 2, 0]
    assert prices == {1: approx(10.0), 2: approx(5.0), 0: approx(2.5)}


def test_adaptive_whittle_learns_which_hosts_those_are() -> None:
    refresh = AdaptiveWhittle(horizon_s=1e6)
    cards = blank_cards(60)
    cards["host"][30:] = 1
    for number in range(1, 31):
        for page in range(60):  # host 0 changes all the time, host 1 never does
            cards["last"][page] = 1000.0 * number
            cards["filed"][page] = BY_DUE
            refresh.settle(
                cards,
                page,
                a_visit(Outcome.OK, page < 30, 0.5, 0.0, 1000.0, 1000.0 * number),
            )
    controller = controller_with(ByAnchor(), refresh, hosts=3)
    found = links_to([100, 101, 102], [0, 1, 2])
    found["anchor"] = 0.5
    controller.admit(found, 0.0)
    tickets = controller.issue(0.0, 3)
    assert [ticket.page for ticket in tickets] == [101, 102, 100]
    for ticket, host in zip(tickets, (1, -1, 0), strict=True):
        assert ticket.price == approx(0.5 * refresh.found_worth(host))


# hosts explore


def test_among_equals_hosts_never_visited_come_first_and_the_bonus_shrinks_with_visits() -> (
    None
):
    controller = controller_with(ByAnchor(explores=0.3), hosts=3)
    controller.admit(links(dict.fromkeys(range(9), 2.0), 3), 0.0)
    tickets = [visit(controller, 0.0, Outcome.GONE) for _ in range(9)]
    assert [ticket.host for ticket in tickets] == [0, 1, 2] * 3
    expected = [
        2.0 + 0.3 / math.sqrt(1.0 + visits) for visits in (0, 0, 0, 1, 1, 1, 2, 2, 2)
    ]
    assert [ticket.price for ticket in tickets] == [approx(price) for price in expected]


def test_a_better_page_beats_a_strange_host_if_it_is_better_by_more_than_the_bonus() -> (
    None
):
    controller = controller_with(ByAnchor(explores=0.3), Shop(usual=7.0), hosts=2)
    controller.admit(links({0: 0.5, 1: 0.5, 2: 0.61, 4: 0.55}, 2), 0.0)
    tickets = [visit(controller, 0.0, Outcome.GONE) for _ in range(4)]
    # .91; .8 against .76; .76 …
    assert [ticket.page for ticket in tickets] == [2, 1, 4, 0]
    assert tickets[1].price == approx(7.0 * (0.5 + 0.3))


def test_asking_for_robots_txt_is_no_visit_to_learn_from() -> None:
    controller = trusting(
        RequestController(
            discovery=ByAnchor(explores=0.3),
            refresh=Shop(),
            budget=Budget(),
            gap_s=lambda host, delay_s: 0.0,
        )
    )
    controller.admit(links({0: 0.5}), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    [ticket] = controller.issue(0.0, 1)
    assert ticket.page == -1
    controller.land(ticket, 0.0)
    controller.settle(Observation(ticket, Outcome.OK, robots=Robots("", math.inf)), 0.0)
    assert visit(controller, 0.0).price == approx(0.8)


def test_the_bonus_comes_back_after_a_restart_and_follows_the_settings() -> None:
    controller = controller_with(ByAnchor(explores=0.3), hosts=2)
    controller.admit(links(dict.fromkeys(range(8), 0.5), 2), 0.0)
    for _ in range(3):
        visit(controller, 0.0, Outcome.GONE)  # hosts 0, 1, 0
    for explores in (0.3, 0.6, 0.0):
        other = controller_with(ByAnchor(explores), hosts=2)
        other.load(copied(controller.save()))
        for visits in (0, 1):
            tickets = other.issue(1.0, 2)
            expected = {
                1: 0.5 + explores / math.sqrt(2.0 + visits),
                0: 0.5 + explores / math.sqrt(3.0 + visits),
            }
            assert {ticket.host: ticket.price for ticket in tickets} == {
                h: approx(p) for h, p in expected.items()
            }
            for ticket in tickets:
                end(other, ticket, 1.0, Outcome.GONE)


@pytest.mark.parametrize("explores", [-0.1, math.nan, math.inf])
def test_a_bonus_without_sense_is_refused(explores: float) -> None:
    with pytest.raises(BadNumber, match="explores"):
        controller_with(ByAnchor(explores))


# pages that are not there to be bought


def test_a_page_in_flight_whose_score_is_raised_is_not_handed_out_twice() -> None:
    controller = controller_with(ByAnchor(), hosts=3, lease_s=60.0)
    controller.admit(links({0: 0.9, 1: 0.8}, 3), 0.0)
    flying, other = controller.issue(0.0, 2)
    assert (flying.page, other.page) == (0, 1)
    end(controller, other, 1.0, Outcome.MOVED, links({0: 5.0, 2: 0.1}, 3))
    controller.land(flying, 1.0)  # its host is free again, its answer is not read
    assert [ticket.page for ticket in controller.issue(1.0, 9)] == [2]
    assert controller.agenda.cards["filed"][0] == NOWHERE
    end(controller, flying, 2.0)
    assert controller.agenda.cards["state"][0] == HELD
    assert controller.agenda.cards["base"][0] == 1.0  # the offer of the refresh policy


def test_a_page_that_nobody_answered_for_is_worth_what_was_said_of_it_meanwhile() -> (
    None
):
    controller = controller_with(ByAnchor(), hosts=2, lease_s=60.0)
    controller.admit(links({0: 0.9, 1: 0.8, 2: 0.85}, 2), 0.0)
    lost, other = controller.issue(0.0, 2)
    assert (lost.page, other.page) == (0, 1)
    end(controller, other, 1.0, Outcome.MOVED, links({0: 0.3}, 2))
    assert controller.expire(60.0) == [lost]
    assert [(visit(controller, 60.0, Outcome.GONE).page) for _ in range(2)] == [2, 0]


def test_a_page_that_is_to_be_tried_again_waits_however_dear_it_becomes() -> None:
    controller = controller_with(ByAnchor(), Shop(held=0.01), hosts=3)
    controller.admit(links({0: 0.9, 1: 0.8}, 3), 0.0)
    assert visit(controller, 0.0, Outcome.FAILED).page == 0  # to be tried again at 60
    assert visit(controller, 1.0, Outcome.OK, links({0: 7.0, 2: 0.5}, 3)).page == 1
    assert visit(controller, 2.0, Outcome.GONE).page == 2
    assert visit(controller, 59.0).page == 1  # held, and hardly worth it
    ticket = visit(controller, 60.0)
    assert (ticket.page, ticket.price) == (0, approx(7.0))


def test_a_page_that_robots_txt_refuses_waits_however_dear_it_becomes() -> None:
    controller = trusting(
        RequestController(
            discovery=ByAnchor(),
            refresh=Shop(held=0.01),
            budget=Budget(),
            gap_s=lambda host, delay_s: 0.0,
            url=lambda page: f"http://host/{'secret' if page == 0 else 'open'}/{page}",
        )
    )
    controller.admit(links({0: 0.9, 1: 0.8}), 0.0)
    controller.locate(0, "127.0.0.1", 0.0)
    [ticket] = controller.issue(0.0, 1)
    controller.land(ticket, 0.0)
    rules = Robots("User-agent: *\nDisallow: /secret", 500.0)
    controller.settle(Observation(ticket, Outcome.OK, robots=rules), 0.0)
    assert visit(controller, 1.0, Outcome.OK, links({0: 7.0, 2: 0.5})).page == 1
    assert controller.agenda.cards["not_before"][0] == 500.0
    assert visit(controller, 2.0, Outcome.OK, links({0: 9.0})).page == 2
    assert visit(controller, 499.0).page in (1, 2)
    [ticket] = controller.issue(500.0, 1)
    assert ticket.page == -1
    controller.land(ticket, 500.0)
    controller.settle(Observation(ticket, Outcome.OK, robots=Robots("", 900.0)), 500.0)
    ticket = visit(controller, 501.0)
    assert (ticket.page, ticket.price) == (0, approx(9.0))


@pytest.mark.parametrize("held", [False, True])
@pytest.mark.parametrize("outcome", [Outcome.GONE, Outcome.MOVED, Outcome.SKIPPED])
def test_a_page_that_is_no_more_costs_nothing_whoever_links_to_it(
    outcome: Outcome, held: bool
) -> None:
    controller = controller_with(ByAnchor(), Shop(held=0.5), hosts=2)
    controller.admit(links({0: 0.9, 1: 0.4}, 2), 0.0)
    if held:
        assert visit(controller, 0.0).page == 0
    assert visit(controller, 1.0, outcome).page == 0
    end(controller, controller.issue(2.0, 1)[0], 2.0, found=links({0: 9.0}, 2))
    assert controller.agenda.cards["filed"][0] == NOWHERE
    assert controller.agenda.count(GONE) == 1
    assert [visit(controller, float(second)).page for second in range(3, 9)] == [1] * 6


class Nosy(ByAnchor):
    """It scores all pages there are, and keeps what it was shown."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[list[int]] = []

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        self.shown.append(found.links["page"].tolist())
        return scores_of(np.arange(len(cards)), 5.0, now_s)


def test_scores_of_pages_that_are_not_on_the_fringe_change_nothing() -> None:
    discovery = Nosy()
    controller = controller_with(discovery, Shop(held=1.0), hosts=4)
    controller.admit(links({0: 0.5, 1: 0.5, 2: 0.5}, 4), 0.0)
    kept, gone, flying = controller.issue(0.0, 3)
    end(controller, gone, 0.0, Outcome.GONE)
    end(controller, kept, 0.0, Outcome.OK, links({0: 0.5, 1: 0.5, 2: 0.5, 3: 0.5}, 4))
    # of what was fetched there is nothing to learn
    assert discovery.shown == [[0, 1, 2], [2, 3]]
    assert controller.agenda.cards["base"][0] == 1.0
    assert [(ticket.page, ticket.price) for ticket in controller.issue(1.0, 9)] == [
        (3, approx(5.0)),
        (0, approx(1.0)),
    ]
    assert flying.page == 2
    assert controller.agenda.count(FRINGE) == 2
    assert controller.agenda.count(GONE) == 1


def test_another_policy_takes_over_without_losing_or_repeating_what_is_in_flight() -> (
    None
):
    for makes in (BreadthFirst, Value):
        controller = controller_with(ByAnchor(), hosts=4)
        controller.admit(links({0: 0.9, 1: 0.8, 2: 0.7}, 4), 0.0)
        lost, late = controller.issue(0.0, 2)
        other = controller_with(makes(), hosts=0)
        other.load(copied(controller.save()))
        [third] = other.issue(1.0, 9)
        assert third.page == 2
        # both are in flight
        end(other, third, 1.0, Outcome.MOVED, links({0: 0.5, 1: 0.5}, 4))
        assert other.issue(1.0, 9) == []
        other.land(late, 1.0)
        assert other.issue(1.0, 9) == []
        assert other.take_back_all(2.0) == [lost, late]
        assert sorted(ticket.page for ticket in other.issue(2.0, 9)) == [0, 1]


# scores that have grown stale


def test_what_is_bought_has_the_score_that_it_deserves_by_now() -> None:
    discovery = ByAnchor(truly={0: 0.1, 1: 0.2, 2: 0.85, 3: 0.7})
    controller = controller_with(discovery, hosts=4)
    controller.admit(links({0: 1.0, 1: 0.95, 2: 0.9, 3: 0.8}, 4), 0.0)
    ticket = visit(controller, 0.0, Outcome.GONE)
    # .9 was stale too, by more than a twentieth; .85 stands
    assert discovery.asked == [0, 1, 2, 2]
    assert (ticket.page, ticket.price) == (2, approx(0.85))
    assert [visit(controller, 1.0, Outcome.GONE).price for _ in range(3)] == [
        approx(0.7),
        approx(0.2),
        approx(0.1),
    ]


def test_a_score_that_fell_a_little_or_rose_is_left_as_it_is() -> None:
    discovery = ByAnchor(truly={0: STALE + 0.001, 1: 7.0})
    controller = controller_with(discovery, hosts=2)
    controller.admit(links({0: 1.0, 1: 0.9}, 2), 0.0)
    assert [ticket.price for ticket in controller.issue(0.0, 2)] == [
        approx(1.0),
        approx(0.9),
    ]
    assert discovery.asked == [0, 1]


def test_after_eight_the_dearest_is_bought_as_it_is() -> None:
    pages = 20
    discovery = ByAnchor(truly=dict.fromkeys(range(pages), 0.1))
    controller = controller_with(discovery, hosts=pages)
    controller.admit(
        links({page: 1.0 - 0.01 * page for page in range(pages)}, pages), 0.0
    )
    ticket = visit(controller, 0.0, Outcome.GONE)
    assert discovery.asked == list(range(RESCORES))
    assert (ticket.page, ticket.price) == (8, approx(0.92))
    visit(controller, 0.0, Outcome.GONE)
    assert len(discovery.asked) == 2 * RESCORES


def test_scores_below_nothing_do_not_grow_stale_by_being_asked() -> None:
    discovery = ByAnchor(truly=dict.fromkeys(range(5), -0.1))
    controller = controller_with(discovery, hosts=5)
    controller.admit(links(dict.fromkeys(range(5), -0.1), 5), 0.0)
    for count in range(1, 6):
        visit(controller, 0.0, Outcome.GONE)
        assert len(discovery.asked) == count


def test_a_held_page_that_is_dearer_than_the_renewed_score_is_bought_instead() -> None:
    discovery = ByAnchor(truly={0: 3.0, 1: 0.2})
    controller = controller_with(discovery, Shop(held=1.0), hosts=2)
    controller.admit(links({0: 3.0, 1: 2.0}, 2), 0.0)
    assert [visit(controller, float(second)).page for second in range(3)] == [0, 0, 0]
    # nobody is asked of a page that would not be bought
    assert discovery.asked == [0, 1]


def test_a_renewed_score_counts_by_what_its_host_is_worth() -> None:
    discovery = ByAnchor(truly={0: 0.5, 1: 0.6})
    controller = controller_with(
        discovery, Shop(held=0.0, usual=10.0, found={0: 20.0, 1: 5.0}), hosts=2
    )
    controller.admit(links({0: 0.5, 1: 5.0}, 2), 0.0)  # 10 against 25
    assert [(ticket.page, ticket.price) for ticket in controller.issue(0.0, 2)] == [
        (0, approx(10.0)),
        (1, approx(3.0)),
    ]


# news


def test_the_news_of_a_visit_are_what_new_links_promise_beyond_the_market_price_and_not_twice() -> (
    None
):
    shop = Shop(held=0.0, usual=2.0)
    controller = controller_with(ByAnchor(), shop, hosts=3)
    controller.admit(links({0: 0.3}, 3), 0.0)
    found = links({1: 0.5, 2: 0.2, 4: 0.7}, 3)
    # a score of .3 is the market's
    controller.agenda.books.till["market"] = 0.6
    controller.agenda.books.till["paid"] = 1
    visit(controller, 0.0, found=found)
    assert shop.news == [approx(0.2 + 0.4)]
    assert visit(controller, 1.0, found=found).page == 4
    assert shop.news[1] == 0.0  # nobody is paid twice for a link
    assert controller.agenda.tally("market") == approx(
        0.6
    )  # 4 was bought for 1.4: a fringe page moves it downwards only
    [ticket] = controller.issue(2.0, 1)
    assert ticket.page == 1
    controller.land(ticket, 2.0)
    more = links({1: 0.9, 2: 0.9, 5: 0.9, 7: 0.1}, 3)
    controller.settle(Observation(ticket, Outcome.OK, True, 0.5, more, news=0.25), 2.0)
    # only 5 was new, and 7 is not worth a visit
    assert shop.news[2] == approx(0.25 + (0.9 - 0.3))


def test_scores_count_as_much_as_pages_kept_of_what_scores_promised_lately() -> None:
    shop = Shop(held=0.0, usual=2.0)
    controller = RequestController(
        discovery=ByAnchor(),
        refresh=shop,
        budget=Budget(),
        limits=Limits(lease_s=LEASE_S),
    )
    controller.add_own_host(0.0)
    controller.admit(links(dict.fromkeys(range(600), 0.8)), 0.0)
    # what is expected before anything is known
    assert controller.issue(0.0, 1)[0].price == approx(2.0 * 0.8 * 0.7)
    controller.take_back_all(0.0)
    for number in range(600):
        [ticket] = controller.issue(float(number), 1)
        controller.land(ticket, float(number))
        controller.settle(
            Observation(ticket, Outcome.OK, True, 0.2, links({600 + number: 0.8})),
            float(number),
        )
    assert controller.agenda.tally("worth") == pytest.approx(2.0 * 0.2 / 0.8, rel=0.01)
    # nothing is relevant any more: scores are not believed, and the crawl goes on
    for number in range(600, 6000):
        [ticket] = controller.issue(float(number), 1)
        controller.land(ticket, float(number))
        controller.settle(
            Observation(ticket, Outcome.OK, True, 0.0, links({600 + number: 0.8})),
            float(number),
        )
    assert controller.agenda.tally("worth") == pytest.approx(2.0 * 0.01)


def test_a_link_named_twice_is_one_piece_of_news() -> None:
    shop = Shop(held=0.0)
    controller = controller_with(ByAnchor(), shop, hosts=1)
    controller.admit(links({0: 0.0}), 0.0)
    twice = np.concatenate([links({1: 0.5, 0: 0.5}), links({1: 0.5})])
    visit(controller, 0.0, found=twice)
    assert shop.news == [approx(0.5)]
    assert (controller.agenda.count(FRINGE), controller.agenda.count(HELD)) == (1, 1)


def test_where_scores_are_no_prices_the_words_of_new_links_are_the_news() -> None:
    shop = Shop()
    controller = controller_with(BreadthFirst(), shop, hosts=1)
    controller.admit(links({0: 1.0}), 0.0)
    found = links({0: 1.0, 1: 0.5, 2: 0.25, 3: 0.0})
    found["address"] = (0.0, 0.0, 0.75, 0.0)
    found["context"] = (1.0, 0.125, 0.0, 0.0625)
    visit(controller, 0.0, found=found)
    visit(controller, 1.0, found=found)
    visit(controller, 2.0, found=np.concatenate([found, links({9: 0.375})]))
    assert shop.news == [approx(0.5 + 0.75 + 0.0625), 0.0, approx(0.375)]


# whole crawls


WEB = LinkedWeb.generate(
    pages=1500,
    hosts=20,
    seed=7,
    shape=Shape(gap_s=0.5, latency_s=0.2, life_s=600.0, dies_share=0.2),
)


def crawler(
    truth: Truth, discovery: DiscoveryPolicy | None = None
) -> RequestController:
    return new_controller(
        truth,
        discovery=discovery or Value(),
        refresh=AdaptiveWhittle(horizon_s=3600.0),
        budget=Budget(per_s=6.0),
        seeds=WEB.seeds,
    )


class Watched:
    """A controller, or its journal, as `drive` wants it; notes what came of every visit."""

    def __init__(self, controller: RequestController, calls: list[Call]) -> None:
        self._controller, self._journal = controller, Journal(controller, calls.append)
        self.gone: dict[int, float] = {}
        self.land, self.issue, self.next_time = (
            self._journal.land,
            self._journal.issue,
            self._journal.next_time,
        )

    @property
    def opens_s(self) -> float:
        return self._controller.opens_s

    def settle(self, observation: Observation, now_s: float) -> None:
        if observation.outcome is Outcome.GONE:
            assert observation.ticket.page not in self.gone, "visited again"
            self.gone[observation.ticket.page] = now_s
        self._journal.settle(observation, now_s)


@pytest.mark.parametrize("room", [1, 8])
def test_the_journal_leads_to_the_same_tickets_and_the_same_state(room: int) -> None:
    truth = fresh_copy(WEB.truth)
    calls = list[Call]()
    controller = crawler(truth)
    begun = copied(controller.save())
    watched: Any = Watched(controller, calls)
    log = drive(watched, truth, room=room, visits=3000)
    assert len(log.page) == 3000
    assert controller.agenda.count(HELD) > 500
    replayed = crawler(fresh_copy(WEB.truth))
    replayed.load(begun)
    assert replay(replayed, calls) == len(calls)  # it compares tickets
    one = controller.save()
    other = replayed.save()
    assert set(one) == set(other)
    for name in set(one) - {"hosts", "till"}:  # they say where heaps lie
        assert np.asarray(one[name]).tobytes() == np.asarray(other[name]).tobytes(), (
            name
        )


def test_gone_pages_are_never_visited_again_and_revisits_find_what_is_new() -> None:
    truth = fresh_copy(WEB.truth)
    controller = crawler(truth)
    watched: Any = Watched(controller, [])
    log = drive(watched, truth, room=8, visits=4000)
    assert len(watched.gone) > 50
    assert controller.agenda.count(GONE) == len(watched.gone)
    cards = controller.agenda.cards[: len(truth.pages)]
    assert (cards["filed"][cards["state"] == GONE] == NOWHERE).all()
    again = len(log.page) - len(np.unique(log.page))
    assert again > 200
    born_later = np.flatnonzero(truth.born_s > 60.0)
    assert len(np.intersect1d(born_later, log.page)) > 20


@pytest.mark.parametrize("visits", [1, 40, 1500])
def test_saved_and_loaded_in_the_middle_the_next_500_tickets_are_the_same(
    visits: int,
) -> None:
    worlds = [fresh_copy(WEB.truth), fresh_copy(WEB.truth)]
    stays = crawler(worlds[0])
    goes = crawler(worlds[1])
    for one, truth in zip((stays, goes), worlds, strict=True):
        drive(one, truth, room=8, visits=visits)
    comes = crawler(fresh_copy(WEB.truth))
    comes.load(copied(goes.save()))

    def future(controller: RequestController, truth: Truth) -> Log:
        return drive(controller, truth, room=8, visits=500, start_s=stays_s)

    stays_s = stays.now_s
    expected = future(stays, worlds[0])
    found = future(comes, worlds[1])
    assert len(expected.page) == 500
    np.testing.assert_array_equal(found.page, expected.page)
    np.testing.assert_array_equal(found.issued_s, expected.issued_s)


def test_the_same_crawl_twice_is_the_same_crawl() -> None:
    logs = []
    for _ in range(2):
        truth = fresh_copy(WEB.truth)
        logs.append(drive(crawler(truth), truth, room=8, visits=1500))
    np.testing.assert_array_equal(logs[0].page, logs[1].page)
    np.testing.assert_array_equal(logs[0].issued_s, logs[1].issued_s)


def test_value_finds_more_of_the_topic_than_breadth_first() -> None:
    found = {}
    for discovery in (Value(), BreadthFirst()):
        truth = fresh_copy(WEB.truth)
        log = drive(crawler(truth, discovery), truth, room=8, visits=400)
        found[type(discovery)] = truth.relevance[np.unique(log.page)].sum()
    assert found[Value] > 1.2 * found[BreadthFirst]


def test_a_page_held_before_a_policy_came_teaches_it_nothing() -> None:
    """Its row is blank: host 0 and page 0 would be credited with it."""
    controller = controller_with(BreadthFirst(), AdaptiveWhittle(), hosts=4)
    controller.admit(links({3: 0.5}, 4), 0.0)
    visit(controller, 0.0)
    value = Value()
    other = controller_with(value, AdaptiveWhittle(), hosts=0)
    other.load(copied(controller.save()))
    before = value.mind.weights.copy()
    [ticket] = other.issue(5e6, 1)
    assert ticket.page == 3
    other.land(ticket, 5e6)
    other.settle(Observation(ticket, Outcome.OK, True, 1.0, links({6: 0.5}, 4)), 5e6)
    assert value.mind.weights.tolist() == before.tolist()
    assert value.mind.groups.size[0] == 0
    assert other.issue(5e6, 1)[0].page == 6


def test_what_a_world_shows_is_what_its_clues_say() -> None:
    truth = fresh_copy(WEB.truth)
    controller = crawler(truth)
    [ticket] = controller.issue(0.0, 1)
    found = observe(truth, ticket, 0.0).links
    assert len(found) > 0
    assert found["anchor"].any()
    assert len(np.unique(found["page"])) == len(found)
