"""adaptive-whittle: the price of a revisit from what each visit brought: changes, and news.

A held page gains in two ways, and its price is the sum of both (theory/price.py; DESIGN.md "One
price"), in relevant page-seconds:

- *freshness*: as `posterior` prices it (posterior.py), from the changes that its visits found;
- *news* (`whittle`): it lists new things at a rate whose Gamma posterior has mean Λξ, in relevance
  a second; ξ counts only what they promise beyond the market price (the controller sees to that),
  so that a link is not paid twice. Each is worth W = E[1/(D + 1/horizon)], as a page found on this
  host is. What is lost by coming later is interest, which halves every `interest_half_life_s`, and
  the seconds for which the thing could have been held: c = ln 2/half-life + 1/W. The news are worth
  ΛξW/c. (With c = 1/W and young news this is ξΛt²/2: relevance times seconds lost.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> cards, policy = blank_cards(1), AdaptiveWhittle()
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=0.5, news=0.0, age_s=math.inf, now_s=0.0)
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=0.5, news=3.0, age_s=600.0, now_s=600.0)
>>> found = policy.beliefs(0)  # a second; news in relevance
>>> round(3600 * found.news_rate, 1), found.watched_s
(17.9, 600.0)
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from trapline.core.cards import Cards
from trapline.core.errors import check_rate
from trapline.policies.refresh.card_policy import Numbers
from trapline.policies.refresh.posterior import (
    MORE,
    RELEVANCE,
    Posterior,
    found_worth,
    settle_posterior,
)
from trapline.theory.kernel import bare_kernel

# decay of interest; news that all pages showed, page-seconds
_DECAY = MORE
_ALL_SEEN = MORE + 1
_ALL_DURING = MORE + 2
# memory of a page: news seen, seconds over which
_SEEN = RELEVANCE + 1
_DURING = RELEVANCE + 2

# horizons from one change to the next: slower pages need not be told apart
_AS_GOOD_AS_NEVER: Final = 30.0
# of an item is what the prior of a page has seen, in the time in which all pages show as much
_NEWS: Final = 0.1
# and what that of all pages has: hardly anything in a minute
_LEAST: Final = 1e-3, 60.0


@bare_kernel
def _prior_s(numbers: Numbers) -> float:
    """In how many seconds a page of which nothing is known shows as much as the prior has seen."""
    usual = (_LEAST[0] + numbers[_ALL_SEEN]) / (_LEAST[1] + numbers[_ALL_DURING])
    return float(_NEWS / usual)


@bare_kernel
def _settle(
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
    other = settle_posterior(
        cards, numbers, memory, page, outcome, changed, relevance, news, age_s, now_s
    )
    if age_s > 0.0 and not math.isinf(age_s):
        memory[page, _SEEN] += news
        memory[page, _DURING] += age_s
        numbers[_ALL_SEEN] += news
        numbers[_ALL_DURING] += age_s
    listed = (_NEWS + memory[page, _SEEN]) / (_prior_s(numbers) + memory[page, _DURING])
    worth = found_worth(numbers, cards["host"][page])
    lost = numbers[_DECAY] + 1.0 / worth
    cards["worth"][page, 1] = listed * worth / lost
    cards["rate"][page, 1] = lost
    cards["shape"][page, 1] = math.inf
    return other


class Beliefs(NamedTuple):
    """What is believed of a page, rates a second, each with the standard deviation of its
    posterior.

    That of the news takes each unit of relevance for one item; items of less relevance are more of
    them, and surer.
    """

    change_rate: float
    change_rate_sd: float
    news_rate: float
    news_rate_sd: float
    news_seen: float
    watched_s: float


class AdaptiveWhittle(Posterior):
    columns = Posterior.columns + 2
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interest_half_life_s: float = 172_800.0,
        horizon_s: float = 2_592_000.0,
        remembers: float = 50.0,
        curiosity: float = 0.3,
    ) -> None:
        """Half-life of interest 2 days; a page found is worth holding 30 days."""
        check_rate(
            "interest_half_life_s",
            interest_half_life_s,
            "seconds in which interest in news halves",
        )
        # beyond the quickest pages, whatever the horizon
        slowest_s = max(_AS_GOOD_AS_NEVER * horizon_s, 3600.0)
        super().__init__(
            remembers=remembers,
            curiosity=curiosity,
            horizon_s=horizon_s,
            slowest_s=slowest_s,
        )
        self.numbers[_DECAY] = math.log(2.0) / interest_half_life_s

    def beliefs(self, page: int, host: int = 0) -> Beliefs:
        rate = self.change_rate(page, host)
        seen, during = (
            self.memory[page, _SEEN:].tolist()
            if page < len(self.memory)
            else (0.0, 0.0)
        )
        listed = _NEWS + seen
        over = _prior_s(self.numbers) + during
        return Beliefs(
            rate.mean, rate.sd, listed / over, math.sqrt(listed) / over, seen, during
        )
