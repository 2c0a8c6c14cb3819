"""The analysis of foundations/agenda: its table, remarks and figure, from the outcomes of all
worlds and seeds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.study.estimate import Estimate, estimate_row
from trapline.laboratory.study.figures import FAINT, QUIET
from trapline.laboratory.study.report import (
    Report,
    Row,
    draw_figures,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ID: Final = "foundations/agenda"
TITLE: Final = "What the agenda earns, beside the exact argmax and the bound"
COLUMNS: Final = ("id", "paper", "ours", "low", "high", "wanted", "unit", "seeds")
WANTED: Final = {
    ("no-gaps", "freshness"): 0.995,
    ("saturated-hosts", "freshness"): 0.96,
}
REWARD: Final = {"freshness": "pages fresh", "detections": "changes found a second"}
INK: Final = {"argmax": "#b8641a", "agenda": "#0b6e99"}


@dataclass(frozen=True, slots=True)
class AgendaOutcome:
    """One world through both choosers."""

    bound: float
    argmax: float
    agenda: float
    agenda_at_first: float  # over the argmax's own rounds, the agenda's first
    bound_price: float  # mean prices paid a visit
    argmax_price: float
    agenda_price: float


MEASURES: Final[dict[str, Callable[[AgendaOutcome], float]]] = {
    "bound": lambda o: o.bound,
    "argmax": lambda o: o.argmax,
    "agenda": lambda o: o.agenda,
    "argmax/bound": lambda o: o.argmax / o.bound,
    "agenda/bound": lambda o: o.agenda / o.bound,
    "agenda/argmax": lambda o: o.agenda / o.argmax,
    "agenda/argmax at first": lambda o: o.agenda_at_first / o.argmax,
    "price argmax/bound": lambda o: o.argmax_price / o.bound_price,
    "price agenda/bound": lambda o: o.agenda_price / o.bound_price,
}


NOTES: Final = [
    "agenda: over rounds 5 to 20 (detections: 15 to 60), when it has found its prices; "
    "argmax: over three fifths of "
    "the first round (it is stationary from the start, and each of its choices prices every page)",
    "at first: the agenda over the argmax's own visits, from the same start, while it still "
    "learns the market price "
    "from nothing; above 1 it lives on what it spent before",
    "the bound relaxes the problem (visits evenly spaced, hosts never in each other's way); "
    "over a finite time a "
    "schedule may pass it by what it borrows from later",
]


# by world and objective
Groups = dict[tuple[str, str], list[AgendaOutcome]]


def make_report(groups: Groups, out: Path | None) -> Report:
    rows = [
        _row(*group, measure, members)
        for group, members in groups.items()
        for measure in MEASURES
    ]
    remarks = [
        _verdict(*group, groups[group], wanted)
        for group, wanted in WANTED.items()
        if group in groups
    ]
    figures = draw_figures(ID, out, lambda: _figure(groups))
    return Report(ID, TITLE, COLUMNS, rows, [*remarks, *NOTES], figures)


def _row(world: str, objective: str, measure: str, members: list[AgendaOutcome]) -> Row:
    more: Row = {
        "wanted": WANTED.get((world, objective))
        if measure == "agenda/argmax"
        else None,
        "unit": "share" if "/" in measure else REWARD[objective],
    }
    name = f"{world}/{objective}/{measure}"
    return estimate_row(name, map(MEASURES[measure], members), more=more)


def _agenda_to_argmax(members: list[AgendaOutcome]) -> Estimate:
    return Estimate.of(map(MEASURES["agenda/argmax"], members))


def _verdict(
    world: str, objective: str, members: list[AgendaOutcome], wanted: float
) -> str:
    found = _agenda_to_argmax(members)
    reached = "reached" if found.mean >= wanted else "NOT reached"
    return (
        f"{world}: the agenda has {found.mean:.5f} [{found.low:.5f}, {found.high:.5f}] of the "
        f"argmax's {objective}; "
        f"wanted {wanted:g}: {reached}"
    )


def _figure(groups: Groups) -> Figure:
    """Every seed a dot, agenda under argmax, each world a row; the mean with its interval on top of
    the dots.
    """
    figure = new_figure(10.5, 1.4 + 0.95 * len(groups))
    reward, price = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    _draw_panel(reward, groups, "{}/bound", "reward (bound = 1)")
    _draw_panel(price, groups, "price {}/bound", "mean price paid (bound = 1)")
    reward.set_yticks(
        range(len(groups)),
        [_row_name(*group, members) for group, members in groups.items()],
    )
    reward.invert_yaxis()
    handles = [
        reward.scatter([], [], color=ink, label=f"{chooser}, one seed")
        for chooser, ink in INK.items()
    ]
    figure.legend(
        handles=handles, loc="outside upper right", ncols=2, frameon=False, fontsize=9
    )
    figure.suptitle(TITLE, x=0.01, ha="left", fontsize=12, fontweight="bold")
    return figure


def _row_name(world: str, objective: str, members: list[AgendaOutcome]) -> str:
    found = _agenda_to_argmax(members)
    wanted = WANTED.get((world, objective))
    aim = f" (wanted {wanted:g})" if wanted else ""
    half = found.high - found.mean
    return (
        f"{world.replace('-', ' ')}, {objective}\nagenda/argmax {found.mean:.5f} ± "
        f"{half:.5f}{aim}"
    )


def _draw_panel(axis: Axes, groups: Groups, measure: str, title: str) -> None:
    axis.set_title(title, loc="left", fontsize=10, color=QUIET)
    axis.axvline(1.0, color=QUIET, linewidth=0.8, linestyle=(0, (4, 3)), zorder=0)
    for place, members in enumerate(groups.values()):
        for chooser, lift in (("argmax", -0.17), ("agenda", 0.17)):
            _draw_dots(
                axis,
                place + lift,
                [MEASURES[measure.format(chooser)](o) for o in members],
                INK[chooser],
            )
    for place in range(1, len(groups)):
        axis.axhline(place - 0.5, color=FAINT, linewidth=0.8, zorder=0)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.tick_params(axis="y", length=0, labelsize=9)
    axis.tick_params(axis="x", colors=QUIET, labelsize=9)


def _draw_dots(axis: Axes, place: float, values: list[float], ink: str) -> None:
    spread = 0.2 * (np.arange(len(values)) * 0.618 % 1.0 - 0.5)
    axis.scatter(
        values, place + spread, s=22, color=ink, alpha=0.4, linewidths=0, zorder=2
    )
    found = Estimate.of(values)
    axis.plot(
        [found.low, found.high],
        [place, place],
        color=ink,
        linewidth=2.5,
        solid_capstyle="butt",
        zorder=3,
    )
    axis.plot(
        [found.mean],
        [place],
        "|",
        color="black",
        markersize=11,
        markeredgewidth=1.4,
        zorder=4,
    )
