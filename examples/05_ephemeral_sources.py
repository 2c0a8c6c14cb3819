"""Sources whose content loses its interest: which to visit, if only some can be visited at a time?

    python examples/05_ephemeral_sources.py

The four sources of Avrachenkov & Borkar's Table I, two visits a slot. The learner knows nothing at
the start.
"""

from __future__ import annotations

from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.policies.refresh.slots.greedy import Greedy
from trapline.policies.refresh.slots.slot_learner import SlottedLearner
from trapline.policies.refresh.whittle import SlottedWhittle
from trapline.theory import EphemeralSource, Sources, long_run_reward, relaxed_bound

SLOTS = 3000


def main() -> None:
    tastes = ((1.0, 0.7), (0.7, 0.35), (0.2, 0.7), (0.08, 0.21))  # utility, decay
    sources = Sources.of(
        [EphemeralSource(250.0, utility, decay) for utility, decay in tastes]
    )
    bound = relaxed_bound(sources, budget=2)
    best = long_run_reward(sources, budget=2)
    print(
        f"no policy earns more than {bound.value:.2f} a slot; Whittle's index earns "
        f"{best.value:.2f}"
    )
    for name, policy in (
        ("greedy", Greedy(sources)),
        ("whittle", SlottedWhittle(sources)),
        ("adaptive-whittle", SlottedLearner(len(sources), seed=1)),
    ):
        earned = run_slots(policy, EphemeralWorld(sources), budget=2, slots=SLOTS).mean
        print(f"{name:<17} {earned:.2f}, {earned / bound.value:.1%} of the bound")


if __name__ == "__main__":
    main()
