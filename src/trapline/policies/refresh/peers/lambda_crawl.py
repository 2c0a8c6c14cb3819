"""lambda-crawl: Microsoft's LambdaCrawl and its learner, visits evenly spaced.

Visits f = (−D + √(D² + 4mD/λ))/2, λ by bisection so that Σ f = B. D is the root of
Σ_changed x/(e^(Dx) − 1) = Σ_unchanged x over the gaps x between visits, with one imaginary gap of
half a day of each kind, kept within [0.0005, 7] a day. (Source: Kolobov, Peres, Lu & Horvitz,
"Staying up to date with online content changes using reinforcement learning for scheduling",
NeurIPS 2019, and its code. Published timing: `lambda-crawl-poisson`.)

`signalled` = 1 adds the rule for pages whose changes are all announced (feeds, sitemaps): once a
page was announced it is visited at an announcement only, with probability min(1, B·m/(D·Σm)), D =
(announcements + ½)/(time + ½ day). So these pages have the share of the budget that their
importance has.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = LambdaCrawl()
>>> for day in (1.0, 2.0, 3.0):
...     seen = a_visit(changed=day != 2.0, age_s=86400.0, now_s=86400.0 * day)
...     _ = policy.settle(cards, 0, seen)
>>> policy.explain(0, 0).lines[0]  # 2/(e^D − 1) + ½/(e^(D/2) − 1) = 1 + ½
('estimated changes', '1.18 a day')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trapline.core.cards import Cards
from trapline.policies.refresh.peers.allocation import Allocation
from trapline.policies.refresh.peers.budget_share import DAY_S
from trapline.policies.refresh.peers.change_estimates import watched_s
from trapline.policies.refresh.peers.visit_rates import HARMONIC
from trapline.theory.chance import mix_hash

_IMAGINARY: Final = 0.5  # announcements, and days, before the first
_DRAWS: Final = 1 << 40  # draws for announcements are numbered from here on


class LambdaCrawl(Allocation):
    weighted = True

    def __init__(
        self,
        timing: str = "even",
        signalled: float = 0,
        imaginary_s: float = 43_200.0,
        slowest_s: float = DAY_S / 0.0005,
        fastest_s: float = DAY_S / 7.0,
        seed: float = 0,
    ) -> None:
        self._keep(
            HARMONIC,
            timing=timing,
            signalled=signalled,
            imaginary_s=imaginary_s,
            slowest_s=slowest_s,
            fastest_s=fastest_s,
            seed=seed,
        )
        self.observes = self.mind.settings.signalled

    def announce(
        self,
        cards: Cards,
        page: int,
        dates_s: Sequence[float],
        trust: float,
        now_s: float,
    ) -> float:
        """With `signalled`, a visit at once or none at all."""
        if not self.observes:
            return super().announce(cards, page, dates_s, trust, now_s)
        self.fit(len(cards), 0)
        self.mind.pages["signals"][page] += 1.0
        cards["rate"][page, 0] = 0.0
        signals = int(self.mind.pages["signals"][page])
        age_s = now_s - float(cards["last"][page])
        drawn = mix_hash(self.mind.settings.seed, page, _DRAWS + signals)
        return 1.0 if drawn < self.announced_share(page, age_s) else 0.0

    def announced_share(self, page: int, age_s: float) -> float:
        """Of the announcements of a page, so many are followed by a visit."""
        known = self.mind.pages[page]
        learnt = self.mind.learnt[0]
        seen_s = float(watched_s(self.mind.pages, page)) + age_s
        rate = (known["signals"] + _IMAGINARY) / (seen_s + _IMAGINARY * DAY_S)
        wanted = float(learnt["budget"] * known["importance"])
        if wanted <= 0.0:  # the budget is not known yet
            return 1.0
        return min(1.0, wanted / float(rate * learnt["importance"]))
