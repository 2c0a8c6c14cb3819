"""A contest: every contender meets the same worlds, seed by seed, so that their differences are
those of the policies.

>>> from collections import namedtuple
>>> Runner = namedtuple("Runner", "name pace")
>>> def play(job):
...     return job, job.contender.pace * job.seed
>>> runners = [Runner("hare", 3), Runner("tortoise", 1)]
>>> contest(play, runners, seeds=(1, 2), workers=0, progress=lambda done, doing: None)
{Runner(name='hare', pace=3): [3, 6], Runner(name='tortoise', pace=1): [1, 2]}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from trapline.laboratory.study.parallel import done_by
from trapline.laboratory.study.report import Progress

Contender = TypeVar("Contender", bound=Any)  # hashable, with a name
Earned = TypeVar("Earned")


@dataclass(frozen=True, slots=True)
class Job(Generic[Contender]):
    contender: Contender
    seed: int


def contest(
    play: Callable[[Job[Contender]], tuple[Job[Contender], Earned]],
    contenders: Sequence[Contender],
    seeds: Sequence[int],
    workers: int,
    progress: Progress,
    cost: Callable[[Contender], float] | None = None,
) -> dict[Contender, list[Earned]]:
    """What each earned, in the order of the seeds.

    By `cost` long jobs begin first: no worker is left with one.
    """
    jobs = [Job(contender, seed) for seed in seeds for contender in contenders]
    if cost is not None:
        jobs.sort(key=lambda job: -cost(job.contender))
    found: dict[Job[Contender], Earned] = {}
    progress(0.0, "starting")
    for job, earned in done_by(play, jobs, workers):
        found[job] = earned
        progress(len(found) / len(jobs), f"{job.contender.name}, seed {job.seed}")
    return {
        contender: [found[Job(contender, seed)] for seed in seeds]
        for contender in contenders
    }
