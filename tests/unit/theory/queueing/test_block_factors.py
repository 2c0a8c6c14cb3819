"""Factors of blocks and closed sets beside SciPy's solvers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csc_array
from scipy.sparse.csgraph import connected_components

from trapline.theory.queueing.block_factors import factorise, short_order
from trapline.theory.queueing.closed_classes import Moves, closed_sets


@pytest.mark.parametrize("size", [1, 2, 15, 16, 17, 40, 97])
@pytest.mark.parametrize("reach", [1, 5, 40])
def test_solutions_are_those_of_the_whole_matrix(size: int, reach: int) -> None:
    rng = np.random.default_rng(size * reach)
    rows = rng.integers(0, size, 6 * size)
    columns = np.clip(rows + rng.integers(-reach, reach + 1, 6 * size), 0, size - 1)
    values = -rng.random(6 * size)
    every = np.arange(size)
    rows = np.concatenate((rows, every))
    columns = np.concatenate((columns, every))
    values = np.concatenate((values, np.full(size, 20.0)))
    order = rng.permutation(size) if reach == 5 else every
    matrix = csc_array((values, (rows, columns)), shape=(size, size)).toarray()
    side = rng.random(size)
    factors = factorise(rows, columns, values, order)
    assert matrix @ factors.solve(side) == pytest.approx(side, rel=1e-12)
    assert matrix.T @ factors.solve_transposed(side) == pytest.approx(side, rel=1e-12)


def test_the_order_makes_moves_short() -> None:
    """Of a queue of 3 and 50 fetchers: 4 states for each number of fetchers, not 51 a length."""
    queue, active = np.indices((4, 51)).reshape(2, -1)
    order = short_order((queue, active))
    assert active[order[:8]].tolist() == [0, 0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("seed", range(20))
def test_closed_sets_are_the_strong_components_without_a_way_out(seed: int) -> None:
    rng = np.random.default_rng(seed)
    states = 30
    rows = rng.integers(0, states, 40)
    columns = rng.integers(0, states, 40)
    graph = csc_array((np.ones(40), (rows, columns)), shape=(states, states))
    count, part = connected_components(graph, connection="strong")
    leaves = {
        int(part[a]) for a, b in zip(rows, columns, strict=True) if part[a] != part[b]
    }
    wanted = [
        np.flatnonzero(part == one).tolist() for one in set(range(count)) - leaves
    ]
    found = [one.tolist() for one in closed_sets(rows, columns, states)]
    assert found == sorted(wanted)


def test_what_is_reached_and_what_is_farthest() -> None:
    moves = Moves.of(np.array([0, 1, 2, 4]), np.array([1, 2, 0, 3]), states=5)
    inside, farthest = moves.reach(np.array([0]))
    assert inside.tolist() == [True, True, True, False, False]
    assert farthest == 2
