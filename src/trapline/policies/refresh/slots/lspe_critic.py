"""LSPE(0) with a few features, for an actor that is saved and goes on (paper `lspe`, section IV).

Fits V(x) ≈ r·φ(x) of a chain with mean reward η from one step after the other:

    r ← r + γ·B̄⁻¹(Ā·r + b̄),
    B̄ = mean of φφᵀ,  Ā = mean of φ(φ' − φ)ᵀ,  b̄ = mean of φ·(reward − η)

all means with steps 1/(n+1), B̄ being kept off rank by a ridge.

>>> critic = Critic(features=2, gain=0.5)
>>> for _ in range(300):  # content of 1 after a slot, 2 after two, then it is taken
...     _ = critic.learn(np.array([1.0, 1.0]), np.array([1.0, 2.0]), reward=0.0)
...     _ = critic.learn(np.array([1.0, 2.0]), np.array([1.0, 1.0]), reward=2.0)
>>> round(critic.mean_reward, 2), round(float(critic.weights[1]), 1)  # V(2) − V(1) = 1
(1.0, 1.0)
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_RIDGE: Final = 1e-3  # δ, beside features of order 1


class Critic:
    def __init__(self, features: int, gain: float) -> None:
        self._gain = gain
        self.steps = 0
        self.mean_reward = 0.0  # η
        self.weights: Floats = np.zeros(features)  # r
        self._gram = np.eye(features)  # B̄
        self._drift = np.zeros((features, features))  # Ā
        self._brought = np.zeros(features)  # b̄

    def learn(self, before: Floats, after: Floats, reward: float) -> float:
        """One step; returns its advantage, reward − η + V(after) − V(before), as valued before."""
        advantage = reward - self.mean_reward + float(self.weights @ (after - before))
        self.steps += 1
        step = 1.0 / (self.steps + 1)
        self._drift += step * (np.outer(before, after - before) - self._drift)
        self._brought += step * (before * (reward - self.mean_reward) - self._brought)
        self._gram += step * (np.outer(before, before) - self._gram)
        self.mean_reward += step * (reward - self.mean_reward)
        wanted = self._drift @ self.weights + self._brought
        steady = self._gram + _RIDGE * np.eye(len(wanted))
        self.weights += self._gain * np.linalg.solve(steady, wanted)
        return advantage

    def state(self) -> Floats:
        """All that it knows, in a row."""
        return np.concatenate(
            (
                [self.steps, self.mean_reward],
                self.weights,
                self._brought,
                self._gram.ravel(),
                self._drift.ravel(),
            )
        )

    def restore(self, saved: Floats) -> None:
        features = len(self.weights)
        cuts = np.cumsum([2, features, features, features**2])
        two, weights, brought, gram, drift = np.split(np.array(saved, np.float64), cuts)
        self.steps = int(two[0])
        self.mean_reward = float(two[1])
        self.weights = weights
        self._brought = brought
        self._gram = gram.reshape(features, features)
        self._drift = drift.reshape(features, features)
