"""A world of ephemeral sources (papers `whittle` and `lspe`): content appears, and loses its
interest.

Time comes in slots. In the *mean* model a source's content is its expectation, X ← aX + u, and a
visit takes it all. In the *stochastic* model items come by a Poisson process within the slot, each
of random utility, fading from the moment it appeared; what is older than its source's lifetime in
slots is gone (`lspe`'s M_i). Parameters, but for lifetimes, may change at given slots.

>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> world = EphemeralWorld(Sources.of([EphemeralSource(250, 1.0, 0.7)]))
>>> world.step()
>>> round(world.visit(0), 5)
179.79096
"""

from __future__ import annotations

from collections import deque
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, UnknownName
from trapline.theory.ephemeral.source import Sources

Floats = NDArray[np.float64]


def random_sources(count: int, seed: int, period: float = 1.0) -> Sources:
    """Λ in .1 … 100, ξ in .01 … 1, μ in .01 … 1 a unit of time, all log-uniform."""
    rng = np.random.default_rng(seed)
    arrivals, utilities, decays = (
        10.0 ** rng.uniform(low, high, count)
        for low, high in ((-1, 2), (-2, 0), (-2, 0))
    )
    return Sources(arrivals, utilities, decays, period=period)


class EphemeralWorld:
    def __init__(
        self,
        sources: Sources,
        *,
        model: Literal["mean", "stochastic"] = "mean",
        utilities: Literal["constant", "exponential"] = "constant",
        changes: tuple[tuple[int, Sources], ...] = (),
        seed: int = 0,
    ) -> None:
        """`changes` are (slot, sources): from that slot on the parameters are those."""
        if model not in ("mean", "stochastic"):
            raise UnknownName(
                "model of ephemeral sources", model, ["mean", "stochastic"]
            )
        if utilities not in ("constant", "exponential"):
            raise UnknownName(
                "law of utilities", utilities, ["constant", "exponential"]
            )
        if seed < 0:
            raise BadNumber("the seed", seed, "at least 0")
        if any(len(later) != len(sources) for _, later in changes):
            raise BadNumber(
                "the number of sources after a change",
                [len(s) for _, s in changes],
                f"{len(sources)}",
            )
        if any((later.lifetime != sources.lifetime).any() for _, later in changes):
            raise BadNumber(
                "the lifetime of items after a change",
                [later.lifetime.tolist() for _, later in changes],
                "the same as before it",
            )
        self.sources = sources
        self.now = 0
        self.content: Floats = np.zeros(len(sources))  # what a visit now would bring
        self._stochastic = model == "stochastic"
        self._exponential = utilities == "exponential"
        self._lifetime = sources.lifetime
        self._mortal = np.isfinite(self._lifetime)
        self._longest = float(self._lifetime.max(where=self._mortal, initial=0.0))
        self._changes = sorted(changes, key=lambda change: change[0])
        # what each slot brought and is still there, newest first
        self._recent: deque[Floats] = deque()
        self._rng = np.random.default_rng(seed)

    def step(self) -> None:
        """A slot passes."""
        self.now += 1
        while self._changes and self._changes[0][0] <= self.now:
            self.sources = self._changes.pop(0)[1]
        survival = self.sources.survival
        brought = self._draw_items() if self._stochastic else self.sources.gain.copy()
        self.content *= survival
        self.content += brought
        if self._longest > 0.0:
            self._age(survival, brought)

    def visit(self, source: int) -> float:
        """Take what is there."""
        found = float(self.content[source])
        self.content[source] = 0.0
        for brought in self._recent:
            brought[source] = 0.0
        return found

    def _age(self, survival: Floats, brought: Floats) -> None:
        """What has become older than its lifetime is gone; the rest is summed anew, as differences
        might be below 0.
        """
        for earlier in self._recent:
            np.multiply(earlier, survival, out=earlier)
        self._recent.appendleft(brought.copy())
        for age, earlier in enumerate(self._recent):
            earlier[self._lifetime == age] = 0.0
        if len(self._recent) > self._longest:
            self._recent.pop()
        np.copyto(self.content, sum(self._recent), where=self._mortal)

    def _draw_items(self) -> Floats:
        """Items of one slot: Poisson in number, uniform in time, faded to the end of the slot."""
        sources = self.sources
        rng = self._rng
        counts = rng.poisson(sources.arrival_rate * sources.period)
        owner = np.repeat(np.arange(len(counts)), counts)
        age = rng.uniform(0.0, sources.period, len(owner))
        worth = sources.utility[owner] * np.exp(-sources.decay[owner] * age)
        if self._exponential:
            worth *= rng.standard_exponential(len(owner))
        return np.asarray(np.bincount(owner, worth, len(counts)), np.float64)
