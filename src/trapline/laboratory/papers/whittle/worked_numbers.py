"""Numbers of the paper's lines that take no time to work out, without SciPy.

>>> round(least_of_bound(), 5)
0.99917
"""

from __future__ import annotations

from trapline.laboratory.worlds.ephemeral_table import TABLE_I
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import long_run_reward


def least_of_bound() -> float:
    """What the index policy earns of the bound, at the worst of the budgets 1, 2 and 3."""
    return min(
        long_run_reward(TABLE_I, budget).value / relaxed_bound(TABLE_I, budget).value
        for budget in (1, 2, 3)
    )
