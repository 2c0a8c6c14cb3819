"""What card policies share: a kernel over the cards, a little memory a page, and named numbers.

The same kernels run when the controller calls the policy live, when the laboratory drives the
controller, and inside the compiled loop for large worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import Cards
from trapline.core.errors import UnknownPage
from trapline.core.ports import Arrays
from trapline.core.records import Outcome
from trapline.theory.kernel import bare_kernel

Numbers = NDArray[np.float64]


class SettleKernel(Protocol):
    def __call__(
        self,
        cards: Cards,
        numbers: Numbers,
        memory: Numbers,
        page: int,
        outcome: int,
        changed: bool,
        relevance: float,
        news: float,
        age_s: float,
        now_s: float,
    ) -> int:
        """Returns one other page, filed by due time, whose offer was written anew; −1 = none."""


@bare_kernel
def settle_nothing(
    cards: Cards,
    numbers: Numbers,
    memory: Numbers,
    page: int,
    outcome: int,
    changed: bool,
    relevance: float,
    news: float,
    age_s: float,
    now_s: float,
) -> int:
    """For policies that leave held pages alone."""
    return -1


class CardPolicy:
    """A policy that touches one page at a time, or two.

    Subclasses name their kernels and memory columns.
    """

    roles: ClassVar[frozenset[str]]
    # it must be told the truth, which no live robot knows
    laboratory_only: ClassVar[bool] = False
    weighted: ClassVar[bool] = False  # it prefers pages by their relevance
    columns: ClassVar[int] = 0  # floats of memory a page
    settle_kernel: ClassVar[SettleKernel] = staticmethod(settle_nothing)

    def __init__(self, *numbers: float) -> None:
        self.numbers: Numbers = np.array(numbers, np.float64)
        self.memory: Numbers = np.zeros((0, self.columns))

    def fit(self, pages: int, hosts: int) -> None:
        """Have memory for so many; new rows are zero, which every policy reads as
        "nothing known".
        """
        if self.columns and len(self.memory) < pages:
            grown = np.zeros((pages, self.columns))
            grown[: len(self.memory)] = self.memory
            self.memory = grown

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
        if type(self).settle_kernel is settle_nothing:
            return ()
        if not 0 <= page < len(cards):
            raise UnknownPage(page, len(cards))
        self.fit(len(cards), int(cards["host"][page]) + 1)
        other = self.settle_kernel(
            cards,
            self.numbers,
            self.memory,
            page,
            int(outcome),
            changed,
            relevance,
            news,
            age_s,
            now_s,
        )
        return (page,) if other < 0 else (page, other)

    def state(self) -> Arrays:
        return {"memory": self.memory}

    def restore(self, state: Arrays) -> None:
        self.memory = np.array(state["memory"], np.float64)
