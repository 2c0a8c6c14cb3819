"""The numbers that the paper `whittle` prints: Table I, a world of four sources, and two average
rewards. Beside them stand the rewards and bounds that it does not print.

>>> round(float(SOURCES.gain[0]), 2), GREEDY
(179.79, 179.79)
"""

from __future__ import annotations

from typing import Final

from trapline.theory.ephemeral.source import EphemeralSource, Sources

TABLE_I: Final = (  # Λ, ξ̄, μ; T = 1
    EphemeralSource(250.0, 1.0, 0.7),
    EphemeralSource(250.0, 0.7, 0.35),
    EphemeralSource(250.0, 0.2, 0.7),
    EphemeralSource(250.0, 0.08, 0.21),
)
SOURCES: Final = Sources.of(TABLE_I)

GREEDY: Final = 179.79  # always source 1
INDEX: Final = 254.66  # the index policy, M = 1
# over which 254.66 is the mean: t = 0 … 60, where at t = 0 nothing is there yet
INDEX_SLOTS: Final = 61

# Recomputed by two independent exact methods that agree to 1e-8: M → long-run reward of the index
# policy, bound.
REWARDS: Final = {1: 260.38993, 2: 337.774550, 3: 372.410342}
BOUNDS: Final = {1: 260.3899, 2: 338.0540, 3: 372.4104}
