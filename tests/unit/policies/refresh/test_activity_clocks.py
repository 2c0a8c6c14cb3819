"""Activity clocks: what visits find on some pages of a group moves the offers of the others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.policies.refresh.test_posterior import Scene, bits
from trapline.core.cards import BY_DUE, NOWHERE
from trapline.core.page_groups import NO_GROUPS, Groups
from trapline.laboratory.runs.trace_replay import replay
from trapline.laboratory.worlds.traces import DAY_S, Window
from trapline.policies.refresh.activity_clocks import group_age
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.theory.price import offer_price

HOST = 1
PAGES = 20


def in_two_directories(page: int) -> Groups:
    return HOST, 2 + page % 2, 0


class Site(Scene):
    """Pages of one host, in two directories by turns; pages are visited in turn."""

    def __init__(
        self, policy: Posterior, pages: int = PAGES, *, told: bool = True
    ) -> None:
        if told:
            for page in range(pages):
                policy.join(page, in_two_directories(page), 0.0)
        super().__init__(policy, [0] * pages)
        self.step_s = 100.0

    def round(self, changed: dict[int, bool] | None = None) -> None:
        """Visit each page once; which of the directories have changed?"""
        for page in range(len(self.cards)):
            self.visit(page, bool(changed and changed.get(page % 2)))

    def visit(self, page: int, changed: bool) -> list[int]:
        self.now_s += self.step_s
        age_s = self.now_s - float(self.cards["last"][page])
        self.pay(page, age_s)
        self.cards["filed"][page] = NOWHERE
        seen = a_visit(changed=changed, age_s=age_s, now_s=self.now_s)
        self.cards["last"][page] = self.now_s
        seen = seen._replace(market_price=self.market)
        touched = self.policy.settle(self.cards, page, seen)
        self.cards["filed"][page] = BY_DUE
        return list(touched)

    def weights(self) -> NDArray[np.float64]:
        return np.array(self.policy.belief.clocks.state["weight"][0])

    def age_of(self, page: int) -> float:
        last_s = float(self.cards["last"][page])
        return float(group_age(self.policy.belief.clocks, page, last_s, self.now_s))


def taught(policy: Posterior, **told: Any) -> Site:
    """Each directory changes in every third round, and never both at once."""
    site = Site(policy, **told)
    for number in range(12):
        site.round({0: number % 3 == 0, 1: number % 3 == 1})
    return site


def test_pages_age_faster_where_others_of_their_directory_have_changed() -> None:
    site = taught(Posterior())
    for page in range(0, 10, 2):
        site.visit(page, changed=True)
        site.visit(page + 1, changed=False)
    mine = site.age_of(18)
    others = site.age_of(19)
    assert mine > 1.2 * others


def test_offers_of_a_stirred_directory_are_rewritten() -> None:
    site = taught(Posterior())
    for page in range(10):
        site.visit(page, changed=page % 2 == 0)
    deaf = taught(Posterior(), told=False)
    for page in range(10):
        deaf.visit(page, changed=page % 2 == 0)
    rise = [
        offer_price(site.cards, page, site.now_s)
        / offer_price(deaf.cards, page, deaf.now_s)
        for page in range(12, PAGES)
    ]
    assert min(rise[::2]) > max(rise[1::2])


def test_a_kind_of_group_that_predicts_is_believed_and_another_is_dropped() -> None:
    chance = np.random.default_rng(3)
    together = Site(Posterior())
    alone = Site(Posterior())
    for _ in range(60):
        together.round({page: bool(chance.random() < 0.3) for page in (0, 1)})
        for page in range(PAGES):
            alone.visit(page, changed=bool(chance.random() < 0.3))
    assert together.weights()[1] > 0.9
    assert alone.weights()[1] < 0.3


def test_who_was_told_nothing_does_as_before() -> None:
    told = Site(Posterior(), told=False)
    for page in range(PAGES):
        told.policy.join(page, NO_GROUPS, 0.0)
    plain = Site(Posterior(), told=False)
    for number in range(9):
        for site in (told, plain):
            site.round({0: number % 2 == 0})
    assert told.cards.tobytes() == plain.cards.tobytes()
    assert len(plain.policy.state()) == 2  # and saves no more than before


def test_a_group_of_one_page_has_no_clock() -> None:
    policy = Posterior()
    policy.join(0, (1, 2, 3), 0.0)
    assert policy.belief.clocks.state["rows"][0] == 0.0
    policy.join(5, (1, 9, 0), 0.0)
    assert policy.belief.clocks.state["rows"][0] == 1.0
    assert policy.grouped_pages() == 2


def test_all_pages_of_a_group_are_in_its_ring_once() -> None:
    policy = Posterior()
    for page in (3, 8, 1, 8, 3, 6):  # some are told again
        policy.join(page, (1, 0, 0), 0.0)
    clocks = policy.belief.clocks
    page = 3
    found = []
    for _ in range(4):
        page = int(clocks.pages["next"][page, 0])
        found.append(page)
    assert sorted(found) == [1, 3, 6, 8]
    assert clocks.groups["members"][0] == 4.0


@pytest.mark.parametrize("make", [Posterior, AdaptiveWhittle])
def test_clocks_survive_saving(make: type[Posterior]) -> None:
    stays = taught(make())
    comes = make()
    comes.restore(
        {name: np.array(array) for name, array in stays.policy.state().items()}
    )
    goes = taught(make())
    goes.policy = comes
    for site in (stays, goes):
        site.policy.join(
            PAGES - 1, in_two_directories(0), 0.0
        )  # known: nothing happens
        site.round({0: True})
    assert bits(stays.policy, stays.cards) == bits(goes.policy, goes.cards)


def test_a_clock_that_was_set_moves_nothing() -> None:
    stays = taught(Posterior())
    moved = taught(Posterior())
    by_s = 2.0**28
    moved.policy.move_times(by_s)
    moved.now_s += by_s
    moved.cards["last"] += by_s
    for site in (stays, moved):
        site.round({0: True})
    assert stays.cards["worth"].tolist() == moved.cards["worth"].tolist()
    assert stays.cards["rate"].tolist() == moved.cards["rate"].tolist()


@pytest.mark.parametrize("step_s", [6.0, 1500.0])
def test_what_was_learnt_outlives_another_pace(step_s: float) -> None:
    """Bins become wider or finer; what they held is still in them, as far as it is still near."""
    site = taught(Posterior())
    clocks = site.policy.belief.clocks
    width_s = float(clocks.state["width_s"][0])
    site.step_s = step_s
    for number in range(61):
        site.round({0: number % 3 == 0, 1: number % 3 == 1})
    assert clocks.state["width_s"][0] != width_s
    found = clocks.groups["found"][: int(clocks.state["rows"][0])]
    assert np.isfinite(found).all()
    assert (found >= 0.0).all()
    assert found[1].sum() > 0.5  # the directories change together still
    assert site.weights()[1] > 0.5


def together(seed: int) -> Window:
    """40 directories of 10 pages; each is edited on a few days, nearly all its pages at once."""
    chance = np.random.default_rng(seed)
    days = 200.0
    events = []
    for _ in range(40):
        edits = np.sort(chance.uniform(0.0, days, 8))
        for _ in range(10):
            touched = edits[chance.uniform(size=len(edits)) < 0.9]
            times_s = np.sort(touched + chance.uniform(0.0, 0.2, len(touched))) * DAY_S
            events.append(np.unique(times_s))
    count = len(events)
    return Window(
        days=days,
        held=count,
        page=np.arange(count),
        path=[f"part-{page // 10}/{page}" for page in range(count)],
        born_s=np.full(count, -1.0),
        dies_s=np.full(count, math.inf),
        event_start=np.cumsum([0, *map(len, events)]).astype(np.int64),
        event_s=np.concatenate(events),
        importance=np.ones(count),
    )


class Deaf(Posterior):
    takes_groups = False


def test_pages_that_change_together_are_kept_fresher() -> None:
    window = together(1)
    plain, clocked = (
        replay(policy, window, per_page_day=0.1, settle_days=60.0).freshness
        for policy in (Deaf(), Posterior())
    )
    assert 1.0 - clocked < 0.9 * (1.0 - plain)
