"""adaptive-whittle in the papers' slots: rates, worths and decays learnt from what visits bring.

A visit after k slots brings W·(1 − e^(−ck)) on average. For every decay c of a grid the best W is
in closed form (total reward by total of 1 − e^(−ck)), and so is the likelihood of Poisson-like
rewards, from two sums per source and c. The likeliest c, refined between grid points, and its W
give the price (certainty equivalence).

A source may bring nothing at first because its items are rare, not because it is worthless: to its
own visits up to three are added, of mean length, that brought what visits to all sources bring on
average; the fewer, the less its own are a matter of luck.

A source that is always visited at one age never shows its decay: with a chance of ε/√t a visit goes
to a source drawn at random instead, whose age is then an unusual one. With a `memory` of m slots, a
visit k slots ago counts e^(−k/m) at the next one, and t does not grow beyond m; without, nothing is
forgotten, and changes are found slowly.

>>> import numpy as np
>>> learner = SlottedLearner(2, seed=1)
>>> for age in (1.0, 2.0, 3.0) * 30:
...     learner.learn(0, age, 500.0 * (1 - np.exp(-0.35 * age)))
>>> learner.decay[0].round(2), learner.worth[0].round(-1)
(np.float64(0.35), np.float64(500.0))
"""

from __future__ import annotations

import json
import math
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays
from trapline.policies.refresh.slots.slot_chooser import (
    Floats,
    SlottedChooser,
    restore_in_place,
)
from trapline.theory.ephemeral.slot_formulas import age_price, slot_lag

_DECAYS: Final = np.geomspace(1e-3, 5.0, 48)
_LOG_DECAYS: Final = np.log(_DECAYS)
_STEP: Final = float(_LOG_DECAYS[1] - _LOG_DECAYS[0])
_PRIOR_DECAY: Final = 0.2
_PRIOR_WIDTH: Final = 1.5  # of log c
# of the mean reward: what is taken for variance by mean of a reward, before it has been seen
_NOISE: Final = 0.05
_TRUST: Final = 2.0  # visits that this is as good as
_USUAL: Final = 3.0  # visits added, at most, to those of each source
_NOTHING: Final = 1e-9  # of the usual reward: what has faded so far brought nothing
_WILDEST: Final = 1e9
_LEAST: Final = 1e-300  # of which a logarithm can be taken

# The sums kept of each source, by column.
_REWARD: Final = 0
_COUNT: Final = 1
_STRAYED: Final = 2  # Σ (reward − expected)²/expected, each as expected at its time
_FILLED: Final = slice(3, 3 + len(_DECAYS))  # Σ 1 − e^(−ck)
# Σ reward·log(1 − e^(−ck))
_WEIGHED: Final = slice(3 + len(_DECAYS), 3 + 2 * len(_DECAYS))


class SlottedLearner(SlottedChooser):
    def __init__(
        self,
        sources: int,
        explore: float = 0.3,
        seed: int = 0,
        *,
        memory: float = math.inf,
        costs: Floats | None = None,
    ) -> None:
        if not 0.0 <= explore <= 1.0:
            raise BadNumber("the chance to explore", explore, "between 0 and 1")
        if seed < 0:
            raise BadNumber("the seed", seed, "at least 0")
        if not memory >= 1.0:
            raise BadNumber("the memory in slots", memory, "at least 1, or inf")
        super().__init__(sources, costs)
        self.decay = np.full(sources, _PRIOR_DECAY)
        self._explore = explore
        self._memory = memory
        self._rng = np.random.default_rng(seed)
        self._sums = np.zeros((sources, _WEIGHED.stop))
        self._pooled = np.zeros(_FILLED.stop)  # the first of them, over all sources
        self._filled = np.zeros(sources)  # Σ 1 − e^(−ck) at its own c
        self._added = np.full(sources, _USUAL)  # visits
        self._counts = np.array([0, 1])  # slots so far, visits in the last one

    @property
    def worth(self) -> Floats:
        """W of each source; ∞ if it was never visited: see it first."""
        known = self._sums[:, _COUNT] > 0.0
        reward, filled = self._usual(self.decay)
        total = self._sums[:, _REWARD] + self._added * reward
        return np.where(
            known,
            total / np.where(known, self._filled + self._added * filled, 1.0),
            np.inf,
        )

    def _usual(self, decay: Floats) -> tuple[float, Floats]:
        """What a visit brings on average, and its 1 − e^(−ck)."""
        mean = self._pooled / max(1.0, self._pooled[_COUNT])
        return float(mean[_REWARD]), np.interp(
            np.log(decay), _LOG_DECAYS, mean[_FILLED]
        )

    def prices(self, now: float) -> Floats:
        self._counts[0] += 1
        worth = self.worth
        known = np.isfinite(worth)
        ages = now - self.last
        by_cost = np.where(known, worth, 0.0) / self.costs
        prices = np.where(
            known, age_price(ages, by_cost, self.decay, slot_lag(self.decay)), np.inf
        )
        chance = self._explore / math.sqrt(min(self._counts[0], self._memory))
        strangers = self._rng.binomial(self._counts[1], chance)
        if strangers:
            prices[self._rng.integers(0, len(prices), strangers)] = np.inf
        self._counts[1] = 0
        return prices

    def learn(self, source: int, age: float, reward: float) -> None:
        if not 0.0 < age < math.inf:
            raise BadNumber("the age at a visit", age, "a finite number above 0")
        if not 0.0 <= reward < math.inf:
            raise BadNumber(
                "what a visit brought", reward, "a finite number, at least 0"
            )
        self._counts[1] += 1
        filled = np.maximum(-np.expm1(-_DECAYS * age), _LEAST)
        expected = self._expected_reward(source, age)
        strayed = _squared_deviation(float(reward), expected)
        before = self._sums[source].copy()
        self._sums[source] *= math.exp(-age / self._memory)
        self._sums[source] += np.concatenate(
            ([reward, 1.0, strayed], filled, reward * np.log(filled))
        )
        change = (self._sums[source] - before)[: _FILLED.stop]
        # what has faded away must not leave less than nothing
        self._pooled = np.maximum(self._pooled + change, 0.0)
        self._fit(source)

    def _expected_reward(self, source: int, age: float) -> float:
        """By its own visits; while these brought nothing, by the usual ones; 0 before the first."""
        total = self._sums[source, _REWARD]
        filled = self._filled[source]
        decay = self.decay[source]
        if filled <= 0.0:
            return 0.0
        reward, usual = self._usual(decay)
        if total <= _NOTHING * reward:
            total = _USUAL * reward
            filled = filled + _USUAL * usual
        return float(total / filled * -np.expm1(-decay * age))

    def _fit(self, source: int) -> None:
        sums = self._sums[source]
        total = sums[_REWARD]
        count = sums[_COUNT]
        self._added[source] = _USUAL
        if total > _NOTHING * self._pooled[_REWARD] / self._pooled[_COUNT]:
            noise = (_TRUST * _NOISE * total / count + sums[_STRAYED]) / (
                _TRUST + count
            )
            likely = (sums[_WEIGHED] - total * np.log(sums[_FILLED])) / noise
            likely -= 0.5 * ((_LOG_DECAYS - math.log(_PRIOR_DECAY)) / _PRIOR_WIDTH) ** 2
            self.decay[source] = _peak(likely)
            # that is 1/(items a visit)
            self._added[source] = _USUAL * min(1.0, noise * count / total)
        at = np.interp(np.log(self.decay[source]), _LOG_DECAYS, np.log(sums[_FILLED]))
        self._filled[source] = np.exp(at)

    def state(self) -> Arrays:
        chance = np.frombuffer(
            json.dumps(self._rng.bit_generator.state).encode(), np.uint8
        )
        return {
            **super().state(),
            **{name: kept.copy() for name, kept in self._arrays().items()},
            "chance": chance,
        }

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        for name, kept in self._arrays().items():
            restore_in_place(kept, state[name])
        self._rng.bit_generator.state = json.loads(state["chance"].tobytes())

    def _arrays(self) -> Arrays:
        return {
            "decay": self.decay,
            "filled": self._filled,
            "added": self._added,
            "sums": self._sums,
            "pooled": self._pooled,
            "counts": self._counts,
        }


def _squared_deviation(reward: float, expected: float) -> float:
    """(reward − expected)²/expected, within reason."""
    if expected <= 0.0:
        return 0.0
    by = abs(reward - expected)
    return by * min(by / expected, _WILDEST)


def _peak(likely: Floats) -> float:
    """The decay where a parabola through the highest grid point and its neighbours has its top."""
    top = int(np.argmax(likely))
    if 0 < top < len(likely) - 1:
        left, middle, right = likely[top - 1 : top + 2]
        bend = left - 2.0 * middle + right
        shift = 0.5 * (left - right) / bend if bend < 0.0 else 0.0
        return float(_DECAYS[top] * np.exp(shift * _STEP))
    return float(_DECAYS[top])
