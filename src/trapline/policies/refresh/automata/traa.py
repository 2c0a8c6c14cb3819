"""traa: the twofold resource allocation automaton, two pages and one automaton between them (paper
`htraa`, 3.1).

The building block of `htraa` by itself: in state s it polls page 0 with frequency s/(N+1), and page
1 with the rest. With rewards only it is the Markov chain of eqs. (4)–(8), whose mass gathers around
the optimum as N grows.

>>> policy = Traa.for_pages(2, resolution=9)
>>> policy.shares().tolist()
[0.5, 0.5]
"""

from __future__ import annotations

from typing import Any, Self

from trapline.core.errors import BadNumber
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.policies.refresh.refresh_policy import KnownPages


class Traa(HTraa):
    """For the laboratory, since it knows two pages only. It cannot weigh pages, as
    `htraa` cannot.
    """

    laboratory_only = True
    open_house = False
    only_pages = 2

    def __init__(
        self,
        resolution: float = 500,
        mode: str = "reward-inaction",
        grid: float = 1.0,
        seed: float = 0,
    ) -> None:
        super().__init__(resolution=resolution, mode=mode, grid=grid, seed=seed)
        self.seat_all(2)

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        if pages != 2:
            raise BadNumber("the number of pages", pages, "2 (htraa is for more)")
        return cls(**settings)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        if len(known) != 2:
            raise BadNumber(
                "the number of pages for traa", len(known), "2: for more there is htraa"
            )
        return cls(seed=known.seed)
