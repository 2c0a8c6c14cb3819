"""When an engine is born, how it grows, when it dies, and whether it lies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np


class Lie(StrEnum):
    """All liars claim the words and several times the pages of everybody; they differ in what they
    answer.
    """

    NONE = "none"
    BOASTS = "boasts"  # what it has, which is little
    SILENT = "silent"  # no hit
    GARBAGE = "garbage"  # pages without any word of the query, with top scores
    INFLATES = "inflates"  # what it has, with top scores
    STUFFS = "stuffs"  # pages that nobody wants, whose titles are the query


@dataclass(frozen=True, slots=True)
class Fate:
    name: str
    born_s: float
    dies_s: float
    grown_s: float  # how long after its birth it holds all of its slice
    began_with: float  # share of its slice at birth
    lie: Lie = Lie.NONE

    def lives(self, now_s: float) -> bool:
        return self.born_s <= now_s < self.dies_s

    def share_held(self, now_s: float) -> float:
        """Share of its slice that it has gathered.

        >>> fate = Fate("a", born_s=10.0, dies_s=99.0, grown_s=20.0, began_with=0.2)
        >>> [round(fate.share_held(now_s), 2) for now_s in (0.0, 10.0, 20.0, 50.0, 99.0)]
        [0.0, 0.2, 0.6, 1.0, 0.0]
        """
        if not self.lives(now_s):
            return 0.0
        age = (now_s - self.born_s) / self.grown_s if self.grown_s else 1.0
        return min(1.0, self.began_with + (1.0 - self.began_with) * age)


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeShape:
    """What happens to engines in the time of a world."""

    length_s: float = 20 * 86_400.0
    born_share: float = 0.0  # of the engines is born later
    dies_share: float = 0.0
    began_with: float = 1.0
    grown_s: float = 0.0
    liars: tuple[Lie, ...] = ()  # who join the others
    liars_join_s: float = 0.0


def draw_fates(
    engines: int, life: LifeShape, rng: np.random.Generator
) -> tuple[Fate, ...]:
    """Those of the honest engines, then those of the liars; engine 0 lives all the time."""
    order = 1 + rng.permutation(engines - 1)
    late = set(order[: round(life.born_share * engines)].tolist())
    dying = set(order[::-1][: round(life.dies_share * engines)].tolist())
    fates = []
    for engine in range(engines):
        born = rng.uniform(0.1, 0.7)
        dies = rng.uniform(0.3, 0.9)
        fates.append(
            Fate(
                f"engine {engine}",
                life.length_s * born if engine in late else 0.0,
                life.length_s * dies if engine in dying - late else np.inf,
                life.grown_s,
                life.began_with,
            )
        )
    liars = [
        Fate(f"liar {n} ({lie})", life.liars_join_s, np.inf, 0.0, 1.0, lie)
        for n, lie in enumerate(life.liars)
    ]
    return (*fates, *liars)
