"""adaptive-whittle: the price of a revisit from what each visit brought: changes, and news.

A held page gains in two ways, and its price is the sum of both (theory/price.py), in relevant
page-seconds:

- *freshness*: as `posterior` prices it (posterior.py), from the changes that its visits found;
- *news* (`whittle`): it lists new things at a rate whose Gamma posterior has mean Λξ, in relevance
  a second; ξ counts only what they promise beyond the market price (the controller sees to that),
  so that a link is not paid twice. Each is worth W = E[1/(D + 1/horizon)], as a page found on this
  host is. What is lost by coming later is interest, which halves every `interest_half_life_s`, and
  the seconds for which the thing could have been held: c = ln 2/half-life + 1/W. The news are worth
  ΛξW/c. (With c = 1/W and young news this is ξΛt²/2: relevance times seconds lost.)
  With `observed`, pages of which feeds and sitemaps tell are priced by what these announce
  (theory/ephemeral/content_price.py), the others by their age.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = AdaptiveWhittle()
>>> _ = policy.settle(cards, 0, a_visit(relevance=0.5))
>>> _ = policy.settle(cards, 0, a_visit(relevance=0.5, news=3.0, age_s=600.0, now_s=600.0))
>>> found = policy.beliefs(0)  # a second; news in relevance
>>> round(3600 * found.news_rate, 1), found.watched_s
(17.9, 600.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple, Self

import numpy as np

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber, check_rate
from trapline.core.ports import Arrays, Explanation, LearntRate, Pages, Seen
from trapline.policies.mind import Records, as_records, as_table, grow_records
from trapline.policies.refresh import rate_beliefs
from trapline.policies.refresh.posterior import Posterior, settle_posterior
from trapline.policies.refresh.rate_beliefs import MORE_AT, found_worth
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.policies.wording import say_rate, say_span
from trapline.theory.change_rate.credible_band import gamma_band
from trapline.theory.ephemeral.content_price import content_price
from trapline.theory.kernel import bare_kernel
from trapline.theory.planning.page_gains import PageGains

# horizons from one change to the next: slower pages need not be told apart
_AS_GOOD_AS_NEVER: Final = 30.0
# of an item is what the prior of a page has seen, in the time in which all pages show as much
_NEWS: Final = 0.1
# and what that of all pages has: hardly anything in a minute
_LEAST_SEEN: Final = 1e-3
_LEAST_WATCHED_S: Final = 60.0

# Of a page, or of all pages together: news seen, page-seconds over which.
NEWS: Final = np.dtype([("seen", np.float64), ("watched_s", np.float64)])


class Mind(NamedTuple):
    decay: float  # of interest
    belief: rate_beliefs.Mind  # about change rates
    all_news: Records  # one: of all pages
    news: Records  # of each page


@bare_kernel
def _prior_s(all_news: Records) -> float:
    """Seconds in which a page of which nothing is known shows as much as the prior has seen."""
    seen = _LEAST_SEEN + all_news["seen"][0]
    watched_s = _LEAST_WATCHED_S + all_news["watched_s"][0]
    usual = seen / watched_s
    return float(_NEWS / usual)


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    written = settle_posterior(cards, mind.belief, page, seen, others)
    news = mind.news
    if seen.age_s > 0.0 and not math.isinf(seen.age_s):
        news["seen"][page] += seen.news
        news["watched_s"][page] += seen.age_s
        mind.all_news["seen"][0] += seen.news
        mind.all_news["watched_s"][0] += seen.age_s
    over_s = _prior_s(mind.all_news) + news["watched_s"][page]
    arriving = (_NEWS + news["seen"][page]) / over_s
    worth = found_worth(mind.belief, cards["host"][page])
    lost = mind.decay + 1.0 / worth
    cards["worth"][page, 1] = arriving * worth / lost
    cards["rate"][page, 1] = lost
    cards["shape"][page, 1] = math.inf
    return written


class Beliefs(NamedTuple):
    """What is believed of a page, rates a second, each with its standard deviation.

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
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interest_half_life_s: float = 172_800.0,
        horizon_s: float = 2_592_000.0,
        remembers: float = 50.0,
        curiosity: float = 0.3,
        fastest_s: float = 10.0,
        observed: float = 0.0,
    ) -> None:
        """Half-life of interest 2 days; a page found is worth holding 30 days.

        Pages that change more often than every `fastest_s` seconds are not told apart. `observed` =
        1 prices what feeds and sitemaps announce as content that is seen.
        """
        if observed not in (0.0, 1.0):
            raise BadNumber("observed", observed, "0 or 1")
        self.observes = observed == 1.0
        halves = "seconds in which interest in news halves"
        check_rate("interest_half_life_s", interest_half_life_s, halves)
        # beyond the quickest pages, whatever the horizon
        slowest_s = max(
            _AS_GOOD_AS_NEVER * horizon_s, 3600.0, _AS_GOOD_AS_NEVER * fastest_s
        )
        super().__init__(
            remembers=remembers,
            curiosity=curiosity,
            horizon_s=horizon_s,
            fastest_s=fastest_s,
            slowest_s=slowest_s,
        )
        decay = math.log(2.0) / interest_half_life_s
        self.mind = Mind(decay, self.mind, np.zeros(1, NEWS), np.zeros(0, NEWS))

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls()

    @property
    def belief(self) -> rate_beliefs.Mind:
        belief: rate_beliefs.Mind = self.mind.belief
        return belief

    def _keep(self, belief: rate_beliefs.Mind) -> None:
        self.mind = self.mind._replace(belief=belief)

    def fit(self, pages: int, hosts: int) -> None:
        super().fit(pages, hosts)
        if len(self.mind.news) < pages:
            self.mind = self.mind._replace(news=grow_records(self.mind.news, pages))

    def learnt_rates(self, page: int, host: int) -> list[LearntRate]:
        seen, watched_s = self._news_of(page)
        shown = _NEWS + seen
        over_s = _prior_s(self.mind.all_news) + watched_s
        news = LearntRate("news", shown / over_s, *gamma_band(shown, over_s))
        return [*super().learnt_rates(page, host), news]

    def page_gains(self, pages: Pages, hosts: Pages) -> PageGains:
        gains = super().page_gains(pages, hosts)
        mind = self.mind
        news = grow_records(mind.news, int(pages.max(initial=-1)) + 1)[pages]
        arriving = (_NEWS + news["seen"]) / (
            _prior_s(mind.all_news) + news["watched_s"]
        )
        met = {host: self.found_worth(host) for host in np.unique(hosts).tolist()}
        worth_s = np.array([met[host] for host in hosts.tolist()])
        lost = mind.decay + 1.0 / worth_s
        return gains._replace(news=arriving, news_worth_s=worth_s, news_lost=lost)

    def announce(
        self,
        cards: Cards,
        page: int,
        dates_s: Sequence[float],
        trust: float,
        now_s: float,
    ) -> float:
        """With `observed`, the news that wait are priced by how many items were announced and how
        old they are, as far as announcements hold; what was expected counts for the rest.

        Each change is taken for one item, which brings what changes bring on average.
        """
        fresh = super().announce(cards, page, dates_s, trust, now_s)
        if not self.observes:
            return fresh
        host = int(cards["host"][page])
        found = self.beliefs(page, host)
        worth_s = self.found_worth(host)
        lost = self.mind.decay + 1.0 / worth_s
        item = found.news_rate * worth_s / found.change_rate
        content = sum(math.exp(-lost * (now_s - date_s)) for date_s in dates_s)
        cards["worth"][page, 1] = (1.0 - trust) * found.news_rate * worth_s / lost
        return fresh + trust * item * content_price(content, found.change_rate / lost)

    def _news_of(self, page: int) -> tuple[float, float]:
        """(seen, in so many seconds)"""
        if page >= len(self.mind.news):
            return 0.0, 0.0
        seen, watched_s = self.mind.news[page].tolist()
        return seen, watched_s

    def beliefs(self, page: int, host: int = 0) -> Beliefs:
        rate = self.change_rate(page, host)
        seen, watched_s = self._news_of(page)
        shown = _NEWS + seen
        over_s = _prior_s(self.mind.all_news) + watched_s
        news_sd = math.sqrt(shown) / over_s
        return Beliefs(rate.mean, rate.sd, shown / over_s, news_sd, seen, watched_s)

    def explain(self, page: int, host: int) -> Explanation:
        found = self.beliefs(page, host)
        news = say_rate(found.news_rate, found.news_rate_sd)
        watched = say_span(found.watched_s)
        lines = [
            ("believed changes", say_rate(found.change_rate, found.change_rate_sd)),
            ("believed news", f"{news}, in relevance"),
            ("believed from", f"{found.news_seen:.3g} of news seen in {watched}"),
            *self._say_capped(page, host),
        ]
        return Explanation(found._asdict(), lines)

    def state(self) -> Arrays:
        state = super().state()
        numbers = np.array(state["numbers"], np.float64)
        numbers[MORE_AT] = self.mind.decay
        numbers[MORE_AT + 1 : MORE_AT + 3] = as_table(self.mind.all_news)[0]
        pages = (np.asarray(state["memory"]), as_table(self.mind.news))
        return {"memory": np.hstack(pages), "numbers": numbers}

    def restore(self, state: Arrays) -> None:
        memory = np.asarray(state["memory"], np.float64)
        numbers = np.asarray(state["numbers"], np.float64)
        news_at = memory.shape[1] - NEWS.itemsize // 8
        super().restore({"memory": memory[:, :news_at], "numbers": numbers})
        all_news = as_records(numbers[None, MORE_AT + 1 : MORE_AT + 3], NEWS)
        news = as_records(memory[:, news_at:], NEWS)
        self.mind = self.mind._replace(all_news=all_news.copy(), news=news.copy())
