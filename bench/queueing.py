"""How fast is the queue of fetchers solved? Run by `make bench`; `--quick` for a first look,
`--only` for one part.

How to read the table
    measured   the best of the repetitions: the code's own speed, the least disturbed by other
    programs worst      of the repetitions: far from the best, the machine was busy wanted     the
    number promised; "reached" or "below target" compares the best with it
Times are seconds of *processor* time. The table rows of the paper count as one line: the slowest of
its 45 cells, each at its own best. The largest queue is solved in a fresh process, whose peak of
memory is its own.

The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from trapline.laboratory.papers.talim.printed import CELLS, Cell
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.policies.fetchers.switching import Switching
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import Plan, Rates, solve

REPEATS: Final = 3
LARGEST: Final = (1000, 0.001, 1.002)  # K = N, λ, γ


@dataclass(frozen=True, slots=True)
class Line:
    what: str
    measured: list[float]
    wanted: float
    unit: str
    most_is_best: bool = False
    note: str = ""

    def __str__(self) -> str:
        best = min(self.measured)
        worst = max(self.measured)
        if self.most_is_best:
            best, worst = worst, best
        reached = best >= self.wanted if self.most_is_best else best <= self.wanted
        wanted = f"{'≥' if self.most_is_best else '≤'} {_number(self.wanted)}"
        return (
            f"{self.what:<50} {_number(best):>11} {_number(worst):>11} {wanted:>11}  "
            f"{self.unit:<12} "
            f"{'reached' if reached else 'below target'}{self.note and f' ({self.note})'}"
        )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def timed(work: Callable[[], Plan]) -> tuple[float, Plan]:
    """Seconds of processor time, and the plan."""
    gc.collect()
    start = time.process_time()
    plan = work()
    return time.process_time() - start, plan


def square(size: int, fetch: float, weight: float) -> Callable[[], Plan]:
    """As many fetchers as places; a queue of its own each time, so that nothing is remembered."""
    return lambda: FetcherQueue(fetch, 1.0, size, weight).solve(size)


# the paper's two tables


def tables(quick: bool) -> Iterator[Line]:
    """Static optimum and dynamic plan of each cell."""
    square(5, 0.1, 1.4)()  # imports
    found = []
    for cell in CELLS:

        def work(cell: Cell = cell) -> Plan:
            queue = cell.queue
            queue.best_static()
            return queue.solve(cell.fetchers)

        spent = [timed(work)[0] for _ in range(1 if quick else REPEATS)]
        found.append((min(spent), cell.id, spent))
    _, name, spent = max(found)
    note = (
        f"{name}; median of {len(found)} cells "
        f"{np.median([best for best, *_ in found]) * 1e3:.0f} ms"
    )
    yield Line(
        f"slowest of {len(found)} table cells, static and dynamic",
        spent,
        0.2,
        "s",
        note=note,
    )


# larger queues


def large(quick: bool) -> Iterator[Line]:
    square(200, 0.005, 1.0)()
    for weight in (1.0,) if quick else (0.4, 1.0, 2.4):
        runs = [
            timed(square(200, 0.005, weight)) for _ in range(1 if quick else REPEATS)
        ]
        yield Line(
            f"K=N=200, λ=.005, γ={weight:g}",
            [spent for spent, _ in runs],
            4.0,
            "s",
            note=about(runs[0][1]),
        )


def about(plan: Plan) -> str:
    return (
        f"cost {plan.cost:.6g}, {plan.evaluations} evaluations, {plan.states:,} states"
    )


def largest(quick: bool) -> Iterator[Line]:
    """In a process of its own: the peak of this one is what all that came before it needed."""
    size, fetch, weight = (400, 0.0025, 1.005) if quick else LARGEST
    command = [sys.executable, __file__, "--weigh", str(size), str(fetch), str(weight)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    what = f"K=N={size}, λ={fetch:g}, γ={weight:g}"
    yield Line(what, [found["cpu_s"]], 90.0, "s", note=found["note"])
    yield Line(
        f"{what}: peak memory",
        [found["peak_gb"]],
        2.0,
        "GB",
        note="with Python and all imports",
    )


def weigh(size: int, fetch: float, weight: float) -> dict[str, object]:
    plan = square(size, fetch, weight)()
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "cpu_s": used.ru_utime + used.ru_stime,
        "peak_gb": peak / 1e9,
        "note": about(plan),
    }


def strip(quick: bool) -> Iterator[Line]:
    """What the strip is good for: its time against that of the whole grid, and the same cost."""
    size = 150 if quick else 200
    work = square(size, 1.0 / size, 1.0)
    work()
    narrow = [timed(work) for _ in range(1 if quick else REPEATS)]
    start = FetcherQueue(1.0 / size, 1.0, size, 1.0).best_static().fetchers
    spent, plan = timed(
        lambda: solve(Rates(1.0 / size, 1.0, 1.0), size, size, start, whole=sys.maxsize)
    )
    apart = abs(narrow[0][1].cost - plan.cost) / plan.cost
    note = f"{spent:.2f} s and {plan.states:,} states on the whole grid"
    yield Line(
        f"K=N={size}: strip, times faster",
        [spent / one for one, _ in narrow],
        2.0,
        "×",
        True,
        note,
    )
    yield Line(f"K=N={size}: strip against whole, relative cost", [apart], 1e-9, "")


# the queue as a world


def world(quick: bool) -> Iterator[Line]:
    policy = Switching(16, 5, fetch_rate=0.1, process_rate=1.0, weight=1.4)
    queue = QueueWorld(most=16, capacity=5, fetch_rate=0.1, process_rate=1.0, seed=1)
    queue.run(policy, 10_000)
    events = 3_000_000 if quick else 30_000_000
    rates = []
    for _ in range(1 if quick else REPEATS):
        start = time.process_time()
        queue.run(policy, events)
        rates.append(events / (time.process_time() - start) / 1e6)
    yield Line("queue world with switching, K=5, N=16", rates, 15.0, "M events/s", True)


PARTS: Final[dict[str, Callable[[bool], Iterator[Line]]]] = {
    "tables": tables,
    "large": large,
    "largest": largest,
    "strip": strip,
    "world": world,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the queue of fetchers.")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="one repetition, and a smaller largest queue",
    )
    parser.add_argument("--only", choices=PARTS, help="one part of the bench")
    parser.add_argument("--weigh", nargs=3, help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.weigh:
        size, fetch, weight = said.weigh
        print(json.dumps(weigh(int(size), float(fetch), float(weight))))
        return
    print(f"{'':<50} {'measured':>11} {'worst':>11} {'wanted':>11}")
    for name, part in PARTS.items():
        if said.only in (None, name):
            for line in part(said.quick):
                print(line, flush=True)


if __name__ == "__main__":
    main()
