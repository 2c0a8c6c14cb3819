"""Numbers of the paper's lines that take no time to work out.

>>> round(formula_where_seen(), 3), round(true_where_seen(), 2)
(3.827, 3.46)
"""

from __future__ import annotations

from typing import Final

from trapline.laboratory.worlds.ephemeral_table import TABLE_I
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import long_run_reward
from trapline.theory.ephemeral.observed import ObservedIndex
from trapline.theory.ephemeral.source import EphemeralSource

# Λ, ξ̄, μ: so few arrivals that the mean says little of what is there
_RARE: Final = EphemeralSource(2.0, 1.0, 0.35)
_CONTENT: Final = 5.04


def formula_where_seen() -> float:
    """The price of Theorem 1 for a content that was seen."""
    return float(_RARE.price_at(_CONTENT))


def true_where_seen() -> float:
    """The subsidy at which visiting and waiting are equally good there, by dynamic programming."""
    return float(ObservedIndex(_RARE).price_at(_CONTENT))


def least_of_bound() -> float:
    """What the index policy earns of the bound, at the worst of the budgets 1, 2 and 3."""
    return min(
        long_run_reward(TABLE_I, budget).value / relaxed_bound(TABLE_I, budget).value
        for budget in (1, 2, 3)
    )
