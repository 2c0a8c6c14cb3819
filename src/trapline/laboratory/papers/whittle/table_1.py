"""whittle/table-1: what the index policy earns from the four sources of Table I, for M = 1, 2 and
3.

Ours is exact (theory/ephemeral/cycle.py), the bound beside it; and the very controller that runs
live, asked slot by slot, must earn the same. The paper's 254.66 for M = 1 is no long-run average:
see `mean_of_first`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.papers.whittle.pictures import rewards_picture
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.study.figures import COLUMNS, row
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
)
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.laboratory.worlds.ephemeral_table import (
    GREEDY,
    INDEX,
    INDEX_SLOTS,
    SOURCES,
    TABLE_I,
)
from trapline.policies.refresh.slots.frequency import Frequency
from trapline.policies.refresh.whittle import SlottedWhittle
from trapline.theory.ephemeral.bound import relaxed_bound
from trapline.theory.ephemeral.cycle import LongRun, long_run_reward

Floats = NDArray[np.float64]

ID: Final = "whittle/table-1"
TITLE: Final = "What the index policy earns from the four sources of Table I"
BUDGETS: Final = (1, 2, 3)
# slots, a multiple of all periods: until the policy is in its cycle
SETTLING: Final = 420
CYCLES: Final = 60
MOST_SLOTS: Final = 1_000  # over which the paper's mean is looked for


def run(progress: Progress, out: Path | None, quick: bool, seeds: int | None) -> Report:
    """Nothing is random and it takes a moment: neither `seeds` nor `quick` has a meaning."""
    rows = [
        row("always source 1", GREEDY, reward_of_one(0)),
        row("always source 2", None, reward_of_one(1)),
    ]
    exact: dict[int, LongRun] = {}
    bounds: dict[int, float] = {}
    for budget in BUDGETS:
        progress((budget - 1) / len(BUDGETS), f"M={budget}")
        exact[budget] = long_run_reward(TABLE_I, budget)
        bounds[budget] = relaxed_bound(TABLE_I, budget).value
        rows += _rows(budget, exact[budget], bounds[budget])
    rows.insert(
        3,
        row(
            f"M=1/mean of t = 0 … {INDEX_SLOTS - 1} from nothing",
            INDEX,
            mean_of_first(INDEX_SLOTS),
        ),
    )
    values = {budget: found.value for budget, found in exact.items()}
    figures = draw_figures(ID, out, lambda: rewards_picture(TITLE, values, bounds))
    progress(1.0, "done")
    return Report(ID, TITLE, COLUMNS, rows, _remarks(exact, bounds), figures)


def _rows(budget: int, exact: LongRun, bound: float) -> list[Row]:
    name = f"M={budget}"
    why = (
        f"erratum: the printed value is the mean of the first {INDEX_SLOTS} slots"
        if budget == 1
        else ""
    )
    driven = controller_reward(budget, exact.period)
    rows = [
        row(f"{name}/index policy", INDEX if budget == 1 else None, exact.value, why),
        row(
            f"{name}/through the controller",
            None,
            driven,
            f"exact to {abs(driven / exact.value - 1.0):.0e}",
        ),
        row(
            f"{name}/bound",
            None,
            bound,
            f"the policy reaches {exact.value / bound:.4%} of it",
        ),
        row(
            f"{name}/period",
            2 if budget == 1 else None,
            exact.period,
            _visit_pattern(exact),
        ),
    ]
    printed: list[float | None] = (
        [0.5, 0.5, 0.0, 0.0]
        if budget == 1
        else [1.0 if budget == 2 else None, *[None] * 3]
    )
    rates = exact.rates.tolist()
    rows += [
        row(f"{name}/rate of source {i + 1}", printed[i], rate)
        for i, rate in enumerate(rates)
    ]
    return rows


def _visit_pattern(exact: LongRun) -> str:
    return "visits " + ", ".join(
        "+".join(str(source + 1) for source in slot) for slot in exact.pattern
    )


def reward_of_one(source: int) -> float:
    """The reward of visiting one source in every slot."""
    rates = np.zeros(len(SOURCES))
    rates[source] = 1.0
    return run_slots(Frequency(rates), EphemeralWorld(SOURCES), 1, 50).mean


def controller_reward(budget: int, period: int) -> float:
    """The mean over whole cycles, when the controller has settled into them."""
    run = run_slots(
        SlottedWhittle(SOURCES),
        EphemeralWorld(SOURCES),
        budget,
        SETTLING + CYCLES * period,
    )
    return float(run.rewards[SETTLING:].mean())


def mean_of_first(slots: int) -> float:
    """The mean of M = 1 over the first slots, t = 0 with its empty sources among them."""
    run = run_slots(SlottedWhittle(SOURCES), EphemeralWorld(SOURCES), 1, slots - 1)
    return float(run.rewards.sum()) / slots


def running_means(slots: int) -> dict[str, Floats]:
    """M = 1: the mean of the first 1, 2, … slots, by what the sources hold at t = 0: nothing, u, or
    u*.
    """
    from_u = _rewards(np.zeros(len(SOURCES)), slots)
    starts = {
        "0": np.concatenate(([0.0], from_u[:-1])),
        "u": from_u,
        "u*": _rewards(SOURCES.ceiling, slots),
    }
    return {
        start: np.cumsum(rewards) / np.arange(1, slots + 1)
        for start, rewards in starts.items()
    }


def _rewards(before: Floats, slots: int) -> Floats:
    """What M = 1 brings when the sources held so much a slot earlier; prices by what is there."""
    world = EphemeralWorld(SOURCES)
    world.content[:] = before
    policy = SlottedWhittle(
        SOURCES, observed=np.ones(len(SOURCES), np.bool_), seen=lambda: world.content
    )
    return run_slots(policy, world, 1, slots).rewards


def runs_that_print() -> list[tuple[str, int]]:
    """All (start, slots) whose mean is the paper's number when rounded as it is."""
    means = running_means(MOST_SLOTS)
    return [
        (start, int(n) + 1)
        for start in means
        for n in np.flatnonzero(np.round(means[start], 2) == INDEX)
    ]


def _remarks(exact: dict[int, LongRun], bounds: dict[int, float]) -> list[str]:
    others = [
        f"X = {start}, {n} slots"
        for start, n in runs_that_print()
        if (start, n) != ("0", INDEX_SLOTS)
    ]
    worst = min(exact[budget].value / bounds[budget] for budget in exact)
    return [
        f"printed 254.66 = the mean over t = 0 … {INDEX_SLOTS - 1}, all sources empty at t = 0 "
        f"({mean_of_first(INDEX_SLOTS):.4f}); of the means of the first 1 … {MOST_SLOTS:,} "
        "slots, from X = 0, u or u*, "
        f"{'so do ' + '; '.join(others) if others else 'no other gives it'}; the long run is "
        f"{exact[1].value:.5f}",
        f"the index policy reaches at least {worst:.4%} of what no policy exceeds in the long run",
        (
            "as the paper says: M=1 visits sources 1 and 2 in turn; M=2 visits 1 always, 2 and 3 "
            "irregularly, 4 rarely"
        ),
    ]
