"""Is the foundation as fast, small and good as it was meant to be? Run by `make bench`; `--quick`
for a first look.

How to read the table
    measured   the best of three repetitions: the code's own speed, the least disturbed by other
    programs median     of the three: far from the best, the machine was busy and the best may be
    too low as well wanted     the number promised (issue "Foundations"); "reached" or "below
    target" compares the best with it
Speeds are visits or decisions per second of *processor* time, so that other programs on the machine
disturb little; saving and loading are seconds on the wall, because the disk is part of them. Memory
is the growth of the resident set of a fresh process that meets a million URLs as the live robot
does: numbered by the book of URLs, admitted a page's links at a time, texts handed over to the
store; with the policy's memory touched as if every page had been visited. The last lines come from
`trapline lab run foundations/agenda`, which explains itself there.

The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from trapline.collection.url_book import HashUrlBook
from trapline.core.links import links_to
from trapline.core.records import Kind, Observation, Outcome, Robots, Ticket
from trapline.core.storage import Checkpoint
from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.study.registry import run_experiment
from trapline.laboratory.worlds.truth import Truth, fresh_copy, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.known_rate import KnownRate
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import Limits, RequestController
from trapline.stores.sqlite.store import SqliteStore

REPEATS: Final = 3
MILLION: Final = 1_000_000
MANY_HOSTS: Final = 10_000
# visits a second, in pretend time, where a million URLs are known
PER_S: Final = 1000.0
ROUND_S: Final = MILLION / PER_S
DECISIONS: Final = "decisions/s"


@dataclass(frozen=True, slots=True)
class Line:
    what: str
    measured: list[float]
    wanted: float
    unit: str
    most_is_best: bool = True
    note: str = ""

    def __str__(self) -> str:
        best = max(self.measured) if self.most_is_best else min(self.measured)
        sign = "≥" if self.most_is_best else "≤"
        reached = best >= self.wanted if self.most_is_best else best <= self.wanted
        verdict = "reached" if reached else "below target"
        wanted = f"{sign} {_number(self.wanted)}"
        return (
            f"{self.what:<50} {_number(best):>11} {_number(median(self.measured)):>11} "
            f"{wanted:>11}  "
            f"{self.unit:<14} {verdict}{self.note and f' ({self.note})'}"
        )


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def per_second(steps: int, work: Callable[[], object]) -> float:
    """Steps of work per second of processor time."""
    gc.collect()
    start = time.process_time()
    work()
    return steps / (time.process_time() - start)


# the laboratory


def laboratory(quick: bool) -> Iterator[Line]:
    rng = np.random.default_rng(1)
    pages = 100_000
    world = make_truth(
        host=rng.integers(0, 1000, pages).astype(np.int32),
        rate=10.0 ** rng.uniform(-6.0, -3.0, pages),
        gap_s=1.0,
        latency_s=0.1,
        seed=1,
    )

    def speed(path: Callable[..., object], visits: int) -> float:
        truth = fresh_copy(world)
        controller = held_controller(
            truth, Uniform(), np.full(pages, -1.0), per_s=100.0
        )
        return per_second(
            visits, lambda: path(controller, truth, room=16, visits=visits)
        )

    what = "laboratory, uniform, 100,000 pages: "
    for name, path, visits, wanted in (
        ("objects", drive, 50_000, 3e4),
        ("compiled", run_compiled, 1_000_000, 5e5),
    ):
        speed(path, 100)
        found = [speed(path, visits // 5 if quick else visits) for _ in range(REPEATS)]
        yield Line(what + name, found, wanted, "visits/s")


def held_controller(
    truth: Truth, refresh: CardPolicy, last_s: np.ndarray, per_s: float
) -> RequestController:
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=refresh,
        budget=Budget(per_s=per_s),
        seeds=[],
    )
    hold_all(controller, truth, last_s)
    return controller


# decisions and checkpoints with a million URLs


def million(quick: bool) -> Iterator[Line]:
    rng = np.random.default_rng(2)
    rate = 10.0 ** rng.uniform(-1.5, 1.5, MILLION) / ROUND_S
    host = (np.arange(MILLION) % MANY_HOSTS).astype(np.int32)
    truth = make_truth(host=host, rate=rate, gap_s=1.0, seed=2)
    policies: dict[str, Callable[[], CardPolicy]] = {
        "uniform": Uniform,
        "known-rate": lambda: KnownRate(rate, 1.0 / rate),
        "nutch-adaptive": nutch,
    }
    for name, policy in policies.items():
        controller = held_controller(
            truth, policy(), -rng.uniform(0.0, 0.8 * ROUND_S, MILLION), PER_S
        )
        # prices settle
        log = run_compiled(
            controller, truth, room=1, visits=200_000 if quick else 500_000
        )
        pace = Pace(controller, float(log.issued_s[-1]), 1.001 / PER_S)
        pace.decide(500)
        yield Line(
            f"issue+land+settle, a million URLs: {name}",
            pace.speeds(10_000 if quick else 40_000),
            4e4,
            DECISIONS,
        )
    yield from checkpoint(pace)


def nutch() -> NutchAdaptive:
    return NutchAdaptive(interval_s=ROUND_S, least_s=1.0, most_s=20.0 * ROUND_S)


class Pace:
    """One visit after the other, each over at once: room 1."""

    def __init__(
        self, controller: RequestController, now_s: float, step_s: float
    ) -> None:
        self.controller = controller
        self.now_s = now_s
        self.step_s = step_s

    def speeds(self, count: int) -> list[float]:
        return [per_second(count, lambda: self.decide(count)) for _ in range(REPEATS)]

    def decide(self, count: int, tickets: list[Ticket] | None = None) -> None:
        controller = self.controller
        rules = Robots("", np.inf)
        for _ in range(count):
            self.now_s += self.step_s
            [ticket] = controller.issue(self.now_s, 1)
            controller.land(ticket, self.now_s)
            robots = rules if ticket.kind is Kind.ROBOTS else None
            seen = Observation(
                ticket, Outcome.OK, bool(ticket.page & 1), 1.0, robots=robots
            )
            controller.settle(seen, self.now_s)
            if tickets is not None:
                tickets.append(ticket)


def checkpoint(pace: Pace) -> Iterator[Line]:
    saving = []
    loading = []
    notes = []
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder))
        for calls in range(1, REPEATS + 1):
            start = time.perf_counter()
            spent = time.process_time()
            store.save_checkpoint(Checkpoint(calls, pace.controller.save()))
            saving.append(time.perf_counter() - start)
            notes.append(time.process_time() - spent)
            start = time.perf_counter()
            spent = time.process_time()
            other = RequestController(
                discovery=BreadthFirst(),
                refresh=nutch(),
                budget=pace.controller.agenda.budget,
                limits=Limits(lease_s=np.inf),
            )
            found = store.load_checkpoint()
            assert found is not None
            other.load(found.arrays)
            loading.append(time.perf_counter() - start)
            notes.append(time.process_time() - spent)
            same = next_tickets(Pace(other, pace.now_s, pace.step_s)) == next_tickets(
                pace
            )
        store.close()
    yield Line(
        "save 10^6 cards", saving, 1.0, "s", False, f"processor {min(notes[::2]):.2f} s"
    )
    yield Line(
        "load 10^6 cards",
        loading,
        4.0,
        "s",
        False,
        f"processor {min(notes[1::2]):.2f} s",
    )
    yield Line(
        "next 500 tickets identical after loading", [float(same)], 1.0, "yes = 1"
    )


def next_tickets(pace: Pace) -> list[Ticket]:
    tickets: list[Ticket] = []
    pace.decide(500, tickets)
    return tickets


# memory


def memory(quick: bool) -> Iterator[Line]:
    """In processes of their own: what this one has used and given back would blur the picture."""
    command = [
        sys.executable,
        __file__,
        "--weigh",
        str(MILLION // 10 if quick else MILLION),
    ]
    found = [
        json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        for _ in range(REPEATS)
    ]
    note = f"{found[0]['doubled']:.0f} at {found[0]['known']:,}, just after the cards doubled"
    yield Line(
        "resident memory, a million URLs",
        [run["grown"] for run in found],
        200.0,
        "bytes/URL",
        False,
        note,
    )
    speeds = [speed for run in found for speed in run["speeds"]]
    yield Line(
        "issue+land+settle, a million URLs: breadth-first", speeds, 4e4, DECISIONS
    )


def weigh(urls: int) -> dict[str, object]:
    """Meet so many URLs as the live robot does; bytes of growth per URL, and how fast the fringe is
    visited then.
    """
    small = Robot()
    small.meet(0, 1000)
    small.pace.decide(1000)  # robots.txt of every host,
    small.pace.now_s += 1.0  # its gap,
    small.pace.decide(900)  # and its page: everything is compiled and imported now
    robot = Robot()
    gc.collect()
    before = resident_bytes()
    robot.meet(0, urls)
    robot.touch_policy_memory()
    gc.collect()
    grown = (resident_bytes() - before) / urls
    # robots.txt of every host first
    robot.pace.decide(2 * MANY_HOSTS if urls >= MILLION else urls // 10)
    speeds = robot.pace.speeds(min(40_000, urls // 10))
    known = urls
    capacity = len(robot.controller.agenda.cards)
    while len(robot.controller.agenda.cards) == capacity:
        robot.meet(known, known + 5000)
        known += 5000
    robot.touch_policy_memory()
    gc.collect()
    return {
        "grown": grown,
        "doubled": (resident_bytes() - before) / known,
        "known": known,
        "speeds": speeds,
    }


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


class Robot:
    """As much of the live robot as remembers URLs."""

    def __init__(self) -> None:
        self.book = HashUrlBook(seed=3)
        self.refresh = nutch()
        self.controller = RequestController(
            discovery=BreadthFirst(),
            refresh=self.refresh,
            budget=Budget(),
            gap_s=lambda host, delay_s: 1.0,
        )
        self.pace = Pace(self.controller, 0.0, 1.2 / MANY_HOSTS)

    def meet(self, first: int, last: int, links: int = 50) -> None:
        """URLs by number, a page's links at a time; their texts go to the store as soon as there
        are some.
        """
        for start in range(first, last, links):
            numbers = range(start, min(start + links, last))
            urls = [
                f"http://host-{i % MANY_HOSTS}.example/section/{i // MANY_HOSTS}/page-{i}.html"
                for i in numbers
            ]
            found = [self.book.number(url) for url in urls]
            self.controller.admit(links_to(*zip(*found, strict=True)), self.pace.now_s)
            new_hosts, _ = self.book.new_rows()
            self.book.note_committed(found[-1][0])
            for row in new_hosts:
                address = f"10.0.{row.host >> 8}.{row.host & 255}"
                self.controller.locate(row.host, address, self.pace.now_s)

    def touch_policy_memory(self) -> None:
        self.refresh.fit(
            len(self.controller.agenda.cards),
            int(self.controller.agenda.tally("hosts")),
        )
        self.refresh.mind.pages["interval_s"] += 0.0


# the agenda


def agenda(quick: bool) -> Iterator[Line]:
    def show(done: float, what: str) -> None:
        print(
            f"\r  foundations/agenda {done:4.0%} {what:<50}",
            end="",
            file=sys.stderr,
            flush=True,
        )

    report = run_experiment("foundations/agenda", progress=show, quick=quick)
    print("\r" + 80 * " " + "\r", end="", file=sys.stderr)
    for row in report.rows:
        ours = row["ours"]
        low = row["low"]
        high = row["high"]
        wanted = row["wanted"]
        name = str(row["id"])
        if isinstance(ours, float) and isinstance(wanted, float):
            yield Line(
                name,
                [ours],
                wanted,
                "share",
                note=f"95 % interval {low:.4f} to {high:.4f}, {row['seeds']} seeds",
            )
        elif isinstance(ours, float) and name.endswith(
            ("freshness/bound", "freshness/argmax", "freshness/agenda")
        ):
            print(
                f"{name:<50} {_number(ours):>11}                          {row['unit']}"
            )
    print(*(f"  {remark}" for remark in report.remarks), sep="\n")


PARTS: Final = {
    "laboratory": laboratory,
    "million": million,
    "memory": memory,
    "agenda": agenda,
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the foundations.")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="fewer repetitions and smaller worlds where it matters less",
    )
    parser.add_argument("--only", choices=PARTS, help="one part of the bench")
    parser.add_argument("--weigh", type=int, help=argparse.SUPPRESS)
    said = parser.parse_args()
    if said.weigh:
        print(json.dumps(weigh(said.weigh)))
        return
    print(f"{'':<50} {'measured':>11} {'median':>11} {'wanted':>11}")
    for name, part in PARTS.items():
        if said.only in (None, name):
            for line in part(said.quick):
                print(line, flush=True)


if __name__ == "__main__":
    main()
