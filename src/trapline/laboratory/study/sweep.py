"""One sweep for every study: each case runs with each seed, and nothing else varies.

A case is what a study compares: a policy in a world, of some size. `work(case, seed)` runs one
case with one seed; the seed decides the world and all chance. All cases meet the same seeds, so
the difference between two results of one seed is a difference between the cases.

>>> from collections import namedtuple
>>> Runner = namedtuple("Runner", "name pace")
>>> def run_case(runner, seed):
...     return runner.pace * seed
>>> runners = [Runner("hare", 3), Runner("tortoise", 1)]
>>> sweep(run_case, runners, Extent(seeds=2), lambda done, what: None)
{Runner(name='hare', pace=3): [3, 6], Runner(name='tortoise', pace=1): [1, 2]}
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from typing import Final, Generic, Protocol, TypeVar

from trapline.laboratory.study.report import Progress

SEEDS: Final = 20
QUICK_SEEDS: Final = 2
MOST_WORKERS: Final = 2


class Named(Protocol):
    """Anything with a name to show while it is at work. Cases must also be hashable."""

    @property
    def name(self) -> str: ...


Case = TypeVar("Case", bound=Named)
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of a study to do, and with how many processes."""

    seeds: int
    workers: int = 0  # processes; 0 = work in this one

    @property
    def all_seeds(self) -> range:
        return range(1, self.seeds + 1)


def extent_for(
    quick: bool, seeds: int | None, *, full: int = SEEDS, few: int = QUICK_SEEDS
) -> Extent:
    """As many seeds as were asked for, else `full`, or `few` in a quick run.

    A quick run starts no processes: it would only wait for them.

    >>> extent_for(quick=True, seeds=None)
    Extent(seeds=2, workers=0)
    """
    usual = few if quick else full
    return Extent(seeds or usual, 0 if quick else MOST_WORKERS)


def part_of(progress: Progress, start: float, end: float) -> Progress:
    """Progress of one sweep among several: it moves from `start` to `end`."""
    return lambda share, what: progress(start + (end - start) * share, what)


def sweep(
    work: Callable[[Case, int], Result],
    cases: Sequence[Case],
    extent: Extent,
    progress: Progress,
    *,
    cost: Callable[[Case], float] | None = None,
    seeds_of: Callable[[Case], Sequence[int]] | None = None,
) -> dict[Case, list[Result]]:
    """The results of each case, in the order of its seeds.

    `work` is a function of a module, so that other processes can import it. Cases of a high `cost`
    start first: no worker is left with a long one at the end. `seeds_of` is for cases that need
    other seeds than `extent` says.
    """
    jobs = [
        _Job(case, seed)
        for case in cases
        for seed in (extent.all_seeds if seeds_of is None else seeds_of(case))
    ]
    # Seed by seed, so that cases can share what a process has made for a seed.
    jobs.sort(key=lambda job: (0.0 if cost is None else -cost(job.case), job.seed))
    found = run_jobs(partial(_run_job, work), jobs, extent.workers, progress)
    by_case: dict[Case, list[Result]] = {case: [] for case in cases}
    for job, result in sorted(
        zip(jobs, found, strict=True), key=lambda one: one[0].seed
    ):
        by_case[job.case].append(result)
    return by_case


def run_jobs(
    work: Callable[[Case], Result],
    jobs: Sequence[Case],
    workers: int,
    progress: Progress,
) -> list[Result]:
    """Results in the order of the jobs."""
    found: dict[int, Result] = {}
    progress(0.0, "starting")
    for place, result in _results(work, jobs, min(workers, os.cpu_count() or 1)):
        found[place] = result
        progress(len(found) / len(jobs), jobs[place].name)
    return [found[place] for place in range(len(jobs))]


@dataclass(frozen=True, slots=True)
class _Job(Generic[Case]):
    case: Case
    seed: int

    @property
    def name(self) -> str:
        return f"{self.case.name}, seed {self.seed}"


def _run_job(work: Callable[[Case, int], Result], job: _Job[Case]) -> Result:
    return work(job.case, job.seed)


def _results(
    work: Callable[[Case], Result], jobs: Sequence[Case], workers: int
) -> Iterator[tuple[int, Result]]:
    """Each result with the place of its job, as soon as it is there."""
    if workers == 0:
        yield from enumerate(map(work, jobs))
        return
    # Spawned, not forked: the caller may have threads (a progress bar), and a fork copies their
    # locks as they stand.
    pool = ProcessPoolExecutor(workers, get_context("spawn"), initializer=_die_quietly)
    try:
        places = {pool.submit(work, job): place for place, job in enumerate(jobs)}
        for future in as_completed(places):
            yield places[future], future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _die_quietly() -> None:
    """Ctrl-C reaches every process of a terminal: workers end without a traceback, the caller says
    what happened.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
