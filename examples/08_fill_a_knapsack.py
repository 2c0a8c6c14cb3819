"""How to divide a limited amount among things that are worth less the more of each there is?

    python examples/08_fill_a_knapsack.py

Granmo & Oommen's stochastic knapsack, without a web: a student divides hours among four subjects.
An hour teaches something with a chance that falls with the hours already spent. The automata that
poll pages live see only whether it did; the exact solver is told the chances.
"""

from __future__ import annotations

import numpy as np

from trapline.laboratory.runs.unit_values import fill
from trapline.laboratory.worlds.knapsack.unit_values import UnitValueWorld
from trapline.policies.refresh.automata.htraa import HTraa
from trapline.theory.knapsack.equality_knapsack import Floats

SUBJECTS = {
    "logic": (0.9, 0.5),
    "Latin": (0.7, 0.2),
    "maps": (0.5, 0.4),
    "knots": (0.1, 0.1),
}
HOURS = 8.0


def chance_to_learn(hours: Floats) -> Floats:
    first, falls = np.array(list(SUBJECTS.values())).T
    return np.asarray(first * np.exp(-falls * hours))


def main() -> None:
    world = UnitValueWorld(chance_to_learn, len(SUBJECTS), capacity=HOURS)
    automata = HTraa.for_pages(len(SUBJECTS), seed=1)
    print(f"hours of {', '.join(SUBJECTS)}: the best {world.best.amounts.round(2)}")
    print(f"as many of each: {world.uniform_share:.1%} of the best")
    for more in (1_000, 10_000, 100_000):
        fill(automata, world, more, seed=more)
        hours = (HOURS * automata.shares()).round(2)
        found = world.share_of_best(automata.shares())
        print(f"after {more:>7,} hours more: {hours}, {found:.1%} of the best")


if __name__ == "__main__":
    main()
