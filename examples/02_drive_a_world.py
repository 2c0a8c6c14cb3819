"""Drive a simulated web in pretend time with the very controller that runs live, and compare
refresh policies.

    python examples/02_drive_a_world.py

Every policy gets the same 1,000 pages on 20 hosts, the same two seeds, a gap of 1 s a host and 4
visits a second. Half of the visits that fringe and held pages both want go to the fringe. Recall,
freshness and quality are exact, from the world's truth. The object path and the compiled path must
issue the same tickets, and here they do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from trapline.laboratory.runs.compiled import run_compiled
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.runs.measures import Tracker
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController

VISITS = 8_000
PER_S = 4.0
WEB = LinkedWeb.generate(
    pages=1_000,
    hosts=20,
    seed=3,
    shape=Shape(change_every_s=(60.0, 60_000.0), latency_s=0.2),
)


def controller_for(refresh: CardPolicy, truth: Truth) -> RequestController:
    budget = Budget(per_s=PER_S, discovery_share=0.5)
    return new_controller(
        truth, discovery=BreadthFirst(), refresh=refresh, budget=budget, seeds=WEB.seeds
    )


def main() -> None:
    # Worth: relevant page-seconds of fresh content. A page without relevance is still looked at now
    # and then.
    worths = (WEB.truth.relevance + 0.01) / WEB.truth.rate
    policies: dict[str, Callable[[], CardPolicy]] = {
        "uniform": Uniform,
        "nutch-adaptive": lambda: NutchAdaptive(
            interval_s=300.0, least_s=30.0, most_s=3_000.0
        ),
        "known-rate": lambda: KnownRate(WEB.truth.rate, worths),
    }
    print(
        f"{'refresh policy':>15} {'seconds':>8} {'recall':>8} {'fresh':>8} {'mean M':>8}   "
        "same tickets compiled?"
    )
    for name, make in policies.items():
        truth = fresh_copy(WEB.truth)
        controller = controller_for(make(), truth)
        tracker = Tracker(truth, times=np.arange(0.0, 2 * VISITS / PER_S, 10.0))
        log = drive(controller, truth, room=8, visits=VISITS, watch=tracker.watch)
        # interval rules may leave a part of the budget unused
        last = tracker.finish(end_s=controller.now_s)
        other = fresh_copy(WEB.truth)
        compiled = run_compiled(
            controller_for(make(), other), other, room=8, visits=VISITS
        )
        same = np.array_equal(log.page, compiled.page) and np.array_equal(
            log.issued_s, compiled.issued_s
        )
        mean = tracker.performance.total / controller.now_s
        print(
            f"{name:>15} {controller.now_s:8.0f} {last.recall:8.3f} {last.freshness:8.3f} "
            f"{mean:8.3f}   {same}"
        )


if __name__ == "__main__":
    main()
