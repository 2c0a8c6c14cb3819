"""How many fetchers does a robot need? A fixed number, a plan, and a policy that must find the plan
by itself.

    python examples/04_how_many_fetchers.py

One fetcher brings a page every two seconds, the processor reads ten a second, and eight pages may
wait.
"""

from __future__ import annotations

from trapline.laboratory.worlds.queue import QueueWorld
from trapline.policies.fetchers.adaptive import Adaptive
from trapline.theory import FetcherQueue

MOST = 60


def main() -> None:
    queue = FetcherQueue(
        fetch_rate=0.5, process_rate=10.0, capacity=8, starvation_weight=10.0
    )
    best = queue.best_static()
    plan = queue.solve(fetchers=MOST)
    print(f"fixed:    {best.fetchers} fetchers, cost {best.cost:.3f}")
    print(
        f"plan:     {plan.mean_fetchers:.1f} on average, never fewer than "
        f"{plan.min_fetchers}, cost {plan.cost:.3f}"
    )
    for waiting in (1, 4, 8):
        wakes = plan.wake(queue=waiting, active=20, event="departure")
        print(
            f"          {waiting} waiting, 20 at work, one was read: "
            f"{'wake one more' if wakes else 'leave it at that'}"
        )

    world = QueueWorld(most=MOST, capacity=8, fetch_rate=0.5, process_rate=10.0, seed=1)
    policy = Adaptive(MOST, 8, weight=1.0)  # it is told no rates; weight = γ/μ
    for events in (300, 10_000):
        world.run(policy, events)
        cost = queue.play(policy.wakes()).cost
        print(
            f"adaptive: after {events:,} more events its plan costs {cost / plan.cost:.3f} of "
            "the best"
        )


if __name__ == "__main__":
    main()
