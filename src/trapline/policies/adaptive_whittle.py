"""adaptive-whittle: the price of a revisit from what each visit brought: changes, and news.

A held page gains in two ways, and its price is the sum of both (theory/price.py; DESIGN.md "One price"), in relevant
page-seconds:

- *freshness*: as `posterior` prices it (posterior.py), from the changes that its visits found;
- *news* (`whittle`): it lists new things at a rate whose Gamma posterior has mean Λξ, in relevance a second. Interest
  in them halves every `interest_half_life_s`, so c = ln 2/half-life; each is worth as much as holding a page of its
  relevance, s/(1/change_interval + 1/horizon), and the page's news are worth Λ·(that)/c.

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> cards, policy = blank_cards(1), AdaptiveWhittle(change_interval_s=3600.0)
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=0.5, news=0.0, age_s=math.inf, now_s=0.0)
>>> _ = policy.settle(cards, 0, Outcome.OK, changed=True, relevance=0.5, news=3.0, age_s=600.0, now_s=600.0)
>>> found = policy.beliefs(0)  # a second; news in relevance
>>> round(3600 * found.news_rate, 2), found.watched_s
(2.58, 600.0)
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from trapline.core.cards import Cards
from trapline.core.errors import check_rate
from trapline.policies.card_policy import Numbers
from trapline.policies.posterior import MORE, RELEVANCE, Posterior, settle_posterior
from trapline.theory.kernel import bare_kernel

_SECONDS, _DECAY, _WORTH = MORE, MORE + 1, MORE + 2  # of the prior news rate, decay of interest, worth of a link
_SEEN, _DURING = RELEVANCE + 1, RELEVANCE + 2  # memory of a page: news seen, seconds over which

_NEWS: Final = 0.01  # the prior news rate has seen so little: a page is hardly expected to list anything


@bare_kernel
def _settle(
    cards: Cards, numbers: Numbers, memory: Numbers, page: int, outcome: int, changed: bool,
    relevance: float, news: float, age_s: float, now_s: float,
) -> int:  # fmt: skip
    other = settle_posterior(cards, numbers, memory, page, outcome, changed, relevance, news, age_s, now_s)
    if age_s > 0.0 and not math.isinf(age_s):
        memory[page, _SEEN] += news
        memory[page, _DURING] += age_s
    listed = (_NEWS + memory[page, _SEEN]) / (numbers[_SECONDS] + memory[page, _DURING])
    cards["worth"][page, 1] = listed * numbers[_WORTH] / numbers[_DECAY]
    cards["rate"][page, 1] = numbers[_DECAY]
    cards["shape"][page, 1] = math.inf
    return other


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


class AdaptiveWhittle(Posterior):
    columns = Posterior.columns + 2
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interest_half_life_s: float = 172_800.0,
        change_interval_s: float = 86_400.0,
        horizon_s: float = 2_592_000.0,
        remembers: float = 50.0,
        curiosity: float = 0.3,
    ) -> None:
        """Half-life of interest 2 days; a page found is expected to change daily and is worth holding 30 days."""
        check_rate("interest_half_life_s", interest_half_life_s, "seconds in which interest in news halves")
        check_rate("change_interval_s", change_interval_s, "seconds between changes of a page that was found")
        check_rate("horizon_s", horizon_s, "seconds for which a page that was found is worth holding")
        super().__init__(remembers=remembers, curiosity=curiosity)
        found = 1.0 / (1.0 / change_interval_s + 1.0 / horizon_s)  # as a fringe page's whole worth: r/(D + 1/horizon)
        self.numbers[_SECONDS] = change_interval_s
        self.numbers[_DECAY] = math.log(2.0) / interest_half_life_s
        self.numbers[_WORTH] = found

    def beliefs(self, page: int, host: int = 0) -> Beliefs:
        rate = self.change_rate(page, host)
        seen, during = self.memory[page, _SEEN:].tolist() if page < len(self.memory) else (0.0, 0.0)
        listed, over = _NEWS + seen, float(self.numbers[_SECONDS]) + during
        return Beliefs(rate.mean, rate.sd, listed / over, math.sqrt(listed) / over, seen, during)
