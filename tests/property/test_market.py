"""The market of shards: one price, never more than the budget, whoever joins, dies or hears."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trapline.core.ledger import Bid, ShardRow
from trapline.theory.clearing import FLOOR, clear
from trapline.theory.treasury import market_targets, settle_rates

POINTS = 17
rates = st.floats(0.0, 50.0)


@st.composite
def bids(draw: st.DrawFn, shard: int = 0) -> Bid:
    centre = draw(st.floats(1e-4, 1e4))
    prices = centre * 2.0 ** np.linspace(-4.0, 4.0, POINTS)
    wishes = sorted(draw(st.lists(rates, min_size=POINTS, max_size=POINTS)))
    return Bid(shard, tuple(prices.tolist()), tuple(reversed(wishes)))


@st.composite
def markets(draw: st.DrawFn) -> list[Bid]:
    return [draw(bids(shard)) for shard in range(draw(st.integers(1, 6)))]


@settings(max_examples=200, deadline=None)
@given(markets(), st.floats(1e-3, 1e3))
def test_all_have_their_floor_and_together_no_more_than_the_budget(
    market: list[Bid], budget: float
) -> None:
    cleared = clear(market, budget)
    given = list(cleared.per_s.values())
    assert set(cleared.per_s) == {bid.shard for bid in market}
    assert sum(given) <= budget
    assert math.isclose(sum(given), budget, rel_tol=1e-6)  # nothing is kept back
    assert min(given) >= FLOOR * budget / len(market) * (1.0 - 1e-9)


@settings(max_examples=100, deadline=None)
@given(markets(), st.floats(1e-2, 1e2), st.floats(1.0, 30.0))
def test_a_larger_budget_takes_from_nobody_and_makes_nothing_dearer(
    market: list[Bid], budget: float, times: float
) -> None:
    small = clear(market, budget)
    large = clear(market, times * budget)
    assert large.price <= small.price * (1.0 + 1e-9)
    for shard, rate in small.per_s.items():
        assert large.per_s[shard] >= rate * (1.0 - 1e-6)


@given(bids(), st.integers(2, 8), st.floats(1e-2, 1e2))
def test_shards_that_bid_alike_have_alike(one: Bid, count: int, budget: float) -> None:
    cleared = clear([replace(one, shard=s) for s in range(count)], budget)
    assert math.isclose(min(cleared.per_s.values()), max(cleared.per_s.values()))


def test_all_pay_one_price() -> None:
    """Of demands that are powers of the price the answer is known: r_s = a_s/λ^½."""
    sizes = [1.0, 3.0, 9.0]
    market = []
    for shard, size in enumerate(sizes):
        # bids are made around markets that are far apart
        prices = 4.0 ** (shard + 1) * 2.0 ** np.linspace(-4.0, 4.0, POINTS)
        per_s = size / np.sqrt(prices)
        market.append(Bid(shard, tuple(prices.tolist()), tuple(per_s.tolist())))
    cleared = clear(market, 5.0)
    assert math.isclose(cleared.price, (sum(sizes) / 5.0) ** 2, rel_tol=1e-9)
    for shard, size in enumerate(sizes):
        assert math.isclose(cleared.per_s[shard], 5.0 * size / 13.0, rel_tol=1e-9)


def test_who_wants_more_at_every_price_has_more() -> None:
    low = Bid(0, (1.0, 2.0, 4.0), (4.0, 2.0, 1.0))
    high = Bid(1, (1.0, 2.0, 4.0), (8.0, 5.0, 1.5))
    cleared = clear([low, high], 6.0)
    assert cleared.per_s[1] > cleared.per_s[0]


@dataclass
class Owner:
    """A shard of a pretended crawl: what the ledger says of it, and what is so."""

    shard: int
    rate: float
    heard: float = 0.0
    epoch: int = 0
    alive: bool = False
    spends: float = 0.0
    word: float | None = None  # read from the ledger, not acted upon yet

    def row(self) -> ShardRow:
        left_s = 9.0 if self.alive else 0.0
        return ShardRow(
            self.shard,
            self.epoch,
            "w" if self.alive else "",
            left_s,
            self.rate,
            self.heard,
            "",
            0.0,
            0,
            0.0,
        )

    def claim(self) -> None:
        self.alive = True
        self.epoch += 1
        self.heard = self.spends = self.rate
        self.word = None

    def die(self) -> None:
        """Its lease has ended."""
        self.alive = False
        self.spends = 0.0
        self.word = None

    def renew(self) -> None:
        """Says what it spends by, then reads what is granted."""
        self.heard = self.spends
        self.word = self.rate

    def act(self) -> None:
        if self.word is not None:
            self.spends = self.word


events = st.tuples(
    st.sampled_from(["renew", "renew", "act", "act", "trade", "takeover", "claim"]),
    st.integers(0, 2),
    st.lists(st.floats(0.0, 6.0), min_size=3, max_size=3),
)


@settings(max_examples=500, deadline=None)
@given(st.lists(events, min_size=4, max_size=40))
def test_what_is_spent_never_exceeds_the_budget(
    story: list[tuple[str, int, list[float]]],
) -> None:
    """Owners act late on what they read; others die, and are replaced while a trade is decided upon
    what the ledger said before.
    """
    owners = [Owner(shard, 2.0) for shard in range(3)]
    for owner in owners:
        owner.claim()
    for what, shard, targets in story:
        owner = owners[shard]
        if what == "claim":
            owner.die()
            owner.claim()
        elif what == "renew":
            owner.renew()
        elif what == "act":
            owner.act()
        else:
            if what == "takeover":
                owner.die()
            rows = [one.row() for one in owners]
            if what == "takeover":
                owner.claim()
            wanted = dict(enumerate(targets))
            for one, rate in settle_rates(rows, wanted, 6.0).items():
                owners[one].rate = rate
        assert sum(one.spends for one in owners) <= 6.0 * (1.0 + 1e-9)


def test_who_may_have_read_a_raise_and_has_not_said_so_is_granted_nothing_new() -> None:
    """Or it would spend the raise, which nobody counts any more, beside what others are given."""
    told, other = Owner(0, 4.0, heard=2.0, alive=True), Owner(1, 1.0, 1.0, alive=True)
    rates = settle_rates([told.row(), other.row()], {0: 0.5, 1: 5.5}, 6.0)
    assert rates == {0: 4.0, 1: 2.0}


def test_rates_settle_where_they_should_once_all_have_heard() -> None:
    owners = [Owner(shard, 2.0) for shard in range(3)]
    for owner in owners:
        owner.claim()
    wanted = {0: 4.0, 1: 1.5, 2: 0.5}
    for _ in range(2):
        rows = [one.row() for one in owners]
        for shard, rate in settle_rates(rows, wanted, 6.0).items():
            owners[shard].rate = rate
        for owner in owners:
            owner.renew()
            owner.act()
            owner.renew()
    assert {one.shard: one.spends for one in owners} == wanted


def test_the_budget_of_a_dead_shard_is_for_the_others() -> None:
    rows = [
        ShardRow(0, 1, "w", 9.0, 5.0, 5.0, "", 0.0, 0, 0.0),
        ShardRow(1, 1, "w", -1.0, 5.0, 5.0, "", 0.0, 0, 0.0),
    ]
    alike = Bid(0, (1.0, 2.0), (90.0, 80.0))
    said = [alike, replace(alike, shard=1)]
    cut = settle_rates(rows, market_targets(rows, said, 10.0), 10.0)
    assert (
        cut[0] == 5.0
    )  # whoever takes shard 1 over now spends what was granted before
    assert cut[1] < 0.1
    rows[1] = replace(rows[1], rate_per_s=cut[1])
    raised = settle_rates(rows, market_targets(rows, said, 10.0), 10.0)
    assert raised[0] > 9.9


def test_a_shard_that_never_bid_keeps_its_rate() -> None:
    rows = [
        ShardRow(s, 1, "w", 9.0, rate, rate, "", 0.0, 0, 0.0)
        for s, rate in enumerate((2.0, 3.0, 5.0))
    ]
    said = [Bid(s, (1.0, 2.0), (90.0, 80.0)) for s in (1, 2)]
    assert market_targets(rows, said, 10.0).keys() == {1, 2}
    assert settle_rates(rows, market_targets(rows, said, 10.0), 10.0)[0] == 2.0


_GOOD = Bid(0, (1.0, 2.0, 4.0), (8.0, 4.0, 2.0))


@pytest.mark.parametrize(
    "bad",
    [
        Bid(1, (1.0, 2.0, 4.0), (8.0, math.nan, 2.0)),
        Bid(1, (1.0, 2.0, 4.0), (8.0, math.inf, -1.0)),
        Bid(1, (0.0, 2.0, 4.0), (8.0, 4.0, 2.0)),
        Bid(1, (4.0, 2.0, 1.0), (8.0, 4.0, 2.0)),
        Bid(1, (1.0, 2.0), (8.0, 4.0)),
        Bid(1, (1.0, 2.0, 4.0), (8.0,)),
        Bid(1, (), ()),
    ],
)
def test_a_bid_that_cannot_be_meant_does_not_stop_the_market(bad: Bid) -> None:
    """Its shard keeps what it has, as if it had never bid."""
    rows = [ShardRow(s, 1, "w", 9.0, 2.0, 2.0, "", 0.0, 0, 0.0) for s in range(3)]
    others = [_GOOD, replace(_GOOD, shard=2)]
    with_it = market_targets(rows, [*others, bad], 6.0)
    assert with_it == market_targets(rows, others, 6.0)
    assert with_it.keys() == {0, 2}
    assert market_targets(rows, [bad], 6.0).keys() <= {1}
