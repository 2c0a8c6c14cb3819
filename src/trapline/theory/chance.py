"""Chance as a hash of numbers: the same draw whoever asks, whenever and in whatever order; nothing
is kept in between.

>>> round(mix_hash(seed=1, stream=2, count=3), 6), round(mix_hash(seed=1, stream=2, count=4), 6)
(0.239569, 0.721613)
"""

from __future__ import annotations

import numpy as np

from trapline.theory.kernel import bare_kernel


@bare_kernel
def mix_hash(seed: int, stream: int, count: int) -> float:
    """A uniform number in (0, 1), a hash of its arguments (splitmix64's finaliser,
    applied twice).
    """
    z = np.uint64(seed) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(stream) * np.uint64(
        0xBF58476D1CE4E5B9
    )
    z += (np.uint64(count) + np.uint64(1)) * np.uint64(0x94D049BB133111EB)
    for _ in range(2):
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return (np.float64(z >> np.uint64(11)) + 0.5) / 9007199254740992.0
