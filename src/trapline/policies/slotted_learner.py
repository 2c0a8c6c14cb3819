"""adaptive-whittle in the papers' slots: arrival rate, utility and decay of each source learnt from what visits bring.

A visit after k slots brings W·(1 − e^(−ck)) on average. For every decay c of a grid the best W is in closed form (total
reward by total of 1 − e^(−ck)), and so is the likelihood of Poisson-like rewards, from two sums per source and c. The
likeliest c, refined between grid points, and its W give the price (certainty equivalence).

A source that is always visited at one age never shows its decay: with a chance of ε/√t a visit goes to a source drawn
at random instead, whose age is then an unusual one.

>>> import numpy as np
>>> learner = SlottedLearner(2, seed=1)
>>> for age in (1.0, 2.0, 3.0) * 30:
...     learner.learn(0, age, 500.0 * (1 - np.exp(-0.35 * age)))
>>> learner.decay[0].round(2), learner.worth[0].round(-1)
(np.float64(0.35), np.float64(500.0))
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.core.errors import BadNumber
from trapline.policies.slotted import Floats, SlottedChooser
from trapline.theory.ephemeral.slotted import age_price, slot_lag

_DECAYS: Final = np.geomspace(1e-3, 5.0, 48)
_STEP: Final = float(np.log(_DECAYS[1] / _DECAYS[0]))
_PRIOR_DECAY: Final = 0.2
_PRIOR_WIDTH: Final = 1.5  # of log c
_NOISE: Final = 0.05  # of the mean reward: what is taken for variance by mean of a reward, before it has been seen
_TRUST: Final = 2.0  # visits that this is as good as


class SlottedLearner(SlottedChooser):
    def __init__(self, sources: int, explore: float = 0.3, seed: int = 0) -> None:
        if not 0.0 <= explore <= 1.0:
            raise BadNumber("the chance to explore", explore, "between 0 and 1")
        super().__init__(sources)
        self.decay = np.full(sources, _PRIOR_DECAY)
        self.worth = np.full(sources, np.inf)  # never visited: see it first
        self._explore = explore
        self._rng = np.random.default_rng(seed)
        self._reward = np.zeros(sources)
        self._count = np.zeros(sources)
        self._filled = np.zeros((sources, len(_DECAYS)))  # Σ 1 − e^(−ck)
        self._weighed = np.zeros((sources, len(_DECAYS)))  # Σ reward·log(1 − e^(−ck))
        self._strayed = np.zeros(sources)  # Σ (reward − expected)²/expected, each as expected at its time
        self._asked = 0  # slots so far
        self._visits = 1  # visits in the last one

    def prices(self, now: float) -> Floats:
        self._asked += 1
        known = np.isfinite(self.worth)
        worth = np.where(known, self.worth, 0.0)
        prices = np.where(known, age_price(now - self.last, worth, self.decay, slot_lag(self.decay)), np.inf)
        strangers = self._rng.binomial(self._visits, self._explore / np.sqrt(self._asked))
        if strangers:
            prices[self._rng.integers(0, len(prices), strangers)] = np.inf
        self._visits = 0
        return prices

    def learn(self, source: int, age: float, reward: float) -> None:
        if not (np.isfinite(reward) and reward >= 0.0):
            raise BadNumber("what a visit brought", reward, "a finite number, at least 0")
        self._visits += 1
        if (expected := self._expected(source, age)) > 0.0:
            self._strayed[source] += (reward - expected) ** 2 / expected
        filled = -np.expm1(-_DECAYS * age)
        self._reward[source] += reward
        self._count[source] += 1
        self._filled[source] += filled
        self._weighed[source] += reward * np.log(filled)
        self._fit(source)

    def _expected(self, source: int, age: float) -> float:
        worth = self.worth[source]
        return float(worth * -np.expm1(-self.decay[source] * age)) if np.isfinite(worth) else 0.0

    def _fit(self, source: int) -> None:
        total, filled = self._reward[source], self._filled[source]
        if total <= 0.0:
            self.worth[source] = 0.0
            return
        count = self._count[source]
        noise = (_TRUST * _NOISE * total / count + self._strayed[source]) / (_TRUST + count)
        likely = (self._weighed[source] - total * np.log(filled)) / noise
        likely -= 0.5 * (np.log(_DECAYS / _PRIOR_DECAY) / _PRIOR_WIDTH) ** 2
        self.decay[source] = _peak(likely)
        at = np.interp(np.log(self.decay[source]), np.log(_DECAYS), np.log(filled))
        self.worth[source] = total / np.exp(at)


def _peak(likely: Floats) -> float:
    """The decay where a parabola through the highest grid point and its neighbours has its top."""
    top = int(np.argmax(likely))
    if 0 < top < len(likely) - 1:
        left, middle, right = likely[top - 1 : top + 2]
        bend = left - 2.0 * middle + right
        shift = 0.5 * (left - right) / bend if bend < 0.0 else 0.0
        return float(_DECAYS[top] * np.exp(shift * _STEP))
    return float(_DECAYS[top])
