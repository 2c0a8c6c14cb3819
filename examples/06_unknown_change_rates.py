"""Pages change at rates that nobody knows: which to poll next, one poll a step?

    python examples/06_unknown_change_rates.py

512 pages of Granmo & Oommen's hardest world, in random order. Learners start from nothing;
`optimal` is told the rates.
"""

from __future__ import annotations

from trapline.laboratory.runs.polling import poll
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.worlds.polling import PollingWorld

POLLS = 40_000


def main() -> None:
    world = PollingWorld.zipf(512, alpha=0.9, beta=1.5, order="shuffled", seed=1)
    print(
        f"in the long run no schedule detects more than {world.bound:.4f} changes a step; "
        f"the paper's formula says {world.optimum:.4f}"
    )
    for name in ("uniform", "htraa", "lakg", "posterior", "optimal"):
        run = poll(
            make_contestant(name, world),
            world,
            POLLS,
            checkpoints=[POLLS // 4, POLLS * 3 // 4, POLLS],
        )
        early, _, late = run.rates / world.bound
        print(
            f"{name:<10} {early:6.1%} of the bound in the first quarter, {late:6.1%} in the last"
        )


if __name__ == "__main__":
    main()
