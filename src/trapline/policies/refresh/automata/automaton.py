"""What automata share: whose turn it is, who learns from a poll, and how pages come, wait and go.

An automaton seats pages on the leaves of a tree and takes turns among them by fluid EDF
(automata/fluid.py). All that its kernels know is in two arrays, `numbers` (settings, clock, count
of draws) and `memory` (the tree), so that the same kernels run live and in the laboratory's
compiled loop:

    turn_kernel(numbers, memory) → the leaf whose turn it is (−1 = none); the turn is spent
    learn_kernel(numbers, memory, leaf, changed, gap): a poll of the leaf, `gap` after its last,
    found a change or not

Live, a page takes a leaf when it is settled first; a full tree doubles; a page that is gone leaves
its leaf when its turn comes. A page whose host is not ready waits in the host's parking lot, and a
full lot forfeits the turn. What was handed out and not taken (robots.txt, or a fringe page, came
first) is handed out again. Where most pages wait for hosts that are not ready, 64 turns may find
none of the others: then the one that waits longest is handed out, because whoever hears −1 asks
again only when something has happened.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, Final, Protocol, Self

import numpy as np

from trapline.core.cards import BY_DUE, GONE, IDLE, Cards, Hosts
from trapline.core.errors import BadNumber, ClockWentBack, UnknownPage, check_rate
from trapline.core.ports import Arrays
from trapline.core.records import Outcome
from trapline.policies.refresh.automata.fluid_edf import (
    double_tree,
    leaf_shares,
    next_turn,
)
from trapline.policies.refresh.automata.parking_lots import ParkingLots
from trapline.policies.refresh.automata.tree_seats import NOBODY, Seats
from trapline.policies.refresh.card_policy import Numbers
from trapline.policies.refresh.slot_chooser import may_be_visited
from trapline.theory.kernel import bare_kernel

# The first of an automaton's numbers: what changes,
COUNT: Final = 0  # of draws of chance
CLOCK: Final = 1  # when a visit was settled last
TURNS: Final = 2
POLLS: Final = 3
WAITED: Final = 4  # sum of the gaps before these polls
# and from here on what it was told.
SEED: Final = 5
SETTINGS: Final = 6

MOST_TURNS: Final = 64  # a choice
_FINEST: Final = 1e12  # 1 by the least share on a grid
_MOST_SEED: Final = 2**53  # whole numbers that a float can hold


class TurnKernel(Protocol):
    def __call__(self, numbers: Numbers, memory: Numbers) -> int: ...


class LearnKernel(Protocol):
    def __call__(
        self, numbers: Numbers, memory: Numbers, leaf: int, changed: bool, gap: float
    ) -> None: ...


@bare_kernel
def learn_nothing(
    numbers: Numbers, memory: Numbers, leaf: int, changed: bool, gap: float
) -> None:
    """For those who were told all."""


def whole(name: str, found: float, least: int, most: int = 10**9) -> int:
    """A whole number within bounds; from the settings it comes as 500.0."""
    if isinstance(found, str | bool) or not (
        least <= found <= most and found == int(found)
    ):
        raise BadNumber(name, found, f"a whole number from {least:,} to {most:,}")
    return int(found)


def check_grid(name: str, power: float, states: int) -> None:
    """A grid of shares (s/N)^power; nobody's share may be so small that it is lost beside the
    others.
    """
    check_rate(name, power, "the power of the grid of shares")
    if power * math.log(states) > math.log(_FINEST):
        raise BadNumber(
            name,
            power,
            f"at most {math.log(_FINEST) / math.log(states):.3g} with resolution {states}",
        )


class Automaton:
    """A Chooser over the pages on its leaves.

    Subclasses say how they learn, and what share a newcomer is given.
    """

    roles: ClassVar[frozenset[str]] = frozenset({"refresh"})
    laboratory_only: ClassVar[bool] = False
    # it can take into account that some pages matter more
    weighted: ClassVar[bool] = False
    open_house: ClassVar[bool] = True  # pages may come and go
    turn_kernel: ClassVar[TurnKernel] = staticmethod(next_turn)
    learn_kernel: ClassVar[LearnKernel]

    def __init__(self, seed: float, settings: Sequence[float]) -> None:
        start = [0.0, -math.inf, 0.0, 0.0, 0.0, whole("seed", seed, 0, _MOST_SEED)]
        self.numbers: Numbers = np.array([*start, *settings], np.float64)
        self.seats = Seats(2)
        self.memory: Numbers = self._plant(0)
        self._lots = ParkingLots()
        self._offered = NOBODY

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        """An automaton on whose leaves 0 … n−1 the pages 0 … n−1 sit from the start."""
        policy = cls(**settings)
        policy.seat_all(whole("the number of pages", pages, 2))
        return policy

    def seat_all(self, pages: int) -> None:
        self.memory = self._plant(pages)
        self.seats = Seats(len(self.memory))
        self.seats.take_all(pages)

    def shares(self) -> Numbers:
        """Of the polls, for each leaf; 0 where nobody sits."""
        return leaf_shares(self.memory)

    # what subclasses know of their trees

    def _plant(self, pages: int) -> Numbers:
        """A tree with pages on its first leaves."""
        raise NotImplementedError

    def _double(self) -> Numbers:
        return double_tree(self.memory)

    def _seat(self, leaf: int) -> None:
        """A page is about to sit down on a leaf (`seats` does not count it yet)."""
        raise NotImplementedError

    def _unseat(self, leaf: int) -> None:
        """The page of a leaf is about to go (`seats` still counts it)."""
        raise NotImplementedError

    # the policy

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
        if not 0 <= page < len(cards):
            raise UnknownPage(page, len(cards))
        if not now_s >= self.numbers[CLOCK]:
            raise ClockWentBack(now_s, float(self.numbers[CLOCK]))
        self.numbers[CLOCK] = now_s
        leaf = self.seats.leaf_of(page)
        if leaf == NOBODY:
            self._welcome(page)
        elif math.isfinite(age_s):
            self.learn_kernel(
                self.numbers, self.memory, leaf, bool(changed), float(age_s)
            )
        if page == self._offered:
            self._offered = NOBODY
        # on offer; when its turn comes is this policy's own affair
        cards["base"][page] = 0.0
        return (page,)

    def choose(self, cards: Cards | None, hosts: Hosts | None, now_s: float) -> int:
        """The page whose turn it is, among those that may be visited; −1 = none may."""
        page = self._offered
        self._offered = NOBODY
        if page == NOBODY or not self._may_go(cards, hosts, page):
            page = (
                NOBODY
                if cards is None or hosts is None
                else self._lots.first_ready(cards, hosts)
            )
        turns = 0
        while page == NOBODY and turns < MOST_TURNS:
            leaf = self.turn_kernel(self.numbers, self.memory)
            if leaf < 0:
                break
            turns += 1
            candidate = self.seats.page_at(leaf)
            if self._may_go(cards, hosts, candidate):
                page = candidate
        if page == NOBODY and cards is not None and hosts is not None:
            page = self._oldest_ready(cards, hosts)
        self._offered = page
        return page

    def state(self) -> Arrays:
        learnt = {"progress": self.numbers[:SEED].copy(), "memory": self.memory.copy()}
        return {
            **learnt,
            "offered": np.array([self._offered]),
            **self.seats.state(),
            **self._lots.state(),
        }

    def restore(self, state: Arrays) -> None:
        """Take over what was learnt; what an automaton is told (its settings) stays as told to this
        one.
        """
        self.numbers[:SEED] = state["progress"]
        self.memory = np.array(state["memory"], np.float64)
        self._offered = int(np.asarray(state["offered"], np.int64)[0])
        self.seats.restore(state)
        self._lots.restore(state)

    # inside

    def _may_go(self, cards: Cards | None, hosts: Hosts | None, page: int) -> bool:
        """May it be visited now? If not, it waits for its host, forfeits its turn, or, being gone,
        leaves its leaf.
        """
        if may_be_visited(cards, hosts, page):
            return True
        if cards is None or page >= len(cards):
            return False
        if cards["state"][page] == GONE:
            self._see_off(page)
        elif cards["filed"][page] == BY_DUE:
            self._lots.park(page, int(cards["host"][page]))
        return False

    def _oldest_ready(self, cards: Cards, hosts: Hosts) -> int:
        """Of the pages that may be visited, the one whose last visit lies furthest
        back; −1 = none.
        """
        if not ((hosts["state"] == IDLE) & (hosts["due_size"] > 0)).any():
            return NOBODY
        pages = self.seats.seated(len(cards))
        ready = pages[
            (cards["filed"][pages] == BY_DUE)
            & (hosts["state"][cards["host"][pages]] == IDLE)
        ]
        return int(ready[np.argmin(cards["last"][ready])]) if len(ready) else NOBODY

    def _welcome(self, page: int) -> None:
        if not self.open_house:
            return
        if self.seats.full:
            self.memory = self._double()
            self.seats.double()
        self._seat(self.seats.first_free())
        self.seats.take(page)

    def _see_off(self, page: int) -> None:
        if self.open_house and (leaf := self.seats.leaf_of(page)) != NOBODY:
            self._unseat(leaf)
            self.seats.leave(page)
