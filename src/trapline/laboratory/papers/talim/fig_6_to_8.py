"""talim/fig-6 … talim/fig-8: the best dynamic plan for γ below, at and above γ(K), as two switching
curves.

N = 16, K = 5, λ = 0.1, μ = 1. With q pages in the queue and r fetchers at work just before an
event, a departure wakes one more iff q ≤ f0(r), and the fetcher that an arrival brings home is
woken again iff q ≤ f1(r). Of the paper's pictures only the captions are left; beside our curves
stand those of an independent computation (`recomputed`).
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.talim.printed import FIGURES, PolicyFigure
from trapline.laboratory.study.figures import (
    COLUMNS,
    DYNAMIC,
    QUIET,
    STATIC,
    heading,
    row,
    tidy,
)
from trapline.laboratory.study.report import (
    Progress,
    Report,
    Row,
    draw_figures,
    new_figure,
)
from trapline.theory.queueing.control import Floats, Ints, evaluate
from trapline.theory.queueing.fetcher_queue import FetcherQueue
from trapline.theory.queueing.switching import Plan, Strip
from trapline.theory.queueing.value_iteration import Iterated

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLES: Final = {
    "talim/fig-6": "The best dynamic plan at γ = 1.0, below γ(K)",
    "talim/fig-7": "The best dynamic plan at γ = 1.4 = γ(K)",
    "talim/fig-8": "The best dynamic plan at γ = 2.0, above γ(K)",
}
REMARKS: Final = [
    "f0(r): a departure wakes one more iff the queue before it is at most f0(r); 0 = never",
    (
        "f1(r): the fetcher that comes home is woken again iff the queue before was at most "
        "f1(r); −1 = never"
    ),
    (
        "the paper's picture is lost, so its curves are not known; `recomputed` is an independent "
        "computation's"
    ),
]


def fig_6(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Figure 6. Nothing is random and it takes a moment: neither `seeds` nor `quick`
    has a meaning.
    """
    return _run_figure(FIGURES[0], progress, out)


def fig_7(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Figure 7, as Figure 6."""
    return _run_figure(FIGURES[1], progress, out)


def fig_8(
    progress: Progress, out: Path | None, quick: bool, seeds: int | None
) -> Report:
    """Figure 8, as Figure 6."""
    return _run_figure(FIGURES[2], progress, out)


def _run_figure(printed: PolicyFigure, progress: Progress, out: Path | None) -> Report:
    name = f"talim/{printed.id}"
    progress(0.0, "policy iteration")
    plan = printed.queue.solve(printed.fetchers)
    progress(0.3, "value iteration")
    iterated = printed.queue.value_iteration(printed.fetchers)
    progress(0.6, "figure")
    figures = draw_figures(
        name, out, lambda: _figure(TITLES[name], printed.queue, plan)
    )
    progress(1.0, "done")
    return Report(
        name,
        TITLES[name],
        (*COLUMNS, "recomputed"),
        _rows(printed, plan, iterated),
        REMARKS,
        figures,
    )


def _rows(printed: PolicyFigure, plan: Plan, iterated: Iterated) -> list[Row]:
    same_plan = np.array_equal(plan.wakes, iterated.wakes)
    return [
        row("cost", printed.cost, plan.cost),
        row("cost at stop", printed.cost, iterated.cost),
        row("iterations", printed.iterations, iterated.iterations),
        row(
            "switching curves",
            "monotone",
            "monotone" if plan.is_monotone else "NOT monotone",
        ),
        row("plan at stop", None, "the best" if same_plan else "not the best"),
        *_curve_rows("f0", 0, printed.departure_curve, plan.departure_curve),
        *_curve_rows("f1", 1, printed.arrival_curve, plan.arrival_curve),
    ]


def _curve_rows(
    name: str, first: int, recomputed: tuple[int, ...], ours: Ints
) -> list[Row]:
    return [
        row(f"{name}({first + place})", None, int(one)) | {"recomputed": other}
        for place, (one, other) in enumerate(zip(ours, recomputed, strict=True))
    ]


def time_shares(queue: FetcherQueue, plan: Plan) -> Floats:
    """[queue, active]: the share of the time that a plan spends there."""
    strip = Strip.whole(plan.capacity, plan.fetchers)
    process = strip.process(queue.rates)
    shares = np.zeros((plan.capacity + 1, plan.fetchers + 1))
    shares[strip.states] = evaluate(
        process, strip.choice_from(plan.wakes, process)
    ).share
    return shares


def _figure(title: str, queue: FetcherQueue, plan: Plan) -> Figure:
    """The (r, q) plane: three regions between two stairs, and where the time is spent."""
    from matplotlib.colors import LinearSegmentedColormap

    figure = new_figure(9.5, 5.0)
    axis = figure.subplots()
    shares = time_shares(queue, plan)
    shade = LinearSegmentedColormap.from_list("time", ["#ffffff", "#7fb2c9"])
    axis.imshow(
        shares,
        cmap=shade,
        origin="lower",
        aspect="auto",
        vmin=0.0,
        interpolation="nearest",
        zorder=0,
    )
    for place, share in np.ndenumerate(shares):
        if share >= 0.005:
            axis.text(
                place[1],
                place[0],
                f"{share:.0%}",
                ha="center",
                va="center",
                fontsize=8,
                color=QUIET,
            )
    _draw_stairs(
        axis,
        0,
        plan.departure_curve,
        STATIC,
        0.03,
        "$f_0$: up to here a departure wakes one more",
    )
    _draw_stairs(
        axis,
        1,
        plan.arrival_curve,
        DYNAMIC,
        -0.03,
        "$f_1$: up to here the one that comes home is woken again",
    )
    axis.text(
        0.0, 0.0, "both wake", fontsize=10, color=QUIET, style="italic", va="center"
    )
    axis.text(
        plan.fetchers,
        plan.capacity,
        "nobody is woken",
        fontsize=10,
        color=QUIET,
        style="italic",
        ha="right",
    )
    axis.set(xlim=(-0.5, plan.fetchers + 0.5), ylim=(-0.5, plan.capacity + 0.5))
    axis.set(
        xlabel="r: fetchers at work before the event",
        ylabel="q: pages in the queue before it",
    )
    axis.set_xticks(range(plan.fetchers + 1))
    tidy(axis)
    figure.legend(loc="outside lower left", ncols=2, frameon=False, fontsize=9.5)
    starving = queue.starvation_weight * plan.starvation
    costs = (
        f"cost {plan.cost:.5f} = starvation {starving:.5f} + loss {plan.loss_rate:.5f}"
    )
    heading(
        figure, title, f"{costs}; shaded: the share of the time that is spent there"
    )
    return figure


def _draw_stairs(
    axis: Axes, first: int, curve: Ints, ink: str, lift: float, label: str
) -> None:
    """`lift` keeps both lines visible where they coincide."""
    edges = np.arange(first, first + len(curve) + 1) - 0.5
    axis.stairs(
        curve + 0.5 + lift,
        edges,
        baseline=None,
        color=ink,
        linewidth=2.5,
        zorder=3,
        label=label,
        clip_on=False,
    )
