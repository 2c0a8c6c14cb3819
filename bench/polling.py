"""How fast are pages of unknown change rates polled, and how well? Run by `make bench`; `--quick`
for a first look.

    polls      a second of processor time, in the laboratory's polling loop (20 polls a page, or a
               million): best and worst of the repetitions. H-TRAA and LAKG take turns in a loop of
               their own; posterior goes through the controller and its agenda. How a poll of
               H-TRAA grows dearer: by its cost at 512 pages, over the ratio of the logarithms
    settled    posterior has polled every page 20 times through the agenda. From there on, the same
               beliefs and pages: some thousand more polls chosen by the agenda, and by the argmax
               of all offers.
               Expected detections, Σ(1 − q^τ), of the one by the other; the argmax first reaps what
               the agenda was about to buy
A bench informs, tests judge: exit code 0.
"""

from __future__ import annotations

import argparse
import math
import time
from typing import Final, cast

import numpy as np

from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import new_controller, visit_ages
from trapline.laboratory.runs.polling import poll
from trapline.laboratory.study.contestants import make_contestant
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.argmax import Argmax
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.robot.agenda.agenda import Budget

REPEATS: Final = 3
A_PAGE: Final = 20  # polls
MILLION: Final = 1_000_000
HTRAA: Final = (64, 512, 4_096, 32_768, 131_072)  # pages
SPEEDS: Final = (
    ("lakg", 512, None),
    ("posterior", 512, None),
    ("posterior", 4_096, None),
    ("posterior", 100_000, 1.5e5),
)
WORLDS: Final = ((0.3, 1.5), (0.9, 1.5))  # alpha, beta


def speeds(name: str, pages: int, quick: bool) -> list[float]:
    """Polls a second, of each repetition: what it takes beyond a run of two polls, which sets
    everything up.
    """
    polls = max(A_PAGE * pages, MILLION) // (10 if quick else 1)
    seconds(name, pages, polls=2, seed=0)  # loads what is compiled
    ready_s = seconds(name, pages, polls=2, seed=0)
    found = [
        seconds(name, pages, polls, seed) for seed in range(1 if quick else REPEATS)
    ]
    return [polls / max(spent_s - ready_s, 1e-9) for spent_s in found]


def seconds(name: str, pages: int, polls: int, seed: int) -> float:
    world = PollingWorld.zipf(pages, order="shuffled", seed=seed)
    policy = make_contestant(name, world, seed)
    start_s = time.process_time()
    poll(policy, world, polls, checkpoints=[polls])
    return time.process_time() - start_s


def show(
    what: str, measured: list[float], wanted: float | None, unit: str = "polls/s"
) -> None:
    verdict = said = ""
    if wanted is not None:
        verdict = "reached" if max(measured) >= wanted else "below target"
        said = f"≥ {_number(wanted)}"
    best = _number(max(measured))
    worst = _number(min(measured))
    print(
        f"{what:<52} {best:>10} {worst:>10} {said:>11}  {unit:<10} {verdict}".rstrip(),
        flush=True,
    )


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


def settled(pages: int, more: int, alpha: float, beta: float) -> float:
    """Expected detections of the agenda's polls by those of the argmax's, both from where the
    agenda had come to.
    """
    world = PollingWorld.zipf(pages, alpha, beta, order="shuffled", seed=1)
    truth = world.truth()
    begin = A_PAGE * pages
    controllers = [
        new_controller(
            truth,
            discovery=BreadthFirst(),
            refresh=make_contestant("posterior", world),
            budget=Budget(per_s=1.0),
            seeds=[],
        )
        for _ in range(3)
    ]
    first, *others = controllers
    hold_all(first, truth, np.zeros(pages))
    run_compiled(
        first, truth, room=1, visits=begin, start_s=1.0, until_s=begin + 0.5, tick_s=1.0
    )
    last_s = first.agenda.cards["last"][:pages].astype(np.float64)
    saved = first.save()
    earned = []
    for controller in others:
        controller.load(saved)
    # not before: a state is loaded by its policy
    others[1].refresh = Argmax(cast("CardPolicy", others[1].refresh))
    for controller in others:
        same = truth._replace(pages=truth.pages.copy())  # with its history up to now
        log = run_compiled(
            controller,
            same,
            room=1,
            visits=more,
            start_s=begin + 1.0,
            until_s=begin + more + 0.5,
            tick_s=1.0,
        )
        chances = -np.expm1(
            visit_ages(log, last_s) * np.log1p(-world.probabilities[log.page])
        )
        earned.append(float(chances.sum()))
    return earned[0] / earned[1]


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure polling.")
    parser.add_argument(
        "--quick", action="store_true", help="a tenth of the polls and pages, once"
    )
    quick = parser.parse_args().quick
    print(f"{'':<52} {'best':>10} {'worst':>10} {'wanted':>11}")
    cost: dict[int, float] = {}
    for pages in HTRAA:
        found = speeds("htraa", pages, quick)
        cost[pages] = 1.0 / max(found)
        show(f"htraa, {pages:,} pages", found, 1e6 if pages == 512 else None)
    growth = cost[HTRAA[-1]] / cost[512] / (math.log(HTRAA[-1]) / math.log(512))
    show(
        f"htraa, growth of a poll's cost, 512 … {HTRAA[-1]:,}",
        [growth],
        None,
        "(1: as log n, 135: as n)",
    )
    for name, pages, wanted in SPEEDS:
        show(f"{name}, {pages:,} pages", speeds(name, pages, quick), wanted)
    pages, more = (10_000, 2_000) if quick else (100_000, 4_000)
    for alpha, beta in WORLDS:
        what = f"settled, {pages:,} pages, α {alpha:g}, β {beta:g}: agenda by argmax"
        show(what, [settled(pages, more, alpha, beta)], 0.995, "ratio")


if __name__ == "__main__":
    main()
