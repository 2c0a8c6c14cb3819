"""google-2025: the price of a visit by the page's effective age, which signals of change advance.

A share s of a page's changes (rate D) is signalled, and false signals come at a rate n. With a = (1
− s)·D and g = sD + n, k signals since the last visit make a page of age t as good as one of age t +
k·ln(g/n)/a; its price is (m/D)·[1 − (1 + y)·e^(−y)] at y = a·t + k·ln(g/n), and the dearest goes
first. (Source: Busa-Fekete, Zimmert, György, Qiu and others, "A scalable crawling algorithm
utilizing noisy change-indicating signals", WWW 2025; Google.)

n/g is the share of signals that are false: 1 − the trust that the host has earned. s is what the
page's signals, times the trust, account for. The paper takes D as given; it is estimated as for
`azar`. Signals are sitemaps, feeds and pushes; without any the price is that of known rates.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = Google2025()
>>> for day in (0.0, 1.0, 2.0):
...     age_s = 86400.0 if day else float("inf")
...     seen = a_visit(changed=day == 1.0, age_s=age_s, now_s=86400.0 * day)
...     _ = policy.settle(cards, 0, seen)
>>> policy.explain(0, 0).lines  # 1/(e^D − 1) + c/(e^(Dc) − 1) = 1 + c, c = ln 2/ln(2.5/1.5)
[('estimated changes', '0.589 a day')]
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from trapline.core.cards import Cards
from trapline.policies.refresh.peers.allocation import Allocation
from trapline.policies.refresh.peers.budget_share import unsignalled_rate
from trapline.policies.refresh.peers.visit_rates import NO_RATE
from trapline.theory.price import bracket

_SUREST: Final = 0.999  # trust, of a host whose signals never were false


class Google2025(Allocation):
    weighted = True
    observes = True

    def __init__(
        self, slowest_s: float = 315_360_000.0, fastest_s: float = 10.0
    ) -> None:
        self._keep(NO_RATE, slowest_s=slowest_s, fastest_s=fastest_s)

    def announce(
        self,
        cards: Cards,
        page: int,
        dates_s: Sequence[float],
        trust: float,
        now_s: float,
    ) -> float:
        """The price at the effective age now; later it tends to m/D as without signals."""
        self.fit(len(cards), 0)
        known = self.mind.pages
        if known["rate"][page] <= 0.0:
            return super().announce(cards, page, dates_s, trust, now_s)
        known["signals"][page] += trust
        rate = unsignalled_rate(self.mind, page)
        aged = rate * max(0.0, now_s - float(cards["last"][page]))
        told = -len(dates_s) * math.log1p(-min(trust, _SUREST))
        worth = float(known["importance"][page] / known["rate"][page])
        before = bracket(aged, math.inf)
        risen = (bracket(aged + told, math.inf) - before) / max(1e-12, 1.0 - before)
        cards["rate"][page, 0] = rate
        cards["worth"][page, 0] = worth * (1.0 - risen)
        return worth * risen
