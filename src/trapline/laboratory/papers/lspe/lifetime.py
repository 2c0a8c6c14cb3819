"""lspe/lifetime: content that is dropped after M slots (section II), and what an index makes of it.

The paper puts the factor 1 − α^M on u and so on all prices of a source. That is right for a source
that nobody visits (theory/ephemeral/source.py says why). Here the index by ages, capped at M, runs
beside the paper's factor and beside an index that ignores M; a learner is told nothing. Table I
with one M for all sources and with unlike ones, and random sources.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.study.estimate import Estimate
from trapline.laboratory.study.figures import heading, shared_legend, tidy
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
    new_figure,
)
from trapline.laboratory.study.sweep import extent_for, sweep
from trapline.laboratory.worlds.ephemeral import EphemeralWorld, random_sources
from trapline.laboratory.worlds.ephemeral_table import SOURCES
from trapline.policies.refresh.slots.slot_chooser import SlottedChooser
from trapline.policies.refresh.slots.slot_learner import SlottedLearner
from trapline.policies.refresh.whittle import SlottedWhittle
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.source import Sources

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ID: Final = "lspe/lifetime"
TITLE: Final = "Content that is dropped after M slots: whose index notices"
COLUMNS: Final = (
    "id",
    "paper",
    "ours",
    "low",
    "high",
    "reward",
    "bound",
    "bound if M = ∞",
    "seeds",
)
ENDLESS: Final = np.full(1, np.inf)
# told the sources as they are
MAKERS: Final[dict[str, Callable[[Sources, int], SlottedChooser]]] = {
    "index": lambda sources, seed: SlottedWhittle(sources),
    "paper's factor": lambda sources, seed: SlottedWhittle(with_factor(sources)),
    "M ignored": lambda sources, seed: SlottedWhittle(
        replace(sources, lifetime=ENDLESS)
    ),
    "adaptive-whittle": lambda sources, seed: SlottedLearner(len(sources), seed=seed),
}
INK: Final = {
    "index": "#0b6e99",
    "paper's factor": "#c2417c",
    "M ignored": "#b8641a",
    "adaptive-whittle": "#1b9e77",
}
LIFETIMES: Final = {
    "M = 1": (1.0,),
    "M = 2": (2.0,),
    "M = 4": (4.0,),
    "M = 8": (8.0,),
    "M = ∞": (np.inf,),
    "M = 8, 1, 8, 8": (8.0, 1.0, 8.0, 8.0),
}
RANDOM: Final = "random"
COUNT: Final = 200  # random sources, of which 5 % are visited in a slot
LONGEST: Final = 50  # slots, of theirs


@dataclass(frozen=True, slots=True)
class LifetimeCase:
    policy: str
    setting: str
    budget: int
    slots: int

    @property
    def name(self) -> str:
        return f"{self.policy}/{self.setting}, budget {self.budget}"

    def sources(self, seed: int) -> Sources:
        if self.setting == RANDOM:
            return mortal_sources(COUNT, seed)
        return replace(SOURCES, lifetime=np.array(LIFETIMES[self.setting]))


Found = dict[LifetimeCase, list[tuple[float, float, float]]]


def with_factor(sources: Sources) -> Sources:
    """As the paper has it: u, and all prices, times 1 − α^M."""
    return replace(sources, utility=sources.utility * sources.kept, lifetime=ENDLESS)


def mortal_sources(count: int, seed: int) -> Sources:
    """Random sources of random lifetimes, log-uniform from 1 to LONGEST."""
    drawn = np.random.default_rng([seed, count]).uniform(0.0, 1.0, count)
    return replace(random_sources(count, seed), lifetime=np.floor(LONGEST**drawn))


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    slots = 300 if quick else 3_000
    settings = [(name, budget) for name in LIFETIMES for budget in (1, 2)]
    settings.append((RANDOM, COUNT // 20))
    cases = [
        LifetimeCase(policy, name, budget, slots)
        for name, budget in settings
        for policy in MAKERS
    ]
    found = sweep(run_case, cases, extent_for(quick, seeds), progress)
    return Report(
        ID,
        TITLE,
        COLUMNS,
        [_row(case, outcomes) for case, outcomes in found.items()],
        remarks(slots),
        draw_figures(ID, out, lambda: _picture(found)),
    )


def run_case(case: LifetimeCase, seed: int) -> tuple[float, float, float]:
    """Reward a slot, its bound, and the bound if nothing were dropped; contents random."""
    sources = case.sources(seed)
    world = EphemeralWorld(sources, model="stochastic", seed=seed)
    policy = MAKERS[case.policy](sources, seed)
    reward = run_slots(policy, world, case.budget, case.slots).mean
    endless = replace(sources, lifetime=ENDLESS)
    return (
        reward,
        relaxed_bound(sources, case.budget).value,
        relaxed_bound(endless, case.budget).value,
    )


def _row(case: LifetimeCase, outcomes: list[tuple[float, float, float]]) -> Row:
    rewards, bounds, endless = np.array(outcomes).T
    share = Estimate.of((rewards / bounds).tolist())
    return {
        "id": case.name,
        "paper": None,
        "ours": share.mean,
        "low": share.low,
        "high": share.high,
        "reward": float(rewards.mean()),
        "bound": float(bounds.mean()),
        "bound if M = ∞": float(endless.mean()),
        "seeds": len(outcomes),
    }


def remarks(slots: int) -> list[str]:
    return [
        f"`ours`: reward a slot over {slots:,} slots of the stochastic model, of the bound of "
        "policies that do not see contents; chance and the empty beginning may carry it over 1",
        "index: x_k = u*(1 − a^min(k,M)), so that a price is what the source holds from age M on "
        "and is not touched before; paper's factor: all prices times 1 − α^M",
        f"random: {COUNT} sources of which 5 % are visited in a slot, M log-uniform from 1 to "
        f"{LONGEST}; where M is long beside 1/c, as in the paper's own table, all agree",
        "adaptive-whittle fits x = A(1 − a^k), which is not the form here: it learns what it can",
    ]


def _picture(found: Found) -> Figure:
    figure = new_figure(10.5, 4.8)
    axis = figure.subplots()
    places = list(dict.fromkeys(case.name.partition("/")[2] for case in found))
    for step, (policy, ink) in enumerate(INK.items()):
        shares = [
            float(np.mean([reward / bound for reward, bound, _ in outcomes]))
            for case, outcomes in found.items()
            if case.policy == policy
        ]
        across = np.arange(len(places)) + 0.2 * (step - 1.5)
        axis.bar(across, shares, width=0.19, color=ink, label=policy)
    axis.set_xticks(range(len(places)), places, rotation=30, ha="right")
    axis.set_ylim(0.6, 1.05)
    axis.set_ylabel("share of the bound")
    tidy(axis, grid="y")
    shared_legend(figure, [axis], ncols=4, fontsize=9.5)
    heading(figure, TITLE, "mean over seeds")
    return figure
