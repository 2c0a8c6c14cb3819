"""fixed-interval: every page again after a time that is set: changedetection.io, Heritrix, ACHE,
Frontera.

The next visit is at t + I·(1 + jitter·(2u − 1)), u uniform. With `only_relevant` = 1 a page whose
visit showed no relevance is not visited again. (Sources: Frontera, 1 day; Heritrix, constant; ACHE,
60 minutes, relevant pages only; changedetection.io, constant with a jitter. Their settings here:
`interval_s` = 86400; `interval_s` = 3600, `only_relevant` = 1; `jitter` above 0.)

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(2)
>>> policy = FixedInterval(interval_s=3600.0, only_relevant=1)
>>> for page, relevance in ((0, 0.7), (1, 0.0)):
...     _ = policy.settle(cards, page, a_visit(relevance=relevance, now_s=50.0))
>>> cards["not_before"].tolist()
[3650.0, inf]
"""

from __future__ import annotations

import math
from typing import Self

from trapline.core.cards import Cards
from trapline.core.ports import Pages, Seen
from trapline.policies.refresh.peers.interval_rule import (
    DAY_S,
    IntervalRule,
    Mind,
    write_due,
)
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    visits = mind.pages["visits"]
    visits[page] += 1.0
    stray = 0.0
    if mind.jitter > 0.0:
        drawn = mix_hash(mind.seed, page, int(visits[page]))
        stray = mind.jitter * (2.0 * drawn - 1.0)
    wait_s = mind.interval_s * (1.0 + stray)
    if mind.only_relevant and seen.relevance <= 0.0:
        wait_s = math.inf
    write_due(cards, page, seen.now_s + wait_s)
    return 0


class FixedInterval(IntervalRule):
    settle_kernel = staticmethod(_settle)

    def __init__(
        self,
        interval_s: float = DAY_S,
        jitter: float = 0.0,
        only_relevant: float = 0,
        seed: float = 0,
    ) -> None:
        told = {"jitter": jitter, "only_relevant": only_relevant, "seed": seed}
        self._keep(interval_s, interval_s, interval_s, **told)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(float(len(known)), jitter=0.2)
