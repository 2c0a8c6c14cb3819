"""adaptive-whittle: the price of a revisit from what each visit brought: changes, and news.

A held page gains in two ways, and its price is the sum of both (theory/price.py; DESIGN.md "One price"), in relevant
page-seconds:

- *freshness*: its change rate D has a Gamma(a, b) posterior; worth r·b/(a−1), since 1/D is averaged, too;
- *news* (`whittle`): it lists new things at a rate whose Gamma posterior has mean Λξ, in relevance a second. Interest
  in them halves every `interest_half_life_s`, so c = ln 2/half-life; each is worth as much as holding a page of its
  relevance, s/(1/change_interval + 1/horizon), and the page's news are worth Λ·(that)/c.

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> cards, policy = blank_cards(1), AdaptiveWhittle(change_interval_s=3600.0)
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=0.5, news=0.0, age_s=math.inf, now_s=0.0)
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=0.5, news=3.0, age_s=600.0, now_s=600.0)
>>> found = policy.beliefs(0)  # a second; news in relevance
>>> round(3600 * found.news_rate, 2), round(3600 * found.change_rate, 2)
(2.58, 1.44)
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from trapline.core.cards import Cards
from trapline.core.errors import check_rate
from trapline.policies.card_policy import CardPolicy, Numbers
from trapline.theory.change_rate import gamma_update
from trapline.theory.kernel import bare_kernel

# numbers: prior of the change rate (a, b) and of the news rate (a, b), decay of interest, worth of a link
_A, _B, _NEWS, _SECONDS, _DECAY, _WORTH = range(6)
# memory of a page: change rate (a, b), news seen, seconds over which; a = 0 says that nothing is known
_CHANGE_A, _CHANGE_B, _SEEN, _DURING = range(4)

_SHAPE: Final = 2.0  # of the prior change rate: as good as two changes seen
_LEAST_SHAPE: Final = 1.1  # 1/D has a mean only above 1
_NEWS_SHAPE: Final = 0.01  # of the prior news rate: a page is hardly expected to list anything


@bare_kernel
def _settle(
    cards: Cards, numbers: Numbers, memory: Numbers, page: int, outcome: int, changed: bool,
    relevance: float, news: float, age_s: float, now_s: float,
) -> None:  # fmt: skip
    if memory[page, _CHANGE_A] == 0.0:
        memory[page, _CHANGE_A], memory[page, _CHANGE_B] = numbers[_A], numbers[_B]
    if age_s > 0.0 and not math.isinf(age_s):
        a, b = gamma_update(memory[page, _CHANGE_A], memory[page, _CHANGE_B], age_s, changed)
        memory[page, _CHANGE_A], memory[page, _CHANGE_B] = max(a, _LEAST_SHAPE), b * max(1.0, _LEAST_SHAPE / a)
        memory[page, _SEEN] += news
        memory[page, _DURING] += age_s
    a, b = memory[page, _CHANGE_A], memory[page, _CHANGE_B]
    cards["base"][page] = 0.0
    cards["worth"][page, 0] = relevance * b / (a - 1.0)
    cards["rate"][page, 0] = (a - 1.0) / b
    cards["shape"][page, 0] = a - 1.0
    listed = (numbers[_NEWS] + memory[page, _SEEN]) / (numbers[_SECONDS] + memory[page, _DURING])
    cards["worth"][page, 1] = listed * numbers[_WORTH] / numbers[_DECAY]
    cards["rate"][page, 1] = numbers[_DECAY]
    cards["shape"][page, 1] = math.inf


class Beliefs(NamedTuple):
    """What is believed of a page, rates a second, each with the standard deviation of its posterior.

    That of the news takes each unit of relevance for one item; items of less relevance are more of them, and surer.
    """

    change_rate: float
    change_rate_sd: float
    news_rate: float
    news_rate_sd: float
    news_seen: float
    watched_s: float


class AdaptiveWhittle(CardPolicy):
    roles = frozenset({"refresh"})
    columns = 4
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interest_half_life_s: float = 172_800.0,
        change_interval_s: float = 86_400.0,
        horizon_s: float = 2_592_000.0,
    ) -> None:
        """Half-life of interest 2 days; a page is expected to change daily; a page found is worth holding 30 days."""
        check_rate("interest_half_life_s", interest_half_life_s, "seconds in which interest in news halves")
        check_rate("change_interval_s", change_interval_s, "seconds between changes, before anything is known")
        check_rate("horizon_s", horizon_s, "seconds for which a page that was found is worth holding")
        found = 1.0 / (1.0 / change_interval_s + 1.0 / horizon_s)  # as a fringe page's whole worth: r/(D + 1/horizon)
        super().__init__(
            _SHAPE, _SHAPE * change_interval_s, _NEWS_SHAPE, change_interval_s, math.log(2.0) / interest_half_life_s,
            found,
        )  # fmt: skip

    def beliefs(self, page: int) -> Beliefs:
        known = page < len(self.memory) and self.memory[page, _CHANGE_A] > 0.0
        a, b, seen, during = self.memory[page].tolist() if known else (self.numbers[_A], self.numbers[_B], 0.0, 0.0)
        listed, over = float(self.numbers[_NEWS]) + seen, float(self.numbers[_SECONDS]) + during
        return Beliefs(a / b, math.sqrt(a) / b, listed / over, math.sqrt(listed) / over, seen, during)
