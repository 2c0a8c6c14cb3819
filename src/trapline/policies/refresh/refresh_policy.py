"""The base of all refresh policies: when to visit a held page again.

A policy learns from each visit (`settle`) and writes an offer on the page's card, or it chooses
pages by itself (`choose`). What it can do beyond that, it declares here: nobody looks for methods.

>>> class Hourly(RefreshPolicy):
...     def settle(self, cards, page, seen):
...         cards["base"][page] = math.inf
...         cards["not_before"][page] = seen.now_s + 3600.0
...         return (page,)
>>> from trapline.core.cards import blank_cards
>>> cards = blank_cards(1)
>>> Hourly.example(KnownPages.of(1)).settle(cards, 0, a_visit(now_s=5.0))
(0,)
>>> float(cards["not_before"][0])
3605.0
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards, Hosts
from trapline.core.ports import (
    NOTHING_TO_SAY,
    Arrays,
    Explanation,
    LearntRate,
    Pages,
    Seen,
)
from trapline.core.records import Outcome
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.theory.planning.page_gains import PageGains

Floats = NDArray[np.float64]


class KnownPages(NamedTuple):
    """What the laboratory knows of the pages that an example will meet. A second is a step."""

    probabilities: Floats  # that a page changes within a step
    weights: Floats  # how much each page matters
    seed: int = 0

    @classmethod
    def of(cls, pages: int, seed: int = 0) -> KnownPages:
        """Some pages, all alike in weight, drawn from a seed."""
        chance = np.random.default_rng(seed)
        return cls(chance.uniform(0.01, 0.9, pages), np.ones(pages), seed)

    @property
    def rates(self) -> Floats:
        """Changes a second."""
        return np.asarray(-np.log1p(-self.probabilities))

    def __len__(self) -> int:
        return len(self.probabilities)


def a_visit(
    outcome: Outcome = Outcome.OK,
    changed: bool = True,
    relevance: float = 1.0,
    news: float = 0.0,
    age_s: float = math.inf,
    now_s: float = 0.0,
    *,
    market_price: float = 0.0,
) -> Seen:
    """A visit as the request controller would report it: for examples and tests."""
    return Seen(int(outcome), changed, relevance, news, age_s, now_s, market_price)


class RefreshPolicy:
    laboratory_only: ClassVar[bool] = (
        False  # it needs to be told what no live robot knows
    )
    needs_truth: ClassVar[bool] = False  # its example is told how often pages change
    only_pages: ClassVar[int] = (
        0  # its example is for so many pages; 0 = for any number
    )
    weighted: ClassVar[bool] = False  # it prefers pages that matter more
    chooses: ClassVar[bool] = False  # it picks pages by itself: `choose`
    takes_turns: ClassVar[bool] = False  # its kernels alone run in the polling loop
    compiles: ClassVar[bool] = False  # its kernels run in the compiled loop
    prices_finds: ClassVar[bool] = False  # `found_worth` turns scores into prices
    # it counts what is announced between visits: `announce` is told each later date
    observes: bool = False
    learns_rates: ClassVar[bool] = (
        False  # `learnt_rates` and `page_gains` know something
    )

    hears_of_losses: ClassVar[bool] = (
        False  # `settle` is told of held pages that are gone, too
    )

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        """One that is ready to visit these pages, as tests and comparisons use it."""
        return cls()

    def learn_beside(self, discovery: DiscoveryPolicy) -> None:
        """Who decides about pages of the fringe: it may be learnt together with."""

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        """One visit ended: learn from it, write offers.

        Returns the pages whose cards were written, and touches no others.
        """
        raise NotImplementedError

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        """The held page to visit now, on an idle host; −1 = none before something happens."""
        raise NotImplementedError

    def weigh(self, cards: Cards, page: int, factor: float) -> Sequence[int]:
        """A page is worth so many times what its relevance says, from now on; 1 = nobody asks.

        Returns the pages whose cards were written. One that does not weigh pages leaves them.
        """
        return ()

    def announce(
        self,
        cards: Cards,
        page: int,
        dates_s: Sequence[float],
        trust: float,
        now_s: float,
    ) -> float:
        """Feeds or sitemaps say that a held page changed at these times, all after its last visit;
        they are right with a probability of `trust`. Returns what that adds to its offer; may write
        the terms of its card.

        A page that has certainly changed is worth a visit as one of infinite age.
        """
        return trust * float(cards["worth"][page, 0])

    def factors(self) -> dict[int, float]:
        """What `weigh` was told, of the pages that are worth more than their relevance says."""
        return {}

    def found_worth(self, host: int) -> float:
        """What finding a page of relevance 1 on this host is worth; −1 = on any host."""
        return 1.0

    def explain(self, page: int, host: int) -> Explanation:
        """What it thinks of a held page, for `why`."""
        return NOTHING_TO_SAY

    def learnt_rates(self, page: int, host: int) -> list[LearntRate]:
        """What visits have taught it of a held page; nothing if it learns no rates."""
        return []

    def page_gains(self, pages: Pages, hosts: Pages) -> PageGains:
        """What visits to held pages, each on its host, gain by the rates that it has learnt."""
        raise NotImplementedError

    def learnt_pages(self) -> int:
        """Of how many pages a visit has shown whether they had changed."""
        return 0

    def move_times(self, by_s: float) -> None:
        """All times shift by so much: those that it remembers beside the cards, too."""

    def state(self) -> Arrays:
        return {}

    def restore(self, state: Arrays) -> None:
        """Take over what `state` gave."""
