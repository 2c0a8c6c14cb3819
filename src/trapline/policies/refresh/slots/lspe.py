"""lspe: the LSPE(0) actor-critic of paper `lspe`, as published, its errata repaired.

It runs in the laboratory alone: no live robot knows the states, and coins keep no budget
(lspe_from_rewards.py is the same from rewards alone, under a budget, live).

Each source decides for itself, by a coin: it is visited with probability f_i = 1/(1 + e^(−κ(x_i −
T_i − 0.5))), where x_i is what it is expected to hold and T_i = q0 + q1·s + q2·s², s = Σ_(k≠i) x_k,
a threshold that depends on what the others hold. So the number of visits in a slot is random;
nothing holds it to a budget.

The critic fits V(x) ≈ r·φ(x), φ = all x_i and all products, by LSPE(0); the actor climbs ∇q log
p(X'|X)·V(X').

Repaired: the reward is Σ x_i·v_i (as printed, Σ x_i, never visiting is best); Ā averages φ(φ' −
φ)ᵀ; the second q1 of T_i is q2; in (8) the component q_j^i has only term i; Sherman–Morrison is
(n+1)/n·[P − Pφφᵀ P/(n + φᵀ Pφ)]; slots count from 1, because a(0) divides by zero and 1/(0+1) would
erase B(−1) = εI. What it needs to know of the sources is more than the paper says: the states x and
the interval [u, u*] of the thresholds take all parameters.

>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> sources = [EphemeralSource(250, 1.0, 0.7), EphemeralSource(250, 0.7, 0.35)]
>>> policy = Lspe(Sources.of(sources), seed=1)
>>> policy.thresholds().round(2).tolist()  # at first the lowest possible, u
[179.79, 147.66]
>>> active = policy.decide()
>>> policy.learn(active, reward=float(policy.state[active].sum()))
>>> policy.slot
2
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, UnknownName
from trapline.theory.ephemeral.source import Sources

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LspeOptions:
    """What the paper sets, and what it leaves open; each default is the plainest reading of its
    text.

    steepness, critic_gain: κ and γ, as in the paper. κ is per unit of content: the coin is a step,
    but for a few units. actor_gain: c of a(n) = c/⌈n/500⌉, "some c in (0, 1)". As published it does
    not matter: T is at an end at once. averaging: the step of η, B̄, Ā and b̄: 1/(n+1), as in the
    recursions, or b(n) = c/⌈n/1000⌉^(2/3), as in the example. averaging_gain: c of b(n); below 1,
    so that B̄ never forgets all. inverse: of B̄: Tikhonov's, the paper's last word, or by
    Sherman–Morrison, its first. ridge: δ of (B̄ᵀB̄ + δI)⁻¹B̄ᵀ, "small": beside contents to the
    fourth power any number about 1 is. beginning: ε of B̄(−1) = εI, not told; it is soon averaged
    away. threshold: q0 at first, from 0 (u, where q = 0 would be projected to: nothing is told) to
    1 (u*); q1 = q2 = 0. scaling: none, as published; x/u* in the features φ and ψ, so that all are
    of order 1; or of the state itself: then
        thresholds and coins are in shares of u* too, and κ = 2 is soft.
    projection: of T's value alone, so that (8) is as printed; or of the gradient too, which is 0
    where T is clipped.
    """

    steepness: float = 2.0
    critic_gain: float = 0.05
    actor_gain: float = 0.1
    averaging: Literal["1/(n+1)", "b(n)"] = "1/(n+1)"
    averaging_gain: float = 0.1
    inverse: Literal["tikhonov", "sherman-morrison"] = "tikhonov"
    ridge: float = 1e-3
    beginning: float = 1.0
    threshold: float = 0.0
    scaling: Literal["none", "features", "state"] = "none"
    projection: Literal["value", "gradient"] = "value"

    def __post_init__(self) -> None:
        for name in (
            "steepness",
            "critic_gain",
            "actor_gain",
            "averaging_gain",
            "ridge",
            "beginning",
        ):
            value = getattr(self, name)
            still = name == "actor_gain"
            if not (math.isfinite(value) and (value > 0.0 or (still and value == 0.0))):
                wanted = (
                    "a number, at least 0 (thresholds that stay)"
                    if still
                    else "a number above 0"
                )
                raise BadNumber(f"the {name.replace('_', ' ')} of lspe", value, wanted)
        if not 0.0 <= self.threshold <= 1.0:
            raise BadNumber(
                "the first threshold of lspe",
                self.threshold,
                "between 0 (u) and 1 (u*)",
            )
        if not self.averaging_gain < 1.0:
            raise BadNumber(
                "the averaging gain of lspe",
                self.averaging_gain,
                "below 1: a mean must remember",
            )
        for name, known in _KNOWN.items():
            if getattr(self, name) not in known:
                raise UnknownName(f"{name} of lspe", getattr(self, name), known)


_KNOWN = {
    "averaging": ["1/(n+1)", "b(n)"],
    "inverse": ["tikhonov", "sherman-morrison"],
    "scaling": ["none", "features", "state"],
    "projection": ["value", "gradient"],
}


class Lspe:
    """lspe: `decide` whom to visit, make the visits, `learn` from what they brought;
    once a slot.
    """

    def __init__(
        self, sources: Sources, options: LspeOptions | None = None, seed: int = 0
    ) -> None:
        self.options = options = options or LspeOptions()
        self.slot = 1  # n
        none = np.ones(len(sources))
        # in which states and thresholds are counted
        unit = sources.ceiling if options.scaling == "state" else none
        # with the paper's factor 1 − α^M, which is 1 where nothing is dropped
        self._least = sources.gain * sources.kept / unit
        self._most = sources.ceiling / unit
        self._survival = sources.survival
        self.state: Floats = self._least.copy()  # x: what each is expected to hold now
        self.q = np.zeros((len(sources), 3))
        self.q[:, 0] = self._least + options.threshold * (self._most - self._least)
        self._scale = sources.ceiling if options.scaling == "features" else none
        self._pairs = np.triu_indices(len(sources))
        self._rng = np.random.default_rng(seed)
        self._describe()
        self._critic = _Critic(len(self._phi), options)

    def thresholds(self) -> Floats:
        """T_i, projected on [u_i, u_i*]."""
        wanted: Floats = (self.q * self._psi).sum(axis=1)
        return np.minimum(np.maximum(wanted, self._least), self._most)

    def chances(self) -> Floats:
        """f_i: how likely each is visited in this slot."""
        lean = self.options.steepness * (self.state - self.thresholds() - 0.5)
        return 0.5 + 0.5 * np.tanh(0.5 * lean)  # the logit, without overflow

    def decide(self) -> NDArray[np.intp]:
        """The sources to visit in this slot: any number of them."""
        return np.flatnonzero(self._rng.random(len(self.state)) < self.chances())

    def learn(self, active: NDArray[np.intp], reward: float) -> None:
        """These were visited and brought so much; the next slot begins."""
        n = self.slot
        options = self.options
        psi = self._psi
        phi = self._phi
        # ∂ log p_i/∂q_j = κψ_j·(f − v): −κψ_j(1−f) if visited, κψ_j·f if not
        score = self.chances()
        score[active] -= 1.0
        if options.projection == "gradient":
            wanted = (self.q * psi).sum(axis=1)
            score *= (wanted >= self._least) & (wanted <= self._most)
        self.state[active] = 0.0
        self.state *= self._survival
        self.state += self._least
        self._describe()
        step = (
            options.actor_gain
            / math.ceil(n / 500)
            * options.steepness
            * self._critic.value(self._phi)
        )
        self.q += (step * score)[:, np.newaxis] * psi
        self._critic.learn(n, phi, self._phi, reward)
        self.slot = n + 1

    def _describe(self) -> None:
        """The features of the state: φ for the critic, ψ = 1, s, s² for each threshold (s: what the
        others hold).
        """
        held = self.state / self._scale
        others = held.sum() - held
        self._psi = np.stack((np.ones(len(held)), others, others * others), axis=1)
        self._phi = np.concatenate((held, held[self._pairs[0]] * held[self._pairs[1]]))


class _Critic:
    """LSPE(0): V ≈ r·φ, relative to the mean reward η."""

    def __init__(self, features: int, options: LspeOptions) -> None:
        self._options = options
        self._r = np.zeros(features)
        self._mean = 0.0  # η
        self._gram = options.beginning * np.eye(features)  # B̄
        # of B̄, by Sherman–Morrison
        self._inverse = np.eye(features) / options.beginning
        self._drift = np.zeros((features, features))  # Ā
        self._gain = np.zeros(features)  # b̄

    def value(self, phi: Floats) -> float:
        return float(self._r @ phi)

    def learn(self, n: int, phi: Floats, after: Floats, reward: float) -> None:
        options = self._options
        step = (
            options.averaging_gain / math.ceil(n / 1000) ** (2 / 3)
            if options.averaging == "b(n)"
            else 1 / (n + 1)
        )
        self._drift += step * (np.outer(phi, after - phi) - self._drift)
        self._gain += step * (phi * (reward - self._mean) - self._gain)
        self._mean += step * (reward - self._mean)
        wanted = self._drift @ self._r + self._gain
        if options.inverse == "tikhonov":
            self._gram += step * (np.outer(phi, phi) - self._gram)
            # B̄ is symmetric: (B̄ᵀB̄ + δI)⁻¹B̄ᵀ has its vectors, and s/(s² + δ) for each of its
            # values s
            values, vectors = np.linalg.eigh(self._gram)
            self._r += options.critic_gain * (
                vectors @ (values / (values**2 + options.ridge) * (vectors.T @ wanted))
            )
            return
        turned = self._inverse @ phi
        self._inverse -= np.outer(turned, turned) * (
            step / (1.0 - step + step * float(phi @ turned))
        )
        self._inverse /= 1.0 - step
        self._r += options.critic_gain * (self._inverse @ wanted)
