"""nutch-default: Apache Nutch's DefaultFetchSchedule: every page again after 30 days.

A page that is gone waits half as long again each time it is found gone, at most 90 days; here that
is how soon a link may bring it back. (Source: Apache Nutch 1.x, `db.fetch.interval.default` and
`db.fetch.interval.max`, AbstractFetchSchedule.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(1)
>>> policy = NutchDefault()
>>> _ = policy.settle(cards, 0, a_visit(changed=True, now_s=0.0))
>>> float(cards["not_before"][0]) / DAY_S
30.0
>>> _ = policy.settle(cards, 0, a_visit(Outcome.GONE, now_s=0.0))
>>> float(cards["not_before"][0]) / DAY_S
45.0
"""

from __future__ import annotations

from trapline.core.cards import Cards
from trapline.core.ports import Pages, Seen
from trapline.core.records import Outcome
from trapline.policies.refresh.peers.interval_rule import (
    DAY_S,
    IntervalRule,
    Mind,
    interval_of,
    write_due,
)
from trapline.theory.kernel import bare_kernel

_GONE = int(Outcome.GONE)


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    interval_s = interval_of(mind, page)
    if seen.outcome == _GONE:
        interval_s = min(1.5 * interval_s, mind.most_s)
        mind.pages["interval_s"][page] = interval_s
        # the robot itself lets no page return sooner than it says
        returns_s = seen.now_s + interval_s
        cards["not_before"][page] = max(cards["not_before"][page], returns_s)
        return 0
    write_due(cards, page, seen.now_s + interval_s)
    return 0


class NutchDefault(IntervalRule):
    settle_kernel = staticmethod(_settle)
    hears_of_losses = True

    def __init__(
        self, interval_s: float = 30 * DAY_S, most_s: float = 90 * DAY_S
    ) -> None:
        self._keep(interval_s, interval_s, most_s)

    @classmethod
    def example_spans(cls, round_s: float) -> tuple[float, ...]:
        return (1.5 * round_s, 5.0 * round_s)
