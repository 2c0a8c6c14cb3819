"""What interval rules share: a page is due so long after its last visit, whatever the budget.

A rule changes the page's interval by what the visit found. Offers have no price (base = ∞): what
has been due for longest goes first, and nothing is visited before it is due. So where the intervals
are too short for the budget pages queue, and where they are too long visits are left over.
"""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber
from trapline.policies.mind import Records
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.theory.kernel import bare_kernel

DAY_S = 86400.0


class Mind(NamedTuple):
    interval_s: float  # of a page never seen before
    least_s: float
    most_s: float
    longer: float  # what an interval grows by if nothing has changed, as a share of it
    shorter: float  # what it shrinks by if something has
    jitter: float  # how far a wait strays to either side, as a share of it
    only_relevant: bool
    seed: int
    pages: Records


@bare_kernel
def interval_of(mind: Mind, page: int) -> float:
    """The page's own interval; that of new pages if it has none yet."""
    own = mind.pages["interval_s"][page]
    return own if own > 0.0 else mind.interval_s


@bare_kernel
def write_due(cards: Cards, page: int, due_s: float) -> None:
    """The page is due then, and not comparable by price."""
    cards["base"][page] = math.inf
    cards["not_before"][page] = due_s


class IntervalRule(CardPolicy):
    page_record = np.dtype(
        [(name, np.float64) for name in ("interval_s", "changed_s", "visits")]
    )

    def _keep(
        self,
        interval_s: float,
        least_s: float,
        most_s: float,
        *,
        longer: float = 0.0,
        shorter: float = 0.0,
        jitter: float = 0.0,
        only_relevant: float = 0,
        seed: float = 0,
    ) -> None:
        if not 0.0 < least_s <= most_s < math.inf or not interval_s > 0.0:
            raise BadNumber(
                "least_s",
                least_s,
                f"positive and at most most_s ({most_s}), like interval_s ({interval_s})",
            )
        for name, share in (("shorter", shorter), ("jitter", jitter)):
            if not 0.0 <= share < 1.0:
                raise BadNumber(name, share, "at least 0 and below 1")
        if not 0.0 <= longer < math.inf:
            raise BadNumber("longer", longer, "finite and at least 0")
        if only_relevant not in (0, 1):
            raise BadNumber("only_relevant", only_relevant, "0 or 1")
        spans = (float(interval_s), float(least_s), float(most_s))
        shares = (float(longer), float(shorter), float(jitter))
        pages = np.zeros(0, self.page_record)
        self.mind = Mind(*spans, *shares, only_relevant == 1, int(seed), pages)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        """The laboratory's seconds are short: a round takes the place of some weeks."""
        return cls(*cls.example_spans(float(len(known))))

    @classmethod
    def example_spans(cls, round_s: float) -> tuple[float, ...]:
        """The first options of its example, in seconds, where a round takes so many."""
        return (round_s, 1.0, 1_000.0 * round_s)

    def move_times(self, by_s: float) -> None:
        self.mind.pages["changed_s"] += by_s
