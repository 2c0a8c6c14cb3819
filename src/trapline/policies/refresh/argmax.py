"""argmax: the yardstick. It looks at every open offer on an idle host and takes the dearest.

The offers are another policy's; only the choosing is exact, at O(pages) a choice, so the difference
between the two is what the agenda's approximation costs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

from trapline.core.cards import BY_DUE, IDLE, Cards, Hosts
from trapline.core.ports import Arrays, Explanation, Seen
from trapline.policies.refresh.card_policy import CardPolicy, SettleKernel
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import KnownPages
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


class Argmax(CardPolicy):
    """Chooses over the offers of `inner`."""

    laboratory_only = True
    weighted = True  # as far as the offers do
    chooses = True
    choose_kernel = staticmethod(choose_dearest)

    def __init__(self, inner: CardPolicy) -> None:
        self.inner = inner

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls(Posterior.example(known))

    @property
    def mind(self) -> Any:
        return self.inner.mind

    @property
    def settle_kernel(self) -> SettleKernel:  # type: ignore[override]
        return self.inner.settle_kernel

    def fit(self, pages: int, hosts: int) -> None:
        self.inner.fit(pages, hosts)

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        return self.inner.settle(cards, page, seen)

    def weigh(self, cards: Cards, page: int, factor: float) -> Sequence[int]:
        return self.inner.weigh(cards, page, factor)

    def factors(self) -> dict[int, float]:
        return self.inner.factors()

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        return int(choose_dearest(cards, hosts, now_s))  # type: ignore[arg-type]

    def explain(self, page: int, host: int) -> Explanation:
        return self.inner.explain(page, host)

    def move_times(self, by_s: float) -> None:
        self.inner.move_times(by_s)

    def state(self) -> Arrays:
        return self.inner.state()

    def restore(self, state: Arrays) -> None:
        self.inner.restore(state)
