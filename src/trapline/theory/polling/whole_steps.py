"""Polling in whole steps (`htraa`): the price of a poll, and what no schedule exceeds in the
long run.

A poll of a page last polled τ steps ago finds a change with probability 1 − q^τ. That is a source
of ephemeral content whose content is the chance of a change: `whittle` with u* = w, a = q. Its
Theorem 1 gives the price of a poll,

    γ(τ) = w·[1 − q^τ·(1 + τp)],

and its relaxation (c polls a step on the average only, at a price λ each) the bound

    min over λ ≥ 0 of  λ·c + Σ_i max_k [(w_i(1 − q_i^k) − λ)/k]⁺,   k whole.

(w(1−q^k) − λ)/k rises with k as long as γ(k) < λ: the best k is the first age whose price reaches
λ.

>>> round(slotted_price(change_probability=0.5, age=2), 6)
0.5
>>> slotted_price([0.5, 0.1], 1, [1, 2]).round(6).tolist()
[0.25, 0.02]
>>> round(slotted_bound([0.5, 0.2, 0.1]), 6)
0.625387
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber
from trapline.theory.argument_checks import at_least_0, chances, check_polls, weights_of
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.slot_formulas import slot_lag, slotted_bracket
from trapline.theory.ephemeral.source import Sources
from trapline.theory.polling.allocation import page_chances


def slotted_bound(
    change_probabilities: ArrayLike,
    budget: float = 1.0,
    weights: ArrayLike | None = None,
) -> float:
    """Detections a step, each counted by its page's weight, that no schedule of `budget` polls a
    step exceeds in the long run.
    """
    hazard = -np.log1p(-page_chances(change_probabilities))
    check_polls(budget, hazard.size)
    return relaxed_bound(
        Sources(hazard, weights_of(weights, hazard.size), hazard), budget
    ).value


def slotted_price(
    change_probability: ArrayLike, age: ArrayLike, weight: ArrayLike = 1.0
) -> Any:
    """What a poll is worth `age` steps after the last one.

    Arrays in, array out; at age ∞ (never polled) the weight.
    """
    chance = chances("a change probability", change_probability)
    worth = at_least_0("a weight", weight)
    ages = np.asarray(age, np.float64)
    if not (ages >= 0.0).all():
        raise BadNumber(
            "an age",
            ages[~(ages >= 0.0)].flat[0],
            "at least 0 (steps since the last poll)",
        )
    hazard, since, worth = np.broadcast_arrays(-np.log1p(-chance), ages, worth)
    found = worth * slotted_bracket(
        (hazard * since).ravel(), slot_lag(hazard.ravel())
    ).reshape(hazard.shape)
    return found.item() if found.ndim == 0 else found
