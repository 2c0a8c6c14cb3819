"""argmax: the yardstick.

It looks at every open offer on an idle host at each choice and takes the dearest.

The offers are another policy's (`known-rate` unless told otherwise); only the choosing is exact, at
O(pages) a choice, so the difference between the two is what the agenda's approximation costs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from trapline.core.cards import BY_DUE, IDLE, Cards, Hosts
from trapline.core.ports import Arrays
from trapline.core.records import Outcome
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import offer_price


@bare_kernel
def choose_dearest(cards: Cards, hosts: Hosts, now_s: float) -> int:
    """The dearest open held card on an idle host; ties to the lowest page number; −1 = none."""
    best = -1
    best_price = -math.inf
    for page in range(len(cards)):
        if (
            cards["filed"][page] == BY_DUE
            and hosts["state"][cards["host"][page]] == IDLE
        ):
            price = offer_price(cards, page, now_s)
            if price > best_price:
                best = page
                best_price = price
    return best


class Argmax:
    """A Chooser over the offers of `inner`."""

    roles = frozenset({"refresh"})
    laboratory_only = True
    weighted = True  # as far as the offers do

    def __init__(self, inner: CardPolicy) -> None:
        self.inner = inner

    def settle(
        self,
        cards: Cards,
        page: int,
        outcome: Outcome,
        changed: bool,
        relevance: float,
        news: float,
        age_s: float,
        now_s: float,
    ) -> Sequence[int]:
        return self.inner.settle(
            cards, page, outcome, changed, relevance, news, age_s, now_s
        )

    def choose(self, cards: Cards, hosts: Hosts, now_s: float) -> int:
        return int(choose_dearest(cards, hosts, now_s))

    def state(self) -> Arrays:
        return self.inner.state()

    def restore(self, state: Arrays) -> None:
        self.inner.restore(state)
