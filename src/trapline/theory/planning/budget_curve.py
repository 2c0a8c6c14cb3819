"""What each budget buys, all hosts' gaps kept: the market of visits, cleared at many prices.

At a price λ each held page asks for a visit whenever its price reaches λ, and each page of the
fringe for one visit if it promises λ or more. A host whose gap leaves room for less has a price of
its own, at which its pages ask for just as much as it allows; so has an address on which several
hosts stand. What all ask for at λ is a budget, and what they gain is what it buys.

The fringe is a stock, and lasts for a day here: `PLANNED_S`.

>>> gains = PageGains.of_rates(np.array([1.0, 1.0]), relevance=np.ones(2))
>>> curve = budget_curve(gains, np.zeros(2, np.int64), no_fringe(), Rooms.without_bound(1))
>>> round(curve.at(1.0).fresh, 1)  # each every two seconds
0.9
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from trapline.theory.planning.page_gains import (
    Floats,
    Ints,
    PageGains,
    age_table,
    ask_ages,
    price_table,
)

PLANNED_S: Final = 86_400.0
_PRICES: Final = 64  # of each kind
_LOOKED_AT: Final = 500  # pages, for the prices that matter
_LEAST_PRICE: Final = 1e-12  # of the greatest


class FringePages(NamedTuple):
    price: Floats  # of a unit of cost
    relevance: Floats  # that is expected
    host: Ints
    cost: Floats  # of a visit


class Rooms(NamedTuple):
    """How many visits a second there is room for."""

    host: Floats  # of each host
    address: Ints  # of each host, where it stands
    by_address: Floats

    @classmethod
    def without_bound(cls, hosts: int) -> Rooms:
        return cls(np.full(hosts, np.inf), np.arange(hosts), np.full(hosts, np.inf))


class Spend(NamedTuple):
    """What a budget buys, a second; the finds in all of `PLANNED_S`. A budget is in units of cost:
    in visits, where each costs 1.
    """

    visits: float
    fresh: float  # Σ relevance × share of the time fresh
    news: float
    finds: float
    price: float


@dataclass(frozen=True)
class BudgetCurve:
    """By rising price. Rows of hosts are what they ask for, whether there is room or not."""

    prices: Floats
    visits: Floats
    spent: Floats  # on them
    fresh: Floats
    news: Floats
    finds: Floats
    wanted: Floats  # [host, price], visits a second
    host_price: Floats  # of each host's own; 0 = there is always room

    def at(self, budget: float) -> Spend:
        """Budgets beyond the ends of the curve buy what its ends buy."""
        with np.errstate(divide="ignore"):
            asked = np.log(self.spent[::-1])
        place = np.interp(np.log(budget), asked, np.arange(len(asked))[::-1])
        steps = np.arange(len(asked))
        return Spend(
            visits=min(budget, float(self.spent[0])) * self._visits_a_unit(place),
            fresh=float(np.interp(place, steps, self.fresh)),
            news=float(np.interp(place, steps, self.news)),
            finds=float(np.interp(place, steps, self.finds)),
            price=float(np.exp(np.interp(place, steps, np.log(self.prices)))),
        )

    def _visits_a_unit(self, place: float) -> float:
        some = self.spent > 0.0
        bought = np.divide(self.visits, self.spent, out=np.ones(len(some)), where=some)
        return float(np.interp(place, np.arange(len(some)), bought))

    def budget_for(self, fresh: float) -> float | None:
        """The smallest budget that buys so much freshness; None = none does.

        >>> gains = PageGains.of_rates(np.array([1.0, 1.0]), relevance=np.ones(2))
        >>> curve = budget_curve(gains, np.zeros(2, np.int64), no_fringe(), Rooms.without_bound(1))
        >>> budget = curve.budget_for(0.9)
        >>> budget is not None and abs(curve.at(budget).fresh - 0.9) < 0.01
        True
        """
        enough = np.flatnonzero(self.fresh >= fresh)  # prices rise, freshness falls
        if not len(enough):
            return None
        last = int(enough[-1])
        if last + 1 == len(self.fresh):
            return float(self.spent[last])
        share = (self.fresh[last] - fresh) / (self.fresh[last] - self.fresh[last + 1])
        high, low = self.spent[last], self.spent[last + 1]
        return float(high + share * (low - high))

    def wanted_at(self, price: float) -> Floats:
        """Visits a second that each host's pages ask for at a price."""
        logs = np.log(self.prices)
        place = float(np.interp(np.log(price), logs, np.arange(len(logs))))
        return _columns_at(self.wanted, np.full(len(self.wanted), place))


def no_fringe() -> FringePages:
    return FringePages(np.zeros(0), np.zeros(0), np.zeros(0, np.int64), np.zeros(0))


def budget_curve(
    gains: PageGains,
    host: Ints,
    fringe: FringePages,
    rooms: Rooms,
    stands_for: float = 1.0,
    cost: Floats | None = None,
) -> BudgetCurve:
    """Of held pages with their hosts, at least one of them worth a visit, and the fringe.

    Each of the held pages stands for so many like it, where they are a sample. `cost` is that of a
    visit to each of them, 1 if nothing is said.
    """
    costs = np.ones(len(gains.relevance)) if cost is None else cost
    prices = _price_range(gains, fringe, costs)
    asked = ask_ages(gains, prices, costs)
    rates = stands_for / asked.age_s
    hosts = len(rooms.host)
    bought = _fringe_table(fringe, prices, hosts, np.ones(len(fringe.host)))
    wanted = bought / PLANNED_S
    np.add.at(wanted, host, rates)
    own = _own_places(wanted, rooms)
    spent = _fringe_table(fringe, prices, hosts, fringe.cost) / PLANNED_S
    np.add.at(spent, host, rates * costs[:, None])
    finds = _fringe_table(fringe, prices, hosts, fringe.relevance)
    return BudgetCurve(
        prices=prices,
        visits=_at_own(wanted, own).sum(axis=0),
        spent=_at_own(spent, own).sum(axis=0),
        fresh=stands_for * _at_own(asked.fresh, own[host]).sum(axis=0),
        news=stands_for * _at_own(asked.news, own[host]).sum(axis=0),
        finds=_at_own(finds, own).sum(axis=0),
        wanted=wanted,
        host_price=_prices_at(prices, own),
    )


def _price_range(gains: PageGains, fringe: FringePages, costs: Floats) -> Floats:
    """From nearly nothing to where nobody asks for anything: in equal steps, and closer where the
    prices of pages are.
    """
    looked_at = slice(None, None, 1 + len(gains.relevance) // _LOOKED_AT)
    some = price_table(gains.take(looked_at), age_table(gains))
    met = (some / costs[looked_at, None]).ravel()
    met = np.concatenate((met, fringe.price))
    met = met[met > 0.0]
    highest = float(met.max()) * 1.001
    steps = np.geomspace(_LEAST_PRICE, 1.0, _PRICES) * highest
    closer = np.quantile(met, np.linspace(0.0, 1.0, _PRICES + 2)[1:-1])
    return np.unique(np.concatenate((steps, closer[closer > steps[0]])))


def _fringe_table(
    fringe: FringePages, prices: Floats, hosts: int, worth: Floats
) -> Floats:
    """[host, price] → worth of the fringe pages that promise the price or more."""
    place = np.searchsorted(prices, fringe.price, side="right") - 1
    counted = place >= 0
    table = np.zeros((hosts, len(prices)))
    np.add.at(table, (fringe.host[counted], place[counted]), worth[counted])
    found: Floats = table[:, ::-1].cumsum(axis=1)[:, ::-1]
    return found


def _own_places(wanted: Floats, rooms: Rooms) -> Floats:
    """For each host the place among the prices from which on there is room for what it asks."""
    own = _places_within(wanted, rooms.host)
    together = np.zeros((len(rooms.by_address), wanted.shape[1]))
    np.add.at(together, rooms.address, _at_own(wanted, own))
    return np.maximum(own, _places_within(together, rooms.by_address)[rooms.address])


def _places_within(wanted: Floats, room: Floats) -> Floats:
    """The first place, also between two prices, at which no more is asked for than there is room.

    >>> _places_within(np.array([[8.0, 4.0, 2.0], [1.0, 0.5, 0.0]]), np.array([3.0, 2.0])).tolist()
    [1.5, 0.0]
    """
    over = wanted > room[:, None]
    last = np.where(
        over.any(axis=1), over.shape[1] - 1 - over[:, ::-1].argmax(axis=1), -1
    )
    before = np.clip(last, 0, wanted.shape[1] - 2)
    rows = np.arange(len(wanted))
    high = wanted[rows, before]
    low = wanted[rows, before + 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(high > low, (high - room) / (high - low), 1.0)
    return np.where(last < 0, 0.0, before + np.clip(share, 0.0, 1.0))


def _columns_at(table: Floats, places: Floats) -> Floats:
    """Of each row the value at a place between its columns."""
    before = np.minimum(places.astype(np.int64), table.shape[1] - 2)
    rows = np.arange(len(table))
    share = places - before
    found: Floats = (1.0 - share) * table[rows, before] + share * table[
        rows, before + 1
    ]
    return found


def _at_own(table: Floats, own: Floats) -> Floats:
    """The table as it is where a row's price is never below its own."""
    steps = np.arange(table.shape[1])
    return np.where(steps >= own[:, None], table, _columns_at(table, own)[:, None])


def _prices_at(prices: Floats, own: Floats) -> Floats:
    found = np.exp(np.interp(own, np.arange(len(prices)), np.log(prices)))
    return np.where(own > 0.0, found, 0.0)
