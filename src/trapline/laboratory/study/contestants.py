"""Contestants: every refresh policy by its name, made for a polling world and told what it must
know.

A step of the world is a second of the policy's clock.

>>> from trapline.laboratory.worlds.polling import PollingWorld
>>> type(make_contestant("htraa", PollingWorld.zipf(64))).__name__
'HTraa'
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from trapline.core.errors import BadNumber, UserMistake
from trapline.core.ports import Policy
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.policies.registry import policy_class
from trapline.theory.ephemeral.source import Sources
from trapline.theory.polling.allocation import best_rates

# the truth
TOLD: Final = frozenset(
    {"frequency", "greedy", "known-rate", "optimal", "proportional", "whittle"}
)

_ROUNDS: Final = 10  # of the estimator's phase


def make_posterior(world: PollingWorld) -> Policy:
    """Detections are what polling is about.

    The range of rates is the world's, the prior is not told.
    """
    # what changes more rarely than that is not worth telling apart
    slowest_s = 2_000.0 * len(world)
    made: Policy = policy_class("posterior")(
        "detections", fastest_s=0.25, slowest_s=slowest_s
    )
    return made


def make_contestant(name: str, world: PollingWorld, seed: int = 0) -> Policy:
    """The policy of that name. Raises UnknownName, or UserMistake where it cannot poll."""
    found = refresh_class(name)
    made: Policy = _MAKERS[name](world, seed) if name in _MAKERS else found()
    return made


def refresh_class(name: str) -> Any:
    found = policy_class(name)
    if "refresh" not in found.roles:
        raise UserMistake(
            f"policy {name!r} is for {' and '.join(sorted(found.roles))}: it polls nothing"
        )
    return found


def weighs_pages(name: str) -> bool:
    """Whether a policy prefers pages that matter more."""
    return bool(getattr(policy_class(name), "weighted", False))


def _change_rates(world: PollingWorld) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.asarray(-np.log1p(-world.probabilities))


def _sources_of(world: PollingWorld) -> Sources:
    """A page is a source of ephemeral content, the content being the chance of a change
    (theory/polling/whole_steps.py).
    """
    rates = _change_rates(world)
    return Sources(rates, world.weights, rates)


def _resolution_for(world: PollingWorld) -> int:
    """The paper's resolution, or as many steps as leave room for the smallest share of so many
    pages.
    """
    return max(500, math.isqrt(len(world)) + 1)


def _check_two_pages(world: PollingWorld) -> int:
    if len(world) != 2:
        raise BadNumber(
            "the number of pages for traa", len(world), "2: for more there is htraa"
        )
    return 2


_MAKERS: Final[dict[str, Callable[[PollingWorld, int], Policy]]] = {
    "argmax": lambda world, seed: policy_class("argmax")(make_posterior(world)),
    "estimator": lambda world, seed: policy_class("estimator")(
        len(world), phase=_ROUNDS * len(world), seed=seed
    ),
    "frequency": lambda world, seed: policy_class("frequency")(
        best_rates(world.probabilities, weights=world.weights)
    ),
    "greedy": lambda world, seed: policy_class("greedy")(_sources_of(world)),
    "htraa": lambda world, seed: policy_class("htraa").for_pages(len(world), seed=seed),
    "known-rate": lambda world, seed: policy_class("known-rate")(
        _change_rates(world), world.weights
    ),
    "lakg": lambda world, seed: policy_class("lakg").for_pages(
        len(world), resolution=_resolution_for(world), seed=seed
    ),
    "nutch-adaptive": lambda world, seed: policy_class("nutch-adaptive")(
        len(world), 1.0, 1_000.0 * len(world)
    ),
    "optimal": lambda world, seed: policy_class("optimal")(
        world.probabilities, world.weights, seed=seed
    ),
    "posterior": lambda world, seed: make_posterior(world),
    "proportional": lambda world, seed: policy_class("proportional")(
        world.probabilities, seed=seed
    ),
    "traa": lambda world, seed: policy_class("traa").for_pages(
        _check_two_pages(world), seed=seed
    ),
    "whittle": lambda world, seed: policy_class("whittle")(_sources_of(world)),
}
