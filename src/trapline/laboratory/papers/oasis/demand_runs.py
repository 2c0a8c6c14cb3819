"""Robots that hear what is asked for, and robots that do not, in the same worlds.

Pages are held from the start and change as Poisson processes; rates are log-uniform over two
decades, whoever asks for them. Each day readers ask: which page they open is drawn from a Zipf law
over the pages, and with each that is opened nine others are shown, drawn from the same law. Tastes
drift: each day some pages change places in the law. At the end of a day the robot is told the
factors that the counts so far make (theory/demand.py), as the live one is. It learns the rates, as
the live one does.

*Asked* is the expected share of what readers open that is fresh when they open it; *all* is the
mean freshness of all pages: what demand costs those pages that nobody asks for.

>>> small = DemandSetting(pages=60, days=12, visits=1.0)
>>> off, on = (run_case(DemandCase(one, small), seed=1) for one in (OFF, SHIPPED))
>>> on.asked > off.asked
True
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.runs.compiled import hold_all, run_compiled
from trapline.laboratory.runs.drive import new_controller
from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.posterior import Posterior
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import RequestController
from trapline.theory.demand import MOST, SHOWN, demand_factor, fade
from trapline.theory.freshness import freshness_earned

Floats = NDArray[np.float64]

DAY_S: Final = 86_400.0
DECADES: Final = 2.0
SHOWN_WITH: Final = 9  # results beside the one that is opened
MEASURED: Final = 0.5  # of the days, the later ones


COUNTS: Final = "counts"
LOGARITHM: Final = "logarithm"
LAW: Final = "law"


@dataclass(frozen=True, slots=True)
class Telling:
    """What the robot is told of demand."""

    name: str
    kind: str = COUNTS  # what was counted, its logarithm, or the law itself
    gain: float = 1.0  # the setting `refresh.demand`


OFF: Final = Telling("off", gain=0.0)
LOG: Final = Telling("logarithm of counts", LOGARITHM)
HALF: Final = Telling("demand = 0.5", gain=0.5)
SHIPPED: Final = Telling("demand = 1")
LOUD: Final = Telling("demand = 4", gain=4.0)
READERS_ONLY: Final = Telling("readers only", LAW)  # what no robot knows
TELLINGS: Final = (OFF, LOG, HALF, SHIPPED, LOUD, READERS_ONLY)


@dataclass(frozen=True, slots=True)
class DemandSetting:
    pages: int = 600
    hosts: int = 20
    days: int = 50
    visits: float = 1.0  # a page and day, on average
    asked: float = 0.5  # pages opened a day, by page
    drift: float = 0.01  # of the pages change places in a day


@dataclass(frozen=True, slots=True)
class DemandCase:
    telling: Telling
    setting: DemandSetting

    @property
    def name(self) -> str:
        return f"{self.setting.visits:g} visits a day, {self.telling.name}"


class DemandOutcome(NamedTuple):
    asked: float  # share of what is opened that is fresh
    all: float  # share of the pages that is fresh
    asked_by_day: Floats


class Readers:
    """Who asks for what: the same whatever the robot does."""

    def __init__(self, setting: DemandSetting, seed: int) -> None:
        self._setting = setting
        self._chance = np.random.default_rng([seed, 7])
        share = 1.0 / np.arange(1, setting.pages + 1)
        self.law = self._chance.permutation(share / share.sum())
        self.opened = np.zeros(setting.pages)  # as faded by now
        self.shown = np.zeros(setting.pages)

    def ask_for_a_day(self) -> None:
        setting = self._setting
        count = round(setting.asked * setting.pages)
        opened = self._chance.multinomial(count, self.law)
        others = self._chance.multinomial(SHOWN_WITH * count, self.law)
        self.opened = fade(1.0) * self.opened + opened
        self.shown = fade(1.0) * self.shown + opened + others
        self._drift()

    def _drift(self) -> None:
        moving = self._chance.random(len(self.law)) < self._setting.drift
        places = np.flatnonzero(moving)
        self.law[places] = self.law[self._chance.permutation(places)]

    def factors(self, telling: Telling) -> dict[int, float]:
        """What each page is worth more, as the robot is told it."""
        asked = self.opened + SHOWN * self.shown
        if telling.kind == COUNTS:
            usual = float(asked.mean())
            found = [demand_factor(one, usual, telling.gain) for one in asked.tolist()]
            return dict(enumerate(found))
        if telling.kind == LOGARITHM:
            times = 1.0 + np.log2(1.0 + asked) / 4.0
            return dict(enumerate(np.minimum(MOST, times).tolist()))
        # only how pages stand to each other matters; the controller wants 1 at least
        times = self.law / self.law.min()
        return dict(enumerate(times.tolist()))


def make_world(setting: DemandSetting, seed: int) -> Truth:
    chance = np.random.default_rng([seed, 3])
    spread = chance.uniform(-DECADES / 2.0, DECADES / 2.0, setting.pages)
    host = np.arange(setting.pages, dtype=np.int32) % setting.hosts
    return make_truth(
        host=host,
        rate=10.0**spread / DAY_S,
        gap_s=0.0,
        seed=seed,
    )


def new_robot(truth: Truth, setting: DemandSetting) -> RequestController:
    per_s = setting.visits * setting.pages / DAY_S
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=Posterior(fastest_s=600.0, slowest_s=1000.0 * DAY_S),
        budget=Budget(per_s=per_s),
        seeds=[],
    )
    hold_all(controller, truth, np.zeros(setting.pages))
    return controller


def run_case(case: DemandCase, seed: int) -> DemandOutcome:
    setting = case.setting
    truth = make_world(setting, seed)
    robot = new_robot(truth, setting)
    readers = Readers(setting, seed)
    last_s = np.zeros(setting.pages)
    asked = []
    whole = []
    for day in range(setting.days):
        window = (day * DAY_S, (day + 1) * DAY_S)
        visits = math.ceil(setting.visits * setting.pages) + 1
        log = run_compiled(
            robot, truth, room=1, visits=visits, start_s=window[0], until_s=window[1]
        )
        made = (last_s, log.issued_s, log.page)
        everybody = np.full(setting.pages, 1.0 / setting.pages)
        asked.append(
            freshness_earned(
                truth.rate,
                readers.law,
                *made,
                window=window,
            )
        )
        whole.append(
            freshness_earned(
                truth.rate,
                everybody,
                *made,
                window=window,
            )
        )
        np.maximum.at(last_s, log.page, log.issued_s)
        readers.ask_for_a_day()
        robot.weigh(readers.factors(case.telling), window[1])
    first = round(MEASURED * setting.days)
    return DemandOutcome(
        float(np.mean(asked[first:])), float(np.mean(whole[first:])), np.array(asked)
    )
