"""traa: the twofold resource allocation automaton, two pages and one automaton between them (paper
`htraa`, 3.1).

The building block of `htraa` by itself: in state s it polls page 0 with frequency s/(N+1), and page
1 with the rest. With rewards only, as in (1)–(3), it is the Markov chain of eqs. (4)–(8)
(theory/knapsack/traa_chain.py), whose mass gathers around the optimum as N grows.

Live the first two pages sit on its sides. A watched list may be longer, though, and a third page
makes a hierarchy of it: the tree doubles, and each automaton learns by the same rules. So `traa` is
`htraa` as section 3 states it (from rewards only), where `htraa` learns from penalties too.

>>> policy = Traa.for_pages(2, resolution=9)
>>> policy.shares().tolist()
[0.5, 0.5]
"""

from __future__ import annotations

from typing import Any, Self

from trapline.core.errors import BadNumber
from trapline.policies.refresh.automata.htraa import HTraa


class Traa(HTraa):
    """It cannot weigh pages, as `htraa` cannot."""

    only_pages = 2

    def __init__(
        self,
        resolution: float = 500,
        mode: str = "reward-inaction",
        grid: float = 1.0,
        seed: float = 0,
    ) -> None:
        super().__init__(resolution=resolution, mode=mode, grid=grid, seed=seed)

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        if pages != 2:
            raise BadNumber("the number of pages", pages, "2 (htraa is for more)")
        return super().for_pages(2, **settings)
