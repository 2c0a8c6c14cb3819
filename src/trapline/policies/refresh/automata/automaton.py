"""What automata share: whose turn it is, who learns from a poll, and how pages come, wait and go.

An automaton seats pages on the leaves of a tree and takes turns among them by fluid EDF
(fluid_edf.py). All that its kernels know is in its mind, so that the same kernels run live and in
the laboratory's compiled loop:

    turn_kernel(mind) → the leaf whose turn it is (−1 = none); the turn is spent
    learn_kernel(mind, leaf, changed, gap): a poll of the leaf, `gap` after its last, found a change
    or not

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
from typing import Any, ClassVar, Final, NamedTuple, Protocol, Self

import numpy as np

from trapline.core.cards import BY_DUE, GONE, IDLE, Cards, Hosts
from trapline.core.errors import BadNumber, ClockWentBack, UnknownPage, check_rate
from trapline.core.ports import Arrays, Seen
from trapline.policies.mind import Records, as_table
from trapline.policies.refresh.automata.fluid_edf import (
    double_tree,
    leaf_shares,
    next_turn,
)
from trapline.policies.refresh.automata.parking_lots import ParkingLots
from trapline.policies.refresh.automata.tree_seats import NOBODY, Seats
from trapline.policies.refresh.refresh_policy import Floats, KnownPages, RefreshPolicy
from trapline.policies.refresh.slots.slot_chooser import may_be_visited
from trapline.theory.kernel import bare_kernel

# What an automaton keeps count of: draws of chance, when a visit was settled last, turns, polls of
# its first phase, and 1 once that is over.
PROGRESS: Final = np.dtype(
    [(name, np.float64) for name in ("draws", "clock_s", "turns", "polls", "is_over")]
)


class Mind(NamedTuple):
    """All that the kernels of an automaton know."""

    settings: Any  # a NamedTuple of the automaton's own
    seed: int
    progress: Records  # one
    tree: Floats


MOST_TURNS: Final = 64  # a choice
_FINEST: Final = 1e12  # 1 by the least share on a grid
_MOST_SEED: Final = 2**53  # whole numbers that a float can hold


class TurnKernel(Protocol):
    def __call__(self, mind: Mind) -> int: ...


class LearnKernel(Protocol):
    def __call__(self, mind: Mind, leaf: int, changed: bool, gap: float) -> None: ...


@bare_kernel
def learn_nothing(mind: Mind, leaf: int, changed: bool, gap: float) -> None:
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


class Automaton(RefreshPolicy):
    """A Chooser over the pages on its leaves.

    Subclasses say how they learn, and what share a newcomer is given.
    """

    chooses = True
    takes_turns = True
    open_house: ClassVar[bool] = True  # pages may come and go
    turn_kernel: ClassVar[TurnKernel] = staticmethod(next_turn)
    learn_kernel: ClassVar[LearnKernel]

    def __init__(self, seed: float, settings: Any) -> None:
        """`settings` is a NamedTuple that the kernels read."""
        progress = np.zeros(1, PROGRESS)
        progress["clock_s"] = -math.inf
        draws_by = whole("seed", seed, 0, _MOST_SEED)
        self.mind = Mind(settings, draws_by, progress, np.zeros((2, 5)))
        self.seats = Seats(2)
        self.plant(self._plant(0))
        self._lots = ParkingLots()
        self._offered = NOBODY

    @classmethod
    def for_pages(cls, pages: int, **settings: Any) -> Self:
        """An automaton on whose leaves 0 … n−1 the pages 0 … n−1 sit from the start."""
        policy = cls(**settings)
        policy.seat_all(whole("the number of pages", pages, 2))
        return policy

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls.for_pages(len(known), seed=known.seed)

    @property
    def tree(self) -> Floats:
        return self.mind.tree

    def plant(self, tree: Floats) -> None:
        """Take turns by this tree from now on."""
        self.mind = self.mind._replace(tree=tree)

    def seat_all(self, pages: int) -> None:
        self.plant(self._plant(pages))
        self.seats = Seats(len(self.tree))
        self.seats.take_all(pages)

    def shares(self) -> Floats:
        """Of the polls, for each leaf; 0 where nobody sits."""
        return leaf_shares(self.tree)

    # what subclasses know of their trees

    def _plant(self, pages: int) -> Floats:
        """A tree with pages on its first leaves."""
        raise NotImplementedError

    def _double(self) -> Floats:
        return double_tree(self.tree)

    def _seat(self, leaf: int) -> None:
        """A page is about to sit down on a leaf (`seats` does not count it yet)."""
        raise NotImplementedError

    def _unseat(self, leaf: int) -> None:
        """The page of a leaf is about to go (`seats` still counts it)."""
        raise NotImplementedError

    # the policy

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        if not 0 <= page < len(cards):
            raise UnknownPage(page, len(cards))
        progress = self.mind.progress
        if not seen.now_s >= progress["clock_s"][0]:
            raise ClockWentBack(seen.now_s, float(progress["clock_s"][0]))
        progress["clock_s"][0] = seen.now_s
        leaf = self.seats.leaf_of(page)
        if leaf == NOBODY:
            self._welcome(page)
        elif math.isfinite(seen.age_s):
            self.learn_kernel(self.mind, leaf, bool(seen.changed), float(seen.age_s))
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
            leaf = self.turn_kernel(self.mind)
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

    def move_times(self, by_s: float) -> None:
        self.mind.progress["clock_s"] += by_s

    def state(self) -> Arrays:
        learnt = {
            "progress": as_table(self.mind.progress)[0].copy(),
            "memory": self.tree.copy(),
        }
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
        as_table(self.mind.progress)[0] = state["progress"]
        self.plant(np.array(state["memory"], np.float64))
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
        pages = self.seats.pages_seated(len(cards))
        ready = pages[
            (cards["filed"][pages] == BY_DUE)
            & (hosts["state"][cards["host"][pages]] == IDLE)
        ]
        return int(ready[np.argmin(cards["last"][ready])]) if len(ready) else NOBODY

    def _welcome(self, page: int) -> None:
        if not self.open_house:
            return
        if self.seats.full:
            self.plant(self._double())
            self.seats.double()
        self._seat(self.seats.first_free())
        self.seats.take(page)

    def _see_off(self, page: int) -> None:
        if self.open_house and (leaf := self.seats.leaf_of(page)) != NOBODY:
            self._unseat(leaf)
            self.seats.leave(page)
