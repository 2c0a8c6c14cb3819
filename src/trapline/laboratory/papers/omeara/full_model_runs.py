"""Robots in webs whose pages are born, change, drift and die while they are collected: the paper's
own model.

Each run is the robot's own request controller in pretend time. M = min(R, F) of eq. (1) is sampled
at even times, and P of eq. (3) is its mean over the run.

>>> small = FullModelSetting(pages=60, hosts=3, length_s=120.0, budget=1.0)
>>> both = [FullModelCase(kind, kind, small) for kind in (UNIFORM, BOUND)]
>>> found = sweep_full_model(both, Extent(seeds=2), lambda share, what: None)
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
from trapline.laboratory.papers.omeara.full_model_bound import bound_of
from trapline.laboratory.papers.omeara.full_model_policies import (
    BreadthFirstUntil,
    UnpricedValue,
    close_fringe,
)
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.runs.measures import Tracker
from trapline.laboratory.study.courses import Floats
from trapline.laboratory.study.report import Progress
from trapline.laboratory.study.sweep import Extent, sweep
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import fresh_copy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.discovery.value import Value
from trapline.policies.refresh.adaptive_whittle import AdaptiveWhittle
from trapline.policies.refresh.never import Never
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.q_learning import QRevisits
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.policies.refresh.uniform import Uniform
from trapline.robot.agenda.agenda import Budget

AUTO: Final = "auto"
DISCOVERY: Final = "discovery only"
REFRESH: Final = "refresh only"
SPLIT: Final = "fixed split"
Q_LEARNING: Final = "q-learning"
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
class FullModelSetting:
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
class FullModelCase:
    name: str  # in tables and pictures
    kind: str
    setting: FullModelSetting


class FullModelRun(NamedTuple):
    p: float  # mean M
    recall: Floats  # [sample]
    freshness: Floats
    discovered: float  # of the visits were first ones


@dataclass(frozen=True, slots=True)
class FullModelResult:
    name: str
    p: Floats  # [seed]
    recall: Floats  # [seed, sample]
    freshness: Floats
    discovered: Floats  # [seed]

    @property
    def quality(self) -> Floats:
        return np.minimum(self.recall, self.freshness)


def sweep_full_model(
    cases: Sequence[FullModelCase], extent: Extent, progress: Progress
) -> dict[str, FullModelResult]:
    found = sweep(
        run_case, cases, extent, progress, cost=lambda case: case.setting.budget
    )
    return {
        case.name: FullModelResult(
            case.name, *(np.array(column) for column in zip(*runs, strict=True))
        )
        for case, runs in found.items()
    }


def run_case(case: FullModelCase, seed: int) -> FullModelRun:
    setting = case.setting
    web = setting.world(seed)
    if case.kind != BOUND:
        return run_robot(web, setting, case.kind)
    nothing = np.full(SAMPLES + 1, math.nan)
    p = bound_of(web.truth, setting.length_s, setting.budget)
    return FullModelRun(p, nothing, nothing, math.nan)


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
        Q_LEARNING: lambda: (QLearning(), QRevisits(), HALF),
        UNIFORM: lambda: (BreadthFirst(), Uniform(), HALF),
        NUTCH: lambda: (
            BreadthFirst(),
            NutchAdaptive(interval_s=NUTCH_FIRST * length_s, least_s=10.0),
            HALF,
        ),
    }
    return makers[kind]()


def run_robot(web: LinkedWeb, setting: FullModelSetting, kind: str) -> FullModelRun:
    truth = fresh_copy(web.truth)
    end_s = setting.length_s
    discovery, refresh, share = policies_of(kind, end_s)
    controller = new_controller(
        truth,
        discovery=discovery,
        refresh=refresh,
        budget=Budget(per_s=setting.budget, discovery_share=share),
        seeds=web.seeds,
    )
    tracker = Tracker(truth, np.linspace(0.0, end_s, SAMPLES + 1)[:-1])

    def watch(now_s: float, ticket: Ticket) -> None:
        if now_s <= end_s:  # the last visits land later, and count no more
            tracker.watch(now_s, ticket)

    def drive_until(until_s: float, start_s: float = 0.0) -> list[int]:
        visits = math.ceil(setting.budget * end_s) + 1
        log = drive(
            controller,
            truth,
            room=ROOM,
            visits=visits,
            start_s=start_s,
            until_s=until_s,
            watch=watch,
        )
        return [int(page) for page in log.page]

    if kind == REFRESH:
        pages = drive_until(OPENING * end_s)
        start_s = max(OPENING * end_s, controller.now_s)
        close_fringe(controller, start_s)
        pages += drive_until(end_s, start_s)
    else:
        pages = drive_until(end_s)
    tracker.finish(end_s)
    return FullModelRun(
        tracker.performance.total / end_s,
        np.array([one.recall for one in tracker.samples]),
        np.array([one.freshness for one in tracker.samples]),
        len(set(pages)) / len(pages),
    )
