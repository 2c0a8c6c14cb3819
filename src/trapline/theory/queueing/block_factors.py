"""Linear equations whose entries lie near the diagonal: LU factors of a block-tridiagonal matrix.

Each event changes a queue, or the fetchers at work, by one at most. In the right order of states
all moves are short, and blocks as wide as the farthest leave three of them in each row. Generators
of Markov processes need no pivots between blocks. NumPy alone does it, so that a robot need not
load SciPy.

>>> rows = np.array([0, 0, 1, 1, 1, 2, 2])
>>> columns = np.array([0, 1, 0, 1, 2, 1, 2])
>>> values = np.array([2.0, -1.0, -1.0, 3.0, -1.0, -1.0, 2.0])
>>> factors = factorise(rows, columns, values, order=np.arange(3))
>>> factors.solve(np.array([1.0, 1.0, 1.0])).round(12).tolist()
[1.0, 1.0, 1.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_NARROWEST: Final = 16  # smaller blocks only make more steps


@dataclass(frozen=True, slots=True)
class BlockFactors:
    """A = L·U: of L the blocks below its unit diagonal, of U the inverses of those on its diagonal
    and those above.
    """

    order: Ints  # of rows and columns
    below: Floats  # [block, row, column]; the first is not used
    inverse: Floats
    above: Floats  # the last is not used

    def solve(self, side: Floats) -> Floats:
        """x of A·x = side."""
        found = self._in_blocks(side)
        last = len(found) - 1
        for block in range(1, last + 1):
            found[block] -= self.below[block] @ found[block - 1]
        found[last] = self.inverse[last] @ found[last]
        for block in range(last - 1, -1, -1):
            rest = found[block] - self.above[block] @ found[block + 1]
            found[block] = self.inverse[block] @ rest
        return self._in_order(found)

    def solve_transposed(self, side: Floats) -> Floats:
        """x of Aᵀ·x = side."""
        found = self._in_blocks(side)
        last = len(found) - 1
        found[0] = found[0] @ self.inverse[0]
        for block in range(1, last + 1):
            rest = found[block] - found[block - 1] @ self.above[block - 1]
            found[block] = rest @ self.inverse[block]
        for block in range(last - 1, -1, -1):
            found[block] -= found[block + 1] @ self.below[block + 1]
        return self._in_order(found)

    def _in_blocks(self, side: Floats) -> Floats:
        count, width, _ = self.inverse.shape
        padded = np.zeros(count * width)
        padded[: len(side)] = side[self.order]
        return padded.reshape(count, width)

    def _in_order(self, found: Floats) -> Floats:
        side = np.empty(len(self.order))
        side[self.order] = found.ravel()[: len(side)]
        return side


def short_order(coordinates: Sequence[Ints]) -> Ints:
    """States by that coordinate first of which each value has the fewest.

    >>> short_order([np.array([0, 0, 0, 1, 1, 1]), np.array([0, 1, 2, 0, 1, 2])]).tolist()
    [0, 3, 1, 4, 2, 5]
    """
    most = [int(np.bincount(one).max()) for one in coordinates]
    best = most.index(min(most))
    others = [one for place, one in enumerate(coordinates) if place != best]
    return np.lexsort((*others, coordinates[best]))


def factorise(rows: Ints, columns: Ints, values: Floats, order: Ints) -> BlockFactors:
    """Of the matrix with these entries; those at one place are added."""
    size = len(order)
    rank = np.empty_like(order)
    rank[order] = np.arange(size)
    rows = rank[rows]
    columns = rank[columns]
    farthest = int(np.abs(rows - columns).max(initial=0))
    width = min(size, max(farthest, _NARROWEST))
    count = -(-size // width)
    block = rows // width
    wide = np.zeros((count, width, 3 * width))
    place = (block, rows % width, columns - (block - 1) * width)
    np.add.at(wide, place, values)
    # rows that only fill the last block up
    spare = np.arange(size - (count - 1) * width, width)
    wide[-1, spare, width + spare] = 1.0
    below = wide[:, :, :width].copy()
    own = wide[:, :, width : 2 * width]
    above = wide[:, :, 2 * width :].copy()
    inverse = np.empty_like(below)
    inverse[0] = np.linalg.inv(own[0])
    for number in range(1, count):
        below[number] = below[number] @ inverse[number - 1]
        inverse[number] = np.linalg.inv(own[number] - below[number] @ above[number - 1])
    return BlockFactors(order, below, inverse, above)
