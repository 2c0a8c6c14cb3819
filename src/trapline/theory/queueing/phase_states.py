"""The states of a queue whose times have phases: pages in it, the phase of the one in hand, and
how many fetchers are in each phase of their way.

>>> states = PhaseStates.all(capacity=2, fetchers=3, stages=2, legs=1)
>>> len(states.queue), states.at_work.max()
(19, np.int64(3))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from trapline.core.errors import BadNumber
from trapline.theory.queueing.control import Ints

_MOST_STATES = 200_000


@dataclass(frozen=True)
class Teams:
    """All ways in which up to so many fetchers can be spread over the legs of their way."""

    counts: Ints  # [leg, team]
    fetchers: int

    @classmethod
    def all(
        cls,
        fetchers: int,
        legs: int,
    ) -> Teams:
        ways = product(range(fetchers + 1), repeat=legs)
        kept = [way for way in ways if sum(way) <= fetchers]
        return cls(np.array(kept, dtype=np.int64).T, fetchers)

    @cached_property
    def _team(self) -> Ints:
        """[code] the team of these counts."""
        base = self.fetchers + 1
        found = np.full(base ** len(self.counts), -1)
        found[self._codes(self.counts)] = np.arange(self.counts.shape[1])
        return found

    def _codes(
        self,
        counts: Ints,
    ) -> Ints:
        powers = (self.fetchers + 1) ** np.arange(len(counts))
        codes: Ints = powers @ counts
        return codes

    def after(
        self,
        leaves: int | None,
        joins: int | None,
    ) -> Ints:
        """[team] that follows when one leaves a leg and one joins another; −1 = it cannot be."""
        counts = self.counts.copy()
        if leaves is not None:
            counts[leaves] -= 1
        if joins is not None:
            counts[joins] += 1
        possible = (counts.min(axis=0) >= 0) & (counts.sum(axis=0) <= self.fetchers)
        inside = np.where(possible, counts, 0)
        return np.where(possible, self._team[self._codes(inside)], -1)


@dataclass(frozen=True)
class PhaseStates:
    """Numbered in their order; an empty queue has no page in hand, and then somebody is at work."""

    queue: Ints
    stage: Ints  # of the page in hand; 0 where there is none
    team: Ints
    teams: Teams
    place: Ints  # [queue, stage, team] the number of a state, −1 = there is none

    @classmethod
    def all(
        cls,
        capacity: int,
        fetchers: int,
        stages: int,
        legs: int,
    ) -> PhaseStates:
        teams = Teams.all(fetchers, legs)
        shape = (capacity + 1, stages, teams.counts.shape[1])
        if np.prod(shape) > _MOST_STATES:
            raise BadNumber(
                "the number of states", int(np.prod(shape)), f"at most {_MOST_STATES:,}"
            )
        exists = np.ones(shape, dtype=bool)
        exists[0, 1:] = False
        exists[0, 0, teams.counts.sum(axis=0) == 0] = False
        queue, stage, team = np.nonzero(exists)
        place = np.full(shape, -1)
        place[queue, stage, team] = np.arange(len(queue))
        return cls(queue, stage, team, teams, place)

    @cached_property
    def at_work(self) -> Ints:
        """[state] fetchers, in all legs."""
        found: Ints = self.teams.counts.sum(axis=0)[self.team]
        return found

    def number(
        self,
        queue: Ints,
        stage: Ints,
        teams: Ints,
    ) -> Ints:
        """`teams` by team, of which each state has one."""
        team = teams[self.team]
        stage = np.where(queue == 0, 0, stage)
        return np.where(team < 0, -1, self.place[queue, stage, team])
