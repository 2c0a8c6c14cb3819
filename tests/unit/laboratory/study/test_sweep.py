"""The sweep: every case meets its seeds, results are in order, and workers change nothing."""

from __future__ import annotations

import os
import signal
from dataclasses import dataclass

import pytest

from trapline.laboratory.study import sweep as module
from trapline.laboratory.study.sweep import (
    MOST_WORKERS,
    Extent,
    extent_for,
    part_of,
    run_jobs,
    sweep,
)


@dataclass(frozen=True, slots=True)
class Runner:
    name: str
    pace: int


HARE = Runner("hare", 3)
TORTOISE = Runner("tortoise", 1)


def run_case(runner: Runner, seed: int) -> int:
    return runner.pace * seed


def process_of(runner: Runner) -> tuple[int, object]:
    return os.getpid(), signal.getsignal(signal.SIGINT)


def nobody(share: float, what: str) -> None:
    pass


def test_all_cases_meet_the_same_seeds_and_results_are_in_their_order() -> None:
    met: list[tuple[str, int]] = []

    def work(runner: Runner, seed: int) -> int:
        met.append((runner.name, seed))
        return run_case(runner, seed)

    found = sweep(work, [HARE, TORTOISE], Extent(seeds=3), nobody)
    assert found == {HARE: [3, 6, 9], TORTOISE: [1, 2, 3]}
    # seed by seed, so that cases can share what was made for a seed
    names = ("hare", "tortoise")
    assert met == [(name, seed) for seed in (1, 2, 3) for name in names]


def test_dear_cases_start_first_and_cases_may_have_seeds_of_their_own() -> None:
    said: list[tuple[float, str]] = []
    found = sweep(
        run_case,
        [TORTOISE, HARE],
        Extent(seeds=2),
        lambda share, what: said.append((share, what)),
        cost=lambda runner: runner.pace,
        seeds_of=lambda runner: range(2) if runner is HARE else (7,),
    )
    assert found == {TORTOISE: [7], HARE: [0, 3]}
    assert said == [
        (0.0, "starting"),
        (1 / 3, "hare, seed 0"),
        (2 / 3, "hare, seed 1"),
        (1.0, "tortoise, seed 7"),
    ]


def test_workers_change_nothing_but_where_the_work_is_done() -> None:
    cases = [HARE, TORTOISE]
    alone = sweep(run_case, cases, Extent(seeds=2), nobody)
    assert sweep(run_case, cases, Extent(seeds=2, workers=1), nobody) == alone
    [(process, on_interrupt)] = run_jobs(process_of, [HARE], 1, nobody)
    assert process != os.getpid()
    assert on_interrupt == signal.SIG_DFL  # Ctrl-C ends a worker without a traceback


def test_a_quick_extent_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pool(*args: object, **options: object) -> None:
        raise AssertionError("the quick form works in this process")

    monkeypatch.setattr(module, "ProcessPoolExecutor", no_pool)
    extent = extent_for(quick=True, seeds=None)
    assert extent == Extent(seeds=2, workers=0)
    assert sweep(run_case, [HARE], extent, nobody) == {HARE: [3, 6]}


def test_the_extent_has_the_seeds_that_were_asked_for() -> None:
    assert extent_for(quick=False, seeds=None) == Extent(20, MOST_WORKERS)
    assert extent_for(quick=False, seeds=None, full=40).seeds == 40
    assert extent_for(quick=True, seeds=7, few=3).seeds == 7
    assert list(Extent(3).all_seeds) == [1, 2, 3]


def test_progress_of_a_part_moves_between_its_ends() -> None:
    said: list[float] = []
    part = part_of(lambda share, what: said.append(share), 0.5, 1.0)
    for share in (0.0, 0.5, 1.0):
        part(share, "")
    assert said == [0.5, 0.75, 1.0]
