"""posterior: prices by each page's change rate, learnt from its visits under a prior of all pages.

The rival to the automata of paper `htraa`, and what prices freshness in the live robot:

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
- a page that is asked for is worth more than its relevance says (`weigh`, theory/demand.py);
- offers touch the price curve at the market price (theory/change_rate/tangent.py), which is the
  till's and comes with each visit. With each visit one other page's offer is written anew, in turn.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = Posterior()
>>> _ = policy.settle(cards, 0, a_visit(relevance=0.5))
>>> for hour in range(1, 13):
...     now_s = 3600.0 * hour
...     seen = a_visit(changed=hour % 3 == 0, relevance=0.5, age_s=3600.0, now_s=now_s)
...     _ = policy.settle(cards, 0, seen)
>>> round(1.0 / policy.change_rate(0).mean / 3600.0, 1)  # a change was seen in every third hour
2.5
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BY_DUE, HELD, Cards
from trapline.core.errors import BadNumber, UnknownName, check_rate
from trapline.core.ports import Arrays, Explanation, LearntRate, Pages, Seen
from trapline.policies.mind import Records, as_records, as_table, grow_records
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.rate_beliefs import (
    HOST,
    LEARNT,
    SIZE,
    TRUST,
    Grid,
    Mind,
    Settings,
    as_numbers,
    believe,
    believe_all,
    found_worth,
    from_numbers,
    new_grid,
    share,
    spread_of,
    visits_of,
)
from trapline.policies.refresh.refresh_policy import Floats, KnownPages
from trapline.policies.wording import say_rate, say_span
from trapline.theory.change_rate.credible_band import grid_band
from trapline.theory.change_rate.evidence import (
    CHANGES,
    COLUMNS,
    UNCHANGED,
    remember,
)
from trapline.theory.change_rate.grid import rate_grid
from trapline.theory.change_rate.tangent import touching, touching_at
from trapline.theory.kernel import bare_kernel
from trapline.theory.planning.page_gains import PageGains

OBJECTIVES: Final = ("freshness", "detections")

_LOOKS: Final = 32  # cards looked at, at most, for the next one to write anew

# what is unknown of a page never revisited, beside the spread; halved by its first visit
_FIRST: Final = 2.0
# after which a page is seen again for the first time, whatever the prior thinks of it
_FIRST_ROUNDS: Final = 2.0
_FLAT: Final = 0.999  # of its ceiling is as high as a price is taken to rise
_SAME: Final = 0.02  # in due times that need no renewal, relative
_ALWAYS: Final = 3.0  # changes in a row, from which on a page is said to change always
_HARDLY: Final = 0.01  # as many visits without one, beside them, are forgotten
_TAIL: Final = 0.05  # of the belief lies beyond the end of a band
_GOLDEN: Final = 0.6180339887498949  # its multiples fill the unit interval evenly


@bare_kernel
def _asked_age(cards: Cards, page: int, market: float) -> float:
    """The age at which the offer as it stands is worth the market price of what it costs: where the
    next search begins.
    """
    price = market * cards["cost"][page]
    worth = cards["worth"][page, 0]
    rate = cards["rate"][page, 0]
    if not worth > price or rate <= 0.0:
        return 0.0
    root = math.sqrt(price / worth)
    return float(root / ((1.0 - root) * rate))


@bare_kernel
def _offer(cards: Cards, mind: Mind, page: int, age_s: float, market: float) -> None:
    """Write the page's offer from the posterior at hand."""
    known = mind.pages
    weight = known["relevance"][page] * (1.0 + known["asked"][page])
    grid = mind.grid
    visits = visits_of(mind, page)
    # pages of which the same is known are not to come in crowds
    phase = (page * _GOLDEN) % 1.0
    spread, ceiling = spread_of(mind)
    unknown = spread + _FIRST / (1.0 + visits)
    factor = weight * (1.0 + (1.0 + phase) * mind.settings.curiosity * unknown)
    cards["base"][page] = 0.0
    cards["shape"][page, 0] = 1.0
    if factor <= 0.0:
        cards["worth"][page, 0] = 0.0
        return
    freshness = mind.settings.freshness
    usual_s = 1.0 / grid.rates[SIZE // 2]
    price = market * cards["cost"][page]
    if market <= 0.0:  # nothing was bought yet
        worth, rate = touching_at(grid.rates, grid.weights, usual_s, freshness)
    else:
        guess = _asked_age(cards, page, market)
        if guess <= 0.0:
            guess = age_s if 0.0 < age_s < math.inf else usual_s
        if (
            price >= _FLAT * factor * ceiling
        ):  # it never gets there: touch where it is flat
            latest_s = 30.0 / grid.rates[SIZE - 1]
            worth, rate = touching_at(grid.rates, grid.weights, latest_s, freshness)
        else:
            worth, rate = touching(
                grid.rates, grid.weights, price / factor, guess, freshness
            )
    cards["worth"][page, 0] = factor * worth
    cards["rate"][page, 0] = rate
    if visits == 0.0 and market > 0.0:
        _see_once(cards, page, _FIRST_ROUNDS * mind.learnt["round"][0], market)


@bare_kernel
def _see_once(cards: Cards, page: int, latest_s: float, market: float) -> None:
    """A page never seen again reaches the market price after two rounds: a prior may be wrong."""
    asked = _asked_age(cards, page, market)
    if latest_s > 0.0 and (asked <= 0.0 or asked > latest_s):
        cards["worth"][page, 0] = 4.0 * market * cards["cost"][page]
        cards["rate"][page, 0] = 1.0 / latest_s


@bare_kernel
def _renew(cards: Cards, mind: Mind, page: int, market: float) -> bool:
    """Write a waiting page's offer anew; False = it would be due as before, and stays as it is."""
    worth = cards["worth"][page, 0]
    rate = cards["rate"][page, 0]
    base = cards["base"][page]  # what feeds and sitemaps say of it stays
    before = _asked_age(cards, page, market)
    _offer(cards, mind, page, 0.0, market)
    cards["base"][page] = base
    later = _asked_age(cards, page, market)
    if abs(later - before) > _SAME * before or before <= 0.0:
        return True
    cards["worth"][page, 0] = worth
    cards["rate"][page, 0] = rate
    return False


@bare_kernel
def _count_round(learnt: Records, now_s: float) -> None:
    """How long a round takes, by the visits so far."""
    if learnt["paid"][0] == 0.0:
        learnt["since"][0] = now_s
    learnt["paid"][0] += 1.0
    passed_s = now_s - learnt["since"][0]
    learnt["round"][0] = learnt["turns"][0] * passed_s / learnt["paid"][0]


@bare_kernel
def _next_waiting(cards: Cards, mind: Mind, pages: int) -> int:
    """The next page that waits for its time, in turn; −1 = none near.

    (Others are under way, closed, new or gone.)
    """
    for _ in range(min(_LOOKS, pages)):
        page = int(mind.learnt["cursor"][0]) % pages
        mind.learnt["cursor"][0] = page + 1.0
        if cards["filed"][page] == BY_DUE:
            return page
    return -1


@bare_kernel
def settle_posterior(
    cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages
) -> int:
    learnt = mind.learnt
    pages = mind.pages
    host = cards["host"][page]
    pages["relevance"][page] = seen.relevance
    # a round of pages: not of cards, of which there are spare ones
    learnt["turns"][0] = max(learnt["turns"][0], page + 1.0)
    if seen.age_s > 0.0 and not math.isinf(seen.age_s):
        if visits_of(mind, page) == 0.0:
            learnt["pages"][0] += 1.0
            mind.hosts["pages"][host] += 1.0
        _count_round(learnt, seen.now_s)
        most = mind.settings.remembers
        remember(pages["evidence"][page], seen.age_s, seen.changed, most)
    market = seen.market_price
    believe(mind, page, host)
    _offer(cards, mind, page, seen.age_s, market)
    turns = min(int(learnt["turns"][0]), len(cards), len(pages))
    other = _next_waiting(cards, mind, turns)
    if other < 0:
        return 0
    believe(mind, other, cards["host"][other])
    if visits_of(mind, other) > 0.0:
        share(mind, cards["host"][other])
    if not _renew(cards, mind, other, market):
        return 0
    others[0] = other
    return 1


def _widen(memory: NDArray[np.generic]) -> Floats:
    """What earlier versions saved has no column for demand: nobody had asked."""
    table = np.asarray(memory, np.float64)
    columns = Posterior.page_record.itemsize // 8
    return np.pad(table, ((0, 0), (0, columns - table.shape[1])))


class ChangeRate(NamedTuple):
    """What is believed of a page's change rate: mean and standard deviation of its posterior."""

    mean: float
    sd: float


class Posterior(CardPolicy):
    weighted = True
    prices_finds = True
    learns_rates = True
    page_record = np.dtype(
        [
            ("evidence", np.float64, (COLUMNS,)),
            ("relevance", np.float64),
            ("asked", np.float64),  # what demand adds to its worth, in relevance
        ]
    )
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
        """`remembers` visits a page; a page is worth holding 30 days.

        Changes come every 10 s to every 10 years.
        """
        if objective not in OBJECTIVES:
            raise UnknownName("objective", objective, list(OBJECTIVES))
        if not 2.0 <= remembers < math.inf:
            raise BadNumber(
                "remembers", remembers, "a finite number of visits, at least 2"
            )
        if not 0.0 <= curiosity < math.inf:
            raise BadNumber("curiosity", curiosity, "a finite number, at least 0")
        worth_holding = "seconds for which a page that was found is worth holding"
        check_rate("horizon_s", horizon_s, worth_holding)
        check_rate(
            "fastest_s", fastest_s, "seconds between changes of the fastest pages"
        )
        freshness = objective == "freshness"
        self.mind = Mind(
            Settings(freshness, float(remembers), float(curiosity), float(horizon_s)),
            np.zeros(1, LEARNT),
            new_grid(rate_grid(fastest_s, slowest_s, SIZE)),
            np.zeros(1, HOST),
            np.zeros(0, self.page_record),
        )

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        """Detections are what polling is about. The range of rates is told, the prior is not."""
        # what changes more rarely than that is not worth telling apart
        slowest_s = 2_000.0 * len(known)
        return cls("detections", fastest_s=0.25, slowest_s=slowest_s)

    @property
    def belief(self) -> Mind:
        """The part of its mind that is about change rates."""
        mind: Mind = self.mind
        return mind

    def _keep(self, belief: Mind) -> None:
        self.mind = belief

    def fit(self, pages: int, hosts: int) -> None:
        belief = self.belief
        if len(belief.pages) < pages:
            self._keep(belief._replace(pages=grow_records(belief.pages, pages)))
        have = len(belief.hosts)
        if hosts > have:
            grown = grow_records(belief.hosts, max(hosts, 2 * have))
            self._keep(self.belief._replace(hosts=grown))

    def weigh(self, cards: Cards, page: int, factor: float) -> Sequence[int]:
        """The offer as it stands is scaled; it touches the price curve again when it is renewed."""
        self.fit(len(cards), 0)
        pages = self.belief.pages
        before = 1.0 + float(pages["asked"][page])
        pages["asked"][page] = factor - 1.0
        if cards["state"][page] != HELD:
            return ()
        cards["worth"][page, 0] *= factor / before
        return (page,)

    def factors(self) -> dict[int, float]:
        asked = self.belief.pages["asked"]
        return {
            page: 1.0 + float(asked[page]) for page in np.flatnonzero(asked).tolist()
        }

    def found_worth(self, host: int) -> float:
        known = host if host < len(self.belief.hosts) else -1
        return float(found_worth(self.belief, known))

    def change_rate(self, page: int, host: int = 0) -> ChangeRate:
        """Of a page never revisited it is what the pages seen so far suggest.

        Those of its host count most.
        """
        grid = self._grid_of(page, host)
        mean = float(grid.weights @ grid.rates)
        variance = float(grid.weights @ grid.rates**2) - mean * mean
        return ChangeRate(mean, math.sqrt(max(variance, 0.0)))

    def learnt_rates(self, page: int, host: int) -> list[LearntRate]:
        grid = self._grid_of(page, host)
        mean = float(grid.weights @ grid.rates)
        return [LearntRate("changes", mean, *grid_band(grid.rates, grid.weights))]

    def page_gains(self, pages: Pages, hosts: Pages) -> PageGains:
        belief = self.belief
        known = np.zeros(int(pages.max(initial=-1)) + 1, Posterior.page_record)
        copied = min(len(known), len(belief.pages))
        known[:copied] = belief.pages[:copied]
        scratch = belief.grid._replace(prior=np.zeros(SIZE), weights=np.zeros(SIZE))
        weights = np.zeros((len(pages), SIZE))
        mind = belief._replace(pages=known, grid=scratch)
        believe_all(mind, pages, hosts, weights)
        none = np.zeros(len(pages))
        lost = np.full(len(pages), 1.0 / belief.settings.horizon_s)
        relevance = known["relevance"][pages]
        return PageGains(scratch.rates, weights, relevance, none, none, lost)

    def learnt_pages(self) -> int:
        return int(self.belief.learnt["pages"][0])

    def _grid_of(self, page: int, host: int) -> Grid:
        """The posterior of a page, beside what is at hand."""
        belief = self.belief
        pages = np.zeros(1, Posterior.page_record)
        if page < len(belief.pages):
            pages["evidence"] = belief.pages["evidence"][page]
        grid = belief.grid._replace(prior=np.zeros(SIZE), weights=np.zeros(SIZE))
        believe(belief._replace(pages=pages, grid=grid), 0, host)
        return grid

    def explain(self, page: int, host: int) -> Explanation:
        rate = self.change_rate(page, host)
        values = {"change_rate": rate.mean, "change_rate_sd": rate.sd}
        lines = [("believed changes", say_rate(*rate)), *self._say_capped(page, host)]
        return Explanation(values, lines)

    def is_capped(self, page: int, host: int) -> bool:
        """Whether it may change faster than any rate that is told apart: visits found changes
        only, and the band of its rate ends where the grid does.
        """
        if page >= len(self.belief.pages):
            return False
        evidence = self.belief.pages["evidence"][page]
        changes = float(evidence[CHANGES])
        always = changes >= _ALWAYS and evidence[UNCHANGED] < _HARDLY * changes
        return bool(always and self._grid_of(page, host).weights[0] > _TAIL)

    def _say_capped(self, page: int, host: int) -> list[tuple[str, str]]:
        if not self.is_capped(page, host):
            return []
        fastest = say_span(1.0 / float(self.belief.grid.rates[0]))
        return [
            (
                "rate at its cap",
                f"every visit found a change: it may change faster than every {fastest}, "
                "the fastest that is told apart (option fastest_s)",
            )
        ]

    def move_times(self, by_s: float) -> None:
        self.belief.learnt["since"] += by_s

    def state(self) -> Arrays:
        belief = self.belief
        return {"memory": as_table(belief.pages), "numbers": as_numbers(belief)}

    def restore(self, state: Arrays) -> None:
        """Settings stay as they are set now; the prior is learnt anew if its grid is another."""
        own = self.belief
        pages = as_records(_widen(state["memory"]), Posterior.page_record)
        saved = from_numbers(np.array(state["numbers"], np.float64), own)
        if not np.array_equal(saved.grid.rates, own.grid.rates):
            saved.learnt["seen"] = TRUST
            saved.grid.mean[:] = 1.0 / SIZE
            # how many of their pages have evidence is still so
            saved.hosts["looks"] = TRUST
            saved.hosts["mean"] = 1.0 / SIZE
        grid = saved.grid._replace(rates=own.grid.rates, logs=own.grid.logs)
        self._keep(saved._replace(grid=grid, pages=pages))
