"""Pages that people ask for: their offers rise at once, stay so, and fall again."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.cards import BY_DUE, FRINGE, HELD, NOWHERE, Cards, blank_cards
from trapline.core.errors import BadNumber
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

both = pytest.mark.parametrize("policy", [Posterior, AdaptiveWhittle])


def held(policy: Posterior, pages: int = 3) -> Cards:
    cards = blank_cards(pages)
    cards["state"] = HELD
    cards["filed"] = BY_DUE
    for page in range(pages):
        policy.settle(cards, page, a_visit(relevance=0.5))
    return cards


@both
def test_a_page_that_is_asked_for_is_worth_more_at_once(
    policy: type[Posterior],
) -> None:
    asked = policy()
    cards = held(asked)
    worth = cards["worth"].copy()
    assert asked.weigh(cards, 1, 3.0) == (1,)
    assert cards["worth"][1, 0] == pytest.approx(3.0 * worth[1, 0])
    assert cards["worth"][1, 1] == worth[1, 1], "news are no fresher for it"
    assert asked.weigh(cards, 1, 1.0) == (1,)
    assert cards["worth"][1, 0] == pytest.approx(worth[1, 0])
    assert asked.factors() == {}


@both
def test_a_visit_does_not_forget_it(policy: type[Posterior]) -> None:
    """The offer is that of a page of so much more relevance."""
    asked = policy()
    plain = policy()
    cards = held(asked)
    others = held(plain)
    asked.weigh(cards, 1, 1.5)
    for hour in range(1, 6):
        now_s = 3600.0 * hour
        told = a_visit(relevance=0.4, age_s=3600.0, now_s=now_s, market_price=1.0)
        asked.settle(cards, 1, told)
        plain.settle(others, 1, told._replace(relevance=0.6))
    for field in ("worth", "rate"):
        np.testing.assert_allclose(cards[field][1], others[field][1], rtol=1e-6)


@both
def test_relevance_itself_stays_what_it_is(policy: type[Posterior]) -> None:
    asked = policy()
    cards = held(asked)
    asked.weigh(cards, 1, 4.0)
    pages = np.arange(3)
    assert (
        asked.page_gains(pages, np.zeros(3, np.int64)).relevance.tolist() == [0.5] * 3
    )


@both
def test_a_state_of_earlier_versions_is_taken_over(policy: type[Posterior]) -> None:
    """It had one column less: what people ask for was not known."""
    told = policy()
    held(told)
    state = dict(told.state())
    column = Posterior.page_record.names or ()
    at = Posterior.page_record.itemsize // 8 - 1
    assert column[-1] == "asked"
    state["memory"] = np.delete(np.asarray(state["memory"]), at, axis=1)
    restored = policy()
    restored.restore(state)
    assert restored.factors() == {}
    for name, array in told.state().items():
        np.testing.assert_array_equal(array, restored.state()[name])


def test_pages_of_the_fringe_keep_their_scores() -> None:
    policy = Posterior()
    cards = held(policy)
    cards["state"][2] = FRINGE
    before = cards.copy()
    assert policy.weigh(cards, 2, 4.0) == ()
    assert cards.tobytes() == before.tobytes()
    cards["state"][2] = HELD
    policy.settle(cards, 2, a_visit(relevance=0.5))
    assert cards["worth"][2, 0] == pytest.approx(4.0 * before["worth"][2, 0])


def controller_with(pages: int) -> RequestController:
    controller = RequestController(
        discovery=BreadthFirst(), refresh=AdaptiveWhittle(), budget=Budget()
    )
    controller.add_own_host(gap_s=0.0)
    controller.admit(links_to(range(pages), [0] * pages), 0.0)
    return controller


@pytest.mark.parametrize("factor", [math.nan, math.inf, 0.5, -1.0])
def test_a_factor_that_is_none_is_refused(factor: float) -> None:
    with pytest.raises(BadNumber):
        controller_with(3).weigh({0: factor}, 0.0)


def worth_after_a_visit(factor: float) -> float:
    """Of a page that was weighed while somebody was there."""
    controller = controller_with(2)
    for now_s in (0.0, 1.0):
        [ticket] = controller.issue(now_s, 1)
        controller.settle(Observation(ticket, Outcome.OK, True, 1.0), now_s)
    controller.order_visits([0], 2.0)
    [ticket] = controller.issue(2.0, 1)
    assert ticket.page == 0
    controller.weigh({0: factor}, 2.5)
    cards = controller.agenda.cards
    assert cards["filed"][0] == NOWHERE, "it cannot be bought twice"
    controller.settle(Observation(ticket, Outcome.OK, True, 1.0), 3.0)
    assert cards["filed"][0] == BY_DUE
    return float(cards["worth"][0, 0])


def test_a_page_under_way_is_weighed_when_it_is_back() -> None:
    assert worth_after_a_visit(4.0) > 1.5 * worth_after_a_visit(1.0)


def test_a_page_worth_more_is_due_sooner() -> None:
    controller = controller_with(6)
    for now_s in range(60):
        for ticket in controller.issue(float(now_s), 1):
            controller.settle(Observation(ticket, Outcome.OK, True, 1.0), float(now_s))
    cards = controller.agenda.cards
    before_s = float(cards["due"][3])
    controller.weigh({3: 4.0}, 60.0)
    assert cards["due"][3] < before_s
