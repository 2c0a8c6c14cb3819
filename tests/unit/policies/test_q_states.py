"""Eq. (10) over the states of held pages, and what one table means to both roles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.cards import HELD, Cards, blank_cards
from trapline.core.errors import UserMistake
from trapline.core.links import NO_LINKS, links_to
from trapline.core.ports import Found, Seen
from trapline.core.records import Observation, Outcome
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.q_states import (
    AGES,
    due_state,
    learn_visit,
    new_states,
    rate_of,
    state_of,
)
from trapline.policies.refresh.q_learning import QRevisits
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.theory.price import offer_price


@pytest.mark.parametrize(
    ("revisits", "first"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 3), (7, 3), (99, 4)]
)
def test_states_are_powers_of_two_of_changes_and_of_revisits(
    revisits: int, first: int
) -> None:
    at = first * AGES
    ys = [0.001, 0.02, 0.9, 1.0, 1.9, 2.0, 99.0]
    assert [state_of(y, revisits) - at for y in ys] == [0, 1, 6, 7, 7, 8, 10]


def test_a_visit_teaches_its_state_and_those_it_was_left_in() -> None:
    """By hand, γ = .5; lessons count from a start that counts as two."""
    states = new_states()
    states["fetch"][:3] = 0.2, 0.4, 0.8
    states["leave"][:3] = 0.1, 0.3, 0.0
    states["leave"][AGES] = 0.6  # visited just now, once more
    learn_visit(states, 2, revisits=0.0, share=1.0, gamma=0.5, learns_left=True)
    assert states["leave"][0] == pytest.approx(0.1 + (0.5 * 0.3 - 0.1) / 3.0)
    assert states["leave"][1] == pytest.approx(0.3 + (0.5 * 0.8 - 0.3) / 3.0)
    assert states["fetch"][2] == pytest.approx(0.8 + (1.0 + 0.5 * 0.6 - 0.8) / 3.0)
    assert states["fetched"].sum() == 1.0 and states["left"].sum() == 2.0


def test_passive_zero_leaves_waiting_untaught() -> None:
    states = new_states()
    learn_visit(states, 5, revisits=0.0, share=1.0, gamma=0.5, learns_left=False)
    assert not states["leave"].any()


def test_lessons_come_to_the_mean_of_what_a_state_earns() -> None:
    states = new_states()
    chance = np.random.default_rng(1)
    for _ in range(4000):
        share = float(chance.random() < 0.3)
        learn_visit(states, 6, revisits=9.0, share=share, gamma=0.0, learns_left=True)
    assert states["fetch"][6] == pytest.approx(0.3, abs=0.1)


def test_a_page_is_due_in_the_first_state_that_is_worth_it() -> None:
    states = new_states()
    states["fetch"][:AGES] = np.linspace(0.0, 1.0, AGES)
    y, index, top = due_state(states, 0.0, 0.45)
    assert (y, index, top) == (1.5 * 2.0**-2, 0.5, 1.0)
    # worth more than any state: where it is worth most
    assert due_state(states, 0.0, 7.0)[1:] == (1.0, 1.0)


class Watch:
    """Two pages, alike in relevance, visited every ten seconds under one policy."""

    def __init__(self, policy: QRevisits, relevance: float = 0.5) -> None:
        self.policy = policy
        self.cards: Cards = blank_cards(2)
        self.cards["state"] = HELD
        self.now_s = 0.0
        self.relevance = relevance
        for page in (0, 1):
            self.policy.settle(self.cards, page, a_visit(relevance=relevance))
        self.cards["last"] = 0.0

    def visit(self, page: int, outcome: Outcome, changed: bool) -> None:
        told = Seen(int(outcome), changed, self.relevance, 0.0, 10.0, self.now_s, 0.2)
        self.policy.settle(self.cards, page, told)
        self.cards["last"][page] = self.now_s

    def rounds(self, count: int) -> Watch:
        for _ in range(count):
            self.now_s += 10.0
            self.visit(0, Outcome.OK, True)
            self.visit(1, Outcome.UNCHANGED, False)
        return self

    def prices(self, age_s: float) -> list[float]:
        now_s = self.now_s + age_s
        return [float(offer_price(self.cards, page, now_s)) for page in (0, 1)]


def test_the_page_that_changes_comes_to_be_the_dearer() -> None:
    alike = Watch(QRevisits()).prices(10.0)
    assert alike[0] == alike[1]
    changing, quiet = Watch(QRevisits()).rounds(20).prices(10.0)
    assert changing > 4.0 * quiet > 0.0


def test_the_price_reaches_the_market_price_in_the_state_that_is_worth_it() -> None:
    watch = Watch(QRevisits()).rounds(30)
    mind = watch.policy.mind
    worth = float(mind.held["worth"][0])
    y, index, _ = due_state(mind.states, mind.held["visits"][0] - 1.0, 0.2 / worth)
    age_s = y / rate_of(mind.held, mind.all_held, 0)
    assert watch.prices(age_s)[0] == pytest.approx(worth * index, rel=1e-3)
    assert worth * index >= 0.2


def test_a_deleted_page_earns_its_relevance_and_is_forgotten() -> None:
    """Eq. (11): r(old) if it was deleted; a lesson of a state, as a change would be."""
    lessons = []
    for outcome in (Outcome.GONE, Outcome.OK):
        watch = Watch(QRevisits(gamma=0.0)).rounds(3)
        watch.visit(1, outcome, changed=outcome is Outcome.OK)
        lessons.append(watch.policy.mind.states["fetch"].copy())
    np.testing.assert_allclose(lessons[0], lessons[1])
    watch.visit(1, Outcome.GONE, changed=False)
    assert watch.policy.mind.held["visits"][1] == 0.0
    assert not watch.policy.explain(1, 0).lines


def test_the_controller_tells_of_deletions() -> None:
    policy = QRevisits()
    controller = RequestController(
        discovery=BreadthFirst(), refresh=policy, budget=Budget()
    )
    host = controller.add_own_host(gap_s=0.0)
    controller.admit(links_to([0], [host]), 0.0)
    for now_s, outcome in ((0.0, Outcome.OK), (50.0, Outcome.GONE)):
        [ticket] = controller.issue(now_s, 1)
        controller.land(ticket, now_s)
        controller.settle(Observation(ticket, outcome, True, 0.5), now_s)
    assert policy.mind.states["fetched"].sum() == 1.0
    assert policy.mind.all_held["changes"][0] == 1.0


def both(**options: float) -> tuple[QLearning, QRevisits]:
    discovery = QLearning(**options)  # type: ignore[arg-type]
    refresh = QRevisits(**options)  # type: ignore[arg-type]
    RequestController(discovery=discovery, refresh=refresh, budget=Budget())
    return discovery, refresh


def test_both_roles_learn_in_one_table() -> None:
    discovery, refresh = both(gamma=0.5)
    assert refresh.mind is discovery.mind and refresh.mind.settings.both
    cards = blank_cards(2)
    new = np.array([True])
    discovery.discover(cards, Found(-1, 1.0, links_to([0], [0]), new), 0.0)
    refresh.mind.states["leave"][0] = 0.2  # of a page just visited
    discovery.discover(cards, Found(0, 0.6, NO_LINKS, new[:0]), 1.0)
    # .5·1 + .5·(.6 + .5·(.6·.2)): the page is a held one from now on
    assert discovery.table()[-1, 0][0] == pytest.approx(0.5 + 0.5 * (0.6 + 0.06))
    steps = int(refresh.mind.edges.counts[1])
    refresh.settle(cards, 0, a_visit(relevance=0.6))
    refresh.settle(cards, 0, a_visit(relevance=0.6, age_s=9.0, now_s=10.0))
    assert int(refresh.mind.edges.counts[1]) == steps + 1


def test_each_role_keeps_its_part_of_the_table() -> None:
    """Whoever keeps one role only takes its part along."""
    discovery, refresh = both()
    discovery.discover(
        blank_cards(2), Found(-1, 1.0, links_to([0], [0]), np.array([True])), 0.0
    )
    refresh.settle(blank_cards(2), 1, a_visit(relevance=0.25))
    alone = QRevisits()
    alone.restore(refresh.state())
    assert alone.mind.held["worth"][1] == 0.25 and not len(alone.mind.pages)
    other = QLearning()
    other.restore(discovery.state())
    assert other.table() == discovery.table() and not len(other.mind.held)


def test_one_table_has_one_set_of_options() -> None:
    with pytest.raises(UserMistake, match="give both the same alpha"):
        RequestController(
            discovery=QLearning(gamma=0.3), refresh=QRevisits(), budget=Budget()
        )


def test_what_an_older_version_learnt_is_left_alone() -> None:
    policy = QLearning()
    old = {"memory": np.zeros((3, 4)), "keys": np.zeros(0), "values": np.zeros((0, 2))}
    policy.restore(old)
    assert not policy.table()


def test_prices_stay_numbers_whatever_is_told() -> None:
    watch = Watch(QRevisits(), relevance=0.0).rounds(5)
    assert watch.prices(1e9) == [0.0, 0.0]
    watch = Watch(QRevisits(alpha=1.0, gamma=0.99), relevance=1.0).rounds(200)
    assert all(math.isfinite(price) for price in watch.prices(1e12))
