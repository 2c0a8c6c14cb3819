"""mwmbl: the oldest of the pages with the shortest URLs, none before 30 days.

Score (1/len(URL))·(1 − e^(−age/10 months)); the highest goes first. (Source: mwmbl/mwmbl, its
crawl queue.)

Policies are not told URLs. Their length is taken for 25 characters and 15 more for each link
between a page and the seeds. The offers agree with the scores about the score that the budget
allows: `visit_rates` says how old a page is by then.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> _ = Mwmbl().settle(cards, 0, a_visit(now_s=0.0))
>>> float(cards["not_before"][0]) / 86400.0
30.0
"""

from __future__ import annotations

from typing import Self

from trapline.core.errors import check_rate
from trapline.policies.refresh.peers.allocation import Allocation
from trapline.policies.refresh.peers.budget_share import DAY_S
from trapline.policies.refresh.peers.visit_rates import BY_LENGTH
from trapline.policies.refresh.refresh_policy import KnownPages

MONTH_S = 30.0 * DAY_S


class Mwmbl(Allocation):
    def __init__(
        self, least_s: float = 30 * DAY_S, fades_s: float = 10 * MONTH_S
    ) -> None:
        check_rate("least_s", least_s, "seconds between two visits")
        self._keep(BY_LENGTH, closed_s=least_s, fades_s=fades_s)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        """The laboratory's seconds are short: a round takes the place of some weeks."""
        return cls(1.2 * len(known), 12.0 * len(known))
