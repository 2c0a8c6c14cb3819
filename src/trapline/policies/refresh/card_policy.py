"""What card policies share: a kernel over the cards, and a mind that it reads and writes.

A mind is a NamedTuple of settings and arrays, one class per policy. The same kernel runs when the
controller calls the policy live, when the laboratory drives the controller, and inside the compiled
loop for large worlds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np

from trapline.core.cards import OTHERS, Cards, Hosts
from trapline.core.errors import UnknownPage
from trapline.core.ports import Arrays, Pages, Seen
from trapline.policies.mind import Blank, as_records, as_table, grow_records
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.theory.kernel import bare_kernel


class SettleKernel(Protocol):
    def __call__(
        self, cards: Cards, mind: Any, page: int, seen: Seen, others: Pages
    ) -> int:
        """Writes the page's offer, and may write those of other pages that wait for their time: it
        puts their numbers into `others`, which has OTHERS places, and returns how many they are.
        """


class ChooseKernel(Protocol):
    def __call__(self, cards: Cards, hosts: Hosts, now_s: float) -> int: ...


@bare_kernel
def leave_it(cards: Cards, hosts: Hosts, now_s: float) -> int:
    """For policies that leave the choice to the agenda."""
    return -1


class CardPolicy(RefreshPolicy):
    """It touches a page at a time, and a few others. Subclasses name their kernel, make their mind.

    A mind that remembers pages has a field `pages`, one record of floats each (`page_record`).
    """

    compiles = True
    page_record: ClassVar[np.dtype[np.void] | None] = None
    settle_kernel: SettleKernel
    choose_kernel: ChooseKernel = staticmethod(leave_it)
    mind: Any = Blank()

    def fit(self, pages: int, hosts: int) -> None:
        """Have memory for so many."""
        if self.page_record is not None and len(self.mind.pages) < pages:
            self.mind = self.mind._replace(pages=grow_records(self.mind.pages, pages))

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        if not 0 <= page < len(cards):
            raise UnknownPage(page, len(cards))
        self.fit(len(cards), int(cards["host"][page]) + 1)
        others = np.empty(OTHERS, np.int64)
        written = self.settle_kernel(cards, self.mind, page, seen, others)
        return (page, *others[:written].tolist())

    def state(self) -> Arrays:
        if self.page_record is None:
            return {"memory": np.zeros((0, 0))}
        return {"memory": as_table(self.mind.pages)}

    def restore(self, state: Arrays) -> None:
        if self.page_record is not None:
            pages = as_records(np.asarray(state["memory"]), self.page_record)
            self.mind = self.mind._replace(pages=pages)
