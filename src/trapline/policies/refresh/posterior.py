"""posterior: Bayes and index.

Each page's change rate is learnt from its visits, under a prior learnt from all pages.

The rival to the automata of paper `htraa` (PAPERS.md), and what prices freshness in the live robot:

- a page's visits are kept as *evidence* (theory/change_rate/evidence.py), of which the last
  `remembers` count;
- the prior lives on a grid of rates. It starts as ignorance (every order of magnitude alike) and
  becomes the mean of the pages' posteriors, on the whole and by host (empirical Bayes), so that a
  page seen twice is scheduled well;
- the price is the posterior mean of the index, times 1 + `curiosity`·unknown: what is learnt from a
  visit is worth more the less is known, and nothing in the end. unknown = spread + 2/(1 + visits),
  spread = ln E[D] − E[ln D] over what the price averages (w_i for detections, w_i/D_i for
  freshness); and pages of which the same is known do not come in crowds, because each takes it
  between one and two times, by its number. Without curiosity a page that looks hopeless is never
  looked at again;
- offers touch the price curve at the market price (theory/change_rate/tangent.py), as this policy
  sees it: the running mean of what its visits were bought for. With each visit one other page's
  offer is written anew, in turn.

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> cards, policy = blank_cards(1), Posterior()
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=0.5, news=0.0, age_s=math.inf, now_s=0.0)
>>> for hour in range(1, 13):
...     changed = hour % 3 == 0
...     _ = policy.settle(cards, 0, Outcome.OK, changed, relevance=0.5, news=0.0, age_s=3600.0, now_s=3600.0 * hour)
>>> round(1.0 / policy.change_rate(0).mean / 3600.0, 1)  # a change was seen in every third hour
2.5
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.core.cards import BY_DUE, Cards
from trapline.core.errors import BadNumber, UnknownName, check_rate
from trapline.core.ports import Arrays
from trapline.policies.refresh.card_policy import CardPolicy, Numbers
from trapline.theory.change_rate.evidence import (
    CHANGES,
    COLUMNS,
    UNCHANGED,
    remember,
    weigh,
)
from trapline.theory.change_rate.grid import rate_grid
from trapline.theory.change_rate.tangent import touching, touching_at
from trapline.theory.kernel import bare_kernel

OBJECTIVES: Final = ("freshness", "detections")

_SIZE: Final = 48  # rates on the grid
# pages that outweigh ignorance, and pages of a host that outweigh all others
_TRUST: Final = 20.0
_SLOWEST: Final = 2e-3  # least step of the running mean of prices
_LOOKS: Final = 32  # cards looked at, at most, for the next one to write anew

# what is unknown of a page never revisited, beside the spread; halved by its first visit
_FIRST: Final = 2.0
# after which a page is seen again for the first time, whatever the prior thinks of it
_FIRST_ROUNDS: Final = 2.0
_SAME: Final = 0.02  # in due times that need no renewal, relative
_GOLDEN: Final = 0.6180339887498949  # its multiples fill the unit interval evenly

# Numbers: settings, what is learnt on the whole, places for more settings; then rows of the grid;
# then one row a host.
(
    _FRESHNESS,
    _REMEMBERS,
    _CURIOSITY,
    _HORIZON,
    _MARKET,
    _PAID,
    _CURSOR,
    _TURNS,
    _PAGES,
    _SEEN,
    _SINCE,
    _ROUND,
) = range(12)
# three places for policies built on this one: a setting, and two numbers that are learnt
MORE: Final = 12
_RATES: Final = 15
_LOGS: Final = _RATES + _SIZE  # of the rates
_MEAN: Final = _LOGS + _SIZE  # mean of all pages' posteriors
_PRIOR: Final = _MEAN + _SIZE  # of the page at hand
_WEIGHTS: Final = _PRIOR + _SIZE  # its posterior
_HOSTS: Final = _WEIGHTS + _SIZE
# of a host: pages with evidence, how often they were looked at, mean of their posteriors
_ROW: Final = 2 + _SIZE

RELEVANCE: Final = COLUMNS  # memory of a page: its evidence, then its relevance


@bare_kernel
def _visits(memory: Numbers, page: int) -> float:
    """How many visits are remembered."""
    return float(memory[page, CHANGES] + memory[page, UNCHANGED])


@bare_kernel
def _expect(numbers: Numbers, host: int, known: float) -> None:
    """The prior of a page of a host (−1 = any) of which `known` other pages have evidence."""
    pages = numbers[_PAGES]
    row = _HOSTS + host * _ROW
    share = pages / (pages + _TRUST)
    for i in range(_SIZE):
        numbers[_PRIOR + i] = share * numbers[_MEAN + i] + (1.0 - share) / _SIZE
    if known > 0.0:
        for i in range(_SIZE):
            usual = numbers[_PRIOR + i]
            numbers[_PRIOR + i] = (known * numbers[row + 2 + i] + _TRUST * usual) / (
                known + _TRUST
            )


@bare_kernel
def _believe(numbers: Numbers, evidence: Numbers, host: int) -> None:
    """The posterior of a page, from the prior of its host."""
    # the page itself is one of its host's
    counted = evidence[CHANGES] + evidence[UNCHANGED] > 0.0
    known = numbers[_HOSTS + host * _ROW]
    _expect(numbers, host, known - 1.0 if counted else known)
    rates = numbers[_RATES : _RATES + _SIZE]
    prior = numbers[_PRIOR : _PRIOR + _SIZE]
    weigh(rates, prior, evidence, numbers[_WEIGHTS : _WEIGHTS + _SIZE])


@bare_kernel
def found_worth(numbers: Numbers, host: int) -> float:
    """What finding a page of relevance 1 on a host (−1 = any) is worth: E[1/(D + 1/horizon)]
    seconds; 1 find.
    """
    if numbers[_FRESHNESS] == 0.0:
        return 1.0
    _expect(numbers, host, numbers[_HOSTS + host * _ROW] if host >= 0 else 0.0)
    worth = 0.0
    for i in range(_SIZE):
        worth += numbers[_PRIOR + i] / (numbers[_RATES + i] + 1.0 / numbers[_HORIZON])
    return float(worth)


@bare_kernel
def _spread(numbers: Numbers) -> float:
    """ln E[D] − E[ln D] of what the price averages: 0 where the rate is known."""
    total = 0.0
    mean = 0.0
    logs = 0.0
    for i in range(_SIZE):
        rate = numbers[_RATES + i]
        part = (
            numbers[_WEIGHTS + i] / rate
            if numbers[_FRESHNESS]
            else numbers[_WEIGHTS + i]
        )
        total += part
        mean += part * rate
        logs += part * numbers[_LOGS + i]
    return math.log(mean / total) - logs / total


@bare_kernel
def _asked_age(cards: Cards, page: int, price: float) -> float:
    """The age at which the offer as it stands reaches a price: where to begin to look for the next
    one.
    """
    worth = cards["worth"][page, 0]
    rate = cards["rate"][page, 0]
    if not worth > price or rate <= 0.0:
        return 0.0
    root = math.sqrt(price / worth)
    return float(root / ((1.0 - root) * rate))


@bare_kernel
def _offer(
    cards: Cards,
    numbers: Numbers,
    page: int,
    visits: float,
    relevance: float,
    age_s: float,
) -> None:
    """Write the page's offer from the posterior at hand."""
    # pages of which the same is known are not to come in crowds
    phase = (page * _GOLDEN) % 1.0
    unknown = _spread(numbers) + _FIRST / (1.0 + visits)
    factor = relevance * (1.0 + (1.0 + phase) * numbers[_CURIOSITY] * unknown)
    cards["base"][page] = 0.0
    cards["shape"][page, 0] = 1.0
    if factor <= 0.0:
        cards["worth"][page, 0] = 0.0
        return
    rates = numbers[_RATES : _RATES + _SIZE]
    weights = numbers[_WEIGHTS : _WEIGHTS + _SIZE]
    freshness = numbers[_FRESHNESS] != 0.0
    usual_s = 1.0 / rates[_SIZE // 2]
    if numbers[_MARKET] <= 0.0:  # nothing was bought yet
        worth, rate = touching_at(rates, weights, usual_s, freshness)
    else:
        guess = _asked_age(cards, page, numbers[_MARKET])
        if guess <= 0.0:
            guess = age_s if 0.0 < age_s < math.inf else usual_s
        worth, rate = touching(
            rates, weights, numbers[_MARKET] / factor, guess, freshness
        )
    cards["worth"][page, 0] = factor * worth
    cards["rate"][page, 0] = rate
    if visits == 0.0 and numbers[_MARKET] > 0.0:
        _see_once(cards, numbers, page)


@bare_kernel
def _see_once(cards: Cards, numbers: Numbers, page: int) -> None:
    """A page never seen again reaches the market price after two rounds: a prior may be wrong about
    any one page.
    """
    latest = _FIRST_ROUNDS * numbers[_ROUND]
    asked = _asked_age(cards, page, numbers[_MARKET])
    if latest > 0.0 and (asked <= 0.0 or asked > latest):
        cards["worth"][page, 0] = 4.0 * numbers[_MARKET]
        cards["rate"][page, 0] = 1.0 / latest


@bare_kernel
def _renew(
    cards: Cards, numbers: Numbers, page: int, visits: float, relevance: float
) -> int:
    """Write a waiting page's offer anew; −1 = it would be due as before, and is left
    as it stands.
    """
    worth = cards["worth"][page, 0]
    rate = cards["rate"][page, 0]
    before = _asked_age(cards, page, numbers[_MARKET])
    _offer(cards, numbers, page, visits, relevance, 0.0)
    if (
        abs(_asked_age(cards, page, numbers[_MARKET]) - before) > _SAME * before
        or before <= 0.0
    ):
        return page
    cards["worth"][page, 0] = worth
    cards["rate"][page, 0] = rate
    return -1


@bare_kernel
def _pay(cards: Cards, numbers: Numbers, page: int, age_s: float, now_s: float) -> None:
    """Note what the visit was bought for: its offer at that age."""
    u = cards["rate"][page, 0] * age_s
    price = cards["worth"][page, 0] * (u / (1.0 + u)) ** 2
    if numbers[_PAID] == 0.0:
        numbers[_SINCE] = now_s
    numbers[_PAID] += 1.0
    numbers[_ROUND] = numbers[_TURNS] * (now_s - numbers[_SINCE]) / numbers[_PAID]
    numbers[_MARKET] += (price - numbers[_MARKET]) * max(_SLOWEST, 1.0 / numbers[_PAID])


@bare_kernel
def _share(numbers: Numbers, host: int) -> None:
    """The posterior at hand becomes part of the priors: running means, each over about as many
    looks as pages.
    """
    numbers[_SEEN] += 1.0
    _mix_in(numbers, _MEAN, 1.0 / min(numbers[_SEEN], numbers[_PAGES]))
    row = _HOSTS + host * _ROW
    if numbers[row] > 1.0:  # a page alone on its host has nobody to tell
        numbers[row + 1] += 1.0
        _mix_in(numbers, row + 2, 1.0 / min(numbers[row + 1], numbers[row]))


@bare_kernel
def _mix_in(numbers: Numbers, mean: int, step: float) -> None:
    for i in range(_SIZE):
        numbers[mean + i] += step * (numbers[_WEIGHTS + i] - numbers[mean + i])


@bare_kernel
def _next_waiting(cards: Cards, numbers: Numbers, pages: int) -> int:
    """The next page that waits for its time, in turn; −1 = none near.

    (Others are under way, closed, new or gone.)
    """
    for _ in range(min(_LOOKS, pages)):
        page = int(numbers[_CURSOR]) % pages
        numbers[_CURSOR] = page + 1.0
        if cards["filed"][page] == BY_DUE:
            return page
    return -1


@bare_kernel
def settle_posterior(
    cards: Cards,
    numbers: Numbers,
    memory: Numbers,
    page: int,
    outcome: int,
    changed: bool,
    relevance: float,
    news: float,
    age_s: float,
    now_s: float,
) -> int:
    memory[page, RELEVANCE] = relevance
    # a round of pages: not of cards, of which there are spare ones
    numbers[_TURNS] = max(numbers[_TURNS], page + 1.0)
    if age_s > 0.0 and not math.isinf(age_s):
        if _visits(memory, page) == 0.0:
            numbers[_PAGES] += 1.0
            numbers[_HOSTS + cards["host"][page] * _ROW] += 1.0
        _pay(cards, numbers, page, age_s, now_s)
        remember(memory[page], age_s, changed, numbers[_REMEMBERS])
    _believe(numbers, memory[page], cards["host"][page])
    _offer(cards, numbers, page, _visits(memory, page), relevance, age_s)
    other = _next_waiting(
        cards, numbers, min(int(numbers[_TURNS]), len(cards), len(memory))
    )
    if other < 0:
        return -1
    _believe(numbers, memory[other], cards["host"][other])
    if _visits(memory, other) > 0.0:
        _share(numbers, cards["host"][other])
    return _renew(
        cards, numbers, other, _visits(memory, other), memory[other, RELEVANCE]
    )


class ChangeRate(NamedTuple):
    """What is believed of a page's change rate: mean and standard deviation of its posterior."""

    mean: float
    sd: float


class Posterior(CardPolicy):
    roles = frozenset({"refresh"})
    weighted = True
    columns = COLUMNS + 1
    settle_kernel = staticmethod(settle_posterior)

    def __init__(
        self,
        objective: str = "freshness",
        *,
        remembers: float = 50.0,
        curiosity: float = 0.3,
        horizon_s: float = 2_592_000.0,
        fastest_s: float = 10.0,
        slowest_s: float = 315_360_000.0,
    ) -> None:
        """`remembers` visits a page; a page is worth holding 30 days; changes come every 10 s to
        every 10 years.
        """
        if objective not in OBJECTIVES:
            raise UnknownName("objective", objective, list(OBJECTIVES))
        if not 2.0 <= remembers < math.inf:
            raise BadNumber(
                "remembers", remembers, "a finite number of visits, at least 2"
            )
        if not 0.0 <= curiosity < math.inf:
            raise BadNumber("curiosity", curiosity, "a finite number, at least 0")
        check_rate(
            "horizon_s",
            horizon_s,
            "seconds for which a page that was found is worth holding",
        )
        check_rate(
            "fastest_s", fastest_s, "seconds between changes of the fastest pages"
        )
        super().__init__(*np.zeros(_HOSTS + _ROW))
        self.numbers[_FRESHNESS] = objective == "freshness"
        self.numbers[_REMEMBERS] = remembers
        self.numbers[_CURIOSITY] = curiosity
        self.numbers[_HORIZON] = horizon_s
        self.numbers[_RATES:_LOGS] = rate_grid(fastest_s, slowest_s, _SIZE)
        self.numbers[_LOGS:_MEAN] = np.log(self.numbers[_RATES:_LOGS])

    def fit(self, pages: int, hosts: int) -> None:
        super().fit(pages, hosts)
        have = (len(self.numbers) - _HOSTS) // _ROW
        if hosts > have:
            grown = np.zeros(_HOSTS + max(hosts, 2 * have) * _ROW)
            grown[: len(self.numbers)] = self.numbers
            self.numbers = grown

    def found_worth(self, host: int) -> float:
        """What turns the score of a fringe page (expected relevance) into a price;
        host −1 = any.
        """
        return float(
            found_worth(
                self.numbers,
                host if host < (len(self.numbers) - _HOSTS) // _ROW else -1,
            )
        )

    def change_rate(self, page: int, host: int = 0) -> ChangeRate:
        """Of a page never revisited it is what the pages seen so far suggest, above all those of
        its host.
        """
        evidence = (
            self.memory[page, :COLUMNS].copy()
            if page < len(self.memory)
            else np.zeros(COLUMNS)
        )
        desk = self.numbers.copy()
        _believe(desk, evidence, host)
        rates = desk[_RATES : _RATES + _SIZE]
        weights = desk[_WEIGHTS : _WEIGHTS + _SIZE]
        mean = float(weights @ rates)
        return ChangeRate(
            mean, math.sqrt(max(float(weights @ rates**2) - mean * mean, 0.0))
        )

    def state(self) -> Arrays:
        return {**super().state(), "numbers": self.numbers}

    def restore(self, state: Arrays) -> None:
        """Settings stay as they are set now; the prior is learnt anew if its grid is another."""
        super().restore(state)
        saved = np.array(state["numbers"], np.float64)
        if not np.array_equal(saved[_RATES:_MEAN], self.numbers[_RATES:_MEAN]):
            saved[_SEEN] = _TRUST
            saved[_MEAN:_PRIOR] = 1.0 / _SIZE
            # how many of their pages have evidence is still so
            hosts = saved[_HOSTS:].reshape(-1, _ROW)
            hosts[:, 1] = _TRUST
            hosts[:, 2:] = 1.0 / _SIZE
        saved[:_MARKET], saved[MORE], saved[_RATES:_MEAN] = (
            self.numbers[:_MARKET],
            self.numbers[MORE],
            self.numbers[_RATES:_MEAN],
        )
        self.numbers = saved
