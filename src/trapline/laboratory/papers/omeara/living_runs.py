"""Robots in worlds that live: pages are born, change, drift and die while they are collected (the
paper's own model).

Each run is the robot's own request controller in pretend time. M = min(R, F) of eq. (1) is sampled
at even times, and P of eq. (3) is its mean over the run.

>>> small = Setting(pages=60, hosts=3, length_s=120.0, budget=1.0)
>>> both = [Contender(kind, kind, small) for kind in (UNIFORM, BOUND)]
>>> found = run_all(both, 2, 0, lambda share, what: None)
>>> bool((found[UNIFORM].p < found[BOUND].p).all()), found[UNIFORM].recall.shape
(True, (2, 361))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from trapline.core.records import Ticket
from trapline.laboratory.papers.omeara.living_bound import bound_of
from trapline.laboratory.papers.omeara.living_policies import (
    BreadthFirstUntil,
    UnpricedValue,
    close_fringe,
)
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.runs.measures import Tracker
from trapline.laboratory.study.contest import Job, contest
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.report import Progress
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import fresh_copy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.never import Never
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget

AUTO: Final = "auto"
DISCOVERY: Final = "discovery only"
REFRESH: Final = "refresh only"
SPLIT: Final = "fixed split"
UNIFORM: Final = "breadth-first + uniform"
NUTCH: Final = "breadth-first + nutch-adaptive"
BOUND: Final = "bound"

SAMPLES: Final = 360
ROOM: Final = 16  # visits under way at a time
HALF: Final = 0.5
OPENING: Final = 0.1  # of the time, in which `refresh only` discovers
# of the time: nutch-adaptive's first interval; its own, 30 days, is longer than any run
NUTCH_FIRST: Final = 1.0 / 6.0


@dataclass(frozen=True, slots=True)
class Setting:
    """A world, and what may be spent in it, up to the seed."""

    pages: int = 2_000
    hosts: int = 20
    length_s: float = 3_600.0
    budget: float = 2.0  # visits a second
    drift: float = 0.3
    gap_s: float = 1.0
    latency_s: float = 0.2

    def world(self, seed: int) -> LinkedWeb:
        shape = Shape(
            life_s=self.length_s,
            gap_s=self.gap_s,
            latency_s=self.latency_s,
            drift=self.drift,
        )
        return LinkedWeb.generate(self.pages, self.hosts, seed=seed, shape=shape)


@dataclass(frozen=True, slots=True)
class Contender:
    name: str  # in tables and pictures
    kind: str
    setting: Setting


class Earned(NamedTuple):
    p: float  # mean M
    recall: Floats  # [sample]
    freshness: Floats
    discovered: float  # of the visits were first ones


@dataclass(frozen=True, slots=True)
class Result:
    name: str
    p: Floats  # [seed]
    recall: Floats  # [seed, sample]
    freshness: Floats
    discovered: Floats  # [seed]

    @property
    def quality(self) -> Floats:
        return np.minimum(self.recall, self.freshness)


def run_all(
    contenders: Sequence[Contender], seeds: int, workers: int, progress: Progress
) -> dict[str, Result]:
    found = contest(
        play,
        contenders,
        range(1, seeds + 1),
        workers,
        progress,
        cost=lambda one: one.setting.budget,
    )
    return {one.name: _result(one.name, found[one]) for one in contenders}


def _result(name: str, earned: Sequence[Earned]) -> Result:
    return Result(name, *(np.array(column) for column in zip(*earned, strict=True)))


def play(job: Job[Contender]) -> tuple[Job[Contender], Earned]:
    setting = job.contender.setting
    web = setting.world(job.seed)
    if job.contender.kind == BOUND:
        nothing = np.full(SAMPLES + 1, math.nan)
        return job, Earned(
            bound_of(web.truth, setting.length_s, setting.budget),
            nothing,
            nothing,
            math.nan,
        )
    return job, robot_run(web, setting, job.contender.kind)


def policies_of(
    kind: str, length_s: float
) -> tuple[DiscoveryPolicy, RefreshPolicy, float]:
    """Discovery, refresh, and the share of discovery where prices cannot decide.

    All know how long the run is.
    """
    makers: dict[str, Callable[[], tuple[DiscoveryPolicy, RefreshPolicy, float]]] = {
        AUTO: lambda: (Value(), AdaptiveWhittle(horizon_s=length_s), HALF),
        DISCOVERY: lambda: (Value(), Never(), 1.0),
        REFRESH: lambda: (
            BreadthFirstUntil(OPENING * length_s),
            AdaptiveWhittle(horizon_s=length_s),
            1.0,
        ),
        SPLIT: lambda: (UnpricedValue(), AdaptiveWhittle(horizon_s=length_s), HALF),
        UNIFORM: lambda: (BreadthFirst(), Uniform(), HALF),
        NUTCH: lambda: (
            BreadthFirst(),
            NutchAdaptive(interval_s=NUTCH_FIRST * length_s, least_s=10.0),
            HALF,
        ),
    }
    return makers[kind]()


def robot_run(web: LinkedWeb, setting: Setting, kind: str) -> Earned:
    truth = fresh_copy(web.truth)
    end_s = setting.length_s
    discovery, refresh, share = policies_of(kind, end_s)
    budget = Budget(per_s=setting.budget, discovery_share=share)
    controller = new_controller(
        truth, discovery=discovery, refresh=refresh, budget=budget, seeds=web.seeds
    )
    tracker = Tracker(truth, np.linspace(0.0, end_s, SAMPLES + 1)[:-1])

    def watch(now_s: float, ticket: Ticket) -> None:
        if now_s <= end_s:  # the last visits land later, and count no more
            tracker.watch(now_s, ticket)

    most = math.ceil(setting.budget * end_s) + 1
    pages: list[int] = []
    if kind == REFRESH:
        first = drive(
            controller,
            truth,
            room=ROOM,
            visits=most,
            until_s=OPENING * end_s,
            watch=watch,
        )
        start_s = max(OPENING * end_s, controller.now_s)
        close_fringe(controller, start_s)
        rest = drive(
            controller,
            truth,
            room=ROOM,
            visits=most,
            start_s=start_s,
            until_s=end_s,
            watch=watch,
        )
        pages = [*first.page.tolist(), *rest.page.tolist()]
    else:
        pages = drive(
            controller, truth, room=ROOM, visits=most, until_s=end_s, watch=watch
        ).page.tolist()
    tracker.finish(end_s)
    samples = tracker.samples
    recall, freshness = (
        np.array([getattr(one, name) for one in samples])
        for name in ("recall", "freshness")
    )
    return Earned(
        tracker.performance.total / end_s,
        recall,
        freshness,
        len(set(pages)) / len(pages),
    )
