"""Automata in a world of materials (worlds/knapsack/unit_values.py): the kernels that poll live.

An access to material i at its present amount x_i teaches the automaton whether it was worth 1 or 0.
Accesses are fairly spaced by the automaton's own scheduler.

>>> from trapline.laboratory.worlds.knapsack.unit_values import UnitValueWorld
>>> from trapline.policies.refresh.automata.traa import Traa
>>> world = UnitValueWorld(lambda x: np.array([0.9, 0.3]) * (1.0 - x), materials=2)
>>> policy = Traa.for_pages(2, resolution=100)
>>> states = fill(policy, world, accesses=20_000, seed=1)
>>> bool(abs(policy.shares()[0] - world.best.amounts[0]) < 0.15), int(states.sum())
(True, 20000)
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, check_count
from trapline.laboratory.worlds.knapsack.unit_values import UnitValueWorld
from trapline.policies.refresh.automata.automaton import Automaton
from trapline.policies.refresh.automata.fluid_edf import SHARE, left_share
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel, kernel_for, loop_kernel

Integers = NDArray[np.int64]


def fill(
    policy: Automaton,
    world: UnitValueWorld,
    accesses: int,
    seed: int,
    *,
    resolution: int = 1000,
) -> Integers:
    """Go on for so many accesses, each stretch with a seed of its own.

    Returns how often the automaton at the root was in each state s, N being the `resolution`.
    """
    check_count("the number of accesses", accesses, "one unit of volume each")
    if policy.seats.taken != len(world):
        raise BadNumber(
            "the number of materials of the automaton",
            policy.seats.taken,
            f"{len(world)}, as in the world",
        )
    run = _compiled_fill(numba.typeof(policy.mind))
    states = np.zeros(resolution + 2, np.int64)
    run(
        policy.mind,
        policy.turn_kernel,
        policy.learn_kernel,
        world.table,
        seed,
        accesses,
        states,
    )
    return states


@bare_kernel
def share_of(tree: Floats, leaf: int) -> float:
    """The share of all accesses that a leaf is given now."""
    share = 1.0
    node = 1
    bit = len(tree) >> 1
    while bit > 0:
        side = 1 if leaf & bit else 0
        left = left_share(tree, node)
        share *= 1.0 - left if side else left
        node = 2 * node + side
        bit = bit >> 1
    return share


@bare_kernel
def unit_value(table: Floats, material: int, share: float) -> float:
    """p_i between the points of the table."""
    steps = table.shape[1] - 1
    place = min(int(share * steps), steps - 1)
    past = share * steps - place
    return float(
        (1.0 - past) * table[material, place] + past * table[material, place + 1]
    )


@loop_kernel
def _fill(
    mind: Any,
    turn: Any,
    learn: Any,
    table: Any,
    seed: int,
    accesses: int,
    states: Any,
) -> None:
    for access in range(accesses):
        states[int(np.rint(mind.tree[1, SHARE] * (len(states) - 1)))] += 1
        leaf = turn(mind)
        value = unit_value(table, leaf, share_of(mind.tree, leaf))
        learn(mind, leaf, mix_hash(seed, leaf, access) < value, 1.0)


@cache
def _compiled_fill(mind: types.Type) -> Any:
    """Compiled once for each kind of mind, then found in the cache."""
    turn = types.FunctionType(types.int64(mind))
    learn = types.FunctionType(
        types.void(mind, types.int64, types.boolean, types.float64)
    )
    signature = types.void(
        mind,
        turn,
        learn,
        types.float64[:, ::1],
        types.int64,
        types.int64,
        types.int64[::1],
    )
    return kernel_for(signature, mind)(_fill)
