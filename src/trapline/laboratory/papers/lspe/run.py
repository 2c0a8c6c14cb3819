"""The loop of `lspe`. The policy decides how many sources to visit, so the loop does not use the
request controller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.policies.refresh.slots.lspe import Lspe, LspeOptions

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LspeRun:
    rewards: Floats  # [slot] what its visits brought
    active: NDArray[np.int64]  # [slot] how many there were


def run_lspe(
    world: EphemeralWorld, options: LspeOptions, steps: int, seed: int
) -> LspeRun:
    """So many slots.

    The policy is told the world's parameters as they are at first; chance is its own.
    """
    policy = Lspe(world.sources, options, seed)
    rewards = np.zeros(steps)
    active = np.zeros(steps, np.int64)
    for step in range(steps):
        world.step()
        chosen = policy.decide()
        rewards[step] = sum(world.visit(source) for source in chosen.tolist())
        active[step] = len(chosen)
        policy.learn(chosen, float(rewards[step]))
    return LspeRun(rewards, active)
