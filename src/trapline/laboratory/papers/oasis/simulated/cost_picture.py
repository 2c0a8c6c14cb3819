"""How oasis/cost is drawn: what few engines bring, and messages, bytes and work of a query."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from trapline.laboratory.papers.oasis.simulated.cost_runs import (
    CostCase,
    CostResult,
    Price,
)
from trapline.laboratory.study.figures import (
    QUIET,
    Line,
    draw_mean,
    heading,
    shared_legend,
    tidy,
)
from trapline.laboratory.study.report import new_figure
from trapline.laboratory.worlds.federation.federation_world import Cut

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Found = dict[tuple[int, Cut], list[CostResult]]  # by engines and cut, a result a seed

BY_TOPIC: Final = Line("#0b6e99", "by topic, as many as the forecast needs", width=2.4)
WITH_ALL: Final = Line(
    "#0b6e99", "the same with descriptions", dashes=(0, (1.2, 1.6)), width=2.0
)
BY_HOST: Final = Line("#b8641a", "by host, all", width=2.0)
CENTRAL: Final = Line(QUIET, "one central index", dashes=(0, (5, 2)))
UPDATES: Final = 24


def cost_figure(
    title: str,
    found: Found,
    sizes: Sequence[int],
    queries: int,
) -> Figure:
    figure = new_figure(11.0, 7.6)
    panels = figure.subplots(2, 2)
    _draw_curves(panels[0, 0], found, sizes[-1])
    _draw_sizes(
        panels[0, 1],
        "messages a query",
        found,
        sizes,
        lambda p: p.messages,
    )
    _draw_sizes(
        panels[1, 0],
        "bytes a query",
        found,
        sizes,
        lambda p: p.bytes,
    )
    _draw_sizes(
        panels[1, 1],
        "postings read a query",
        found,
        sizes,
        lambda p: p.work,
    )
    with_descriptions = [
        [one.chosen.bytes + one.described * UPDATES / queries for one in results]
        for results in (found[size, "topic"] for size in sizes)
    ]
    draw_mean(
        panels[1, 0],
        sizes,
        np.transpose(with_descriptions),
        WITH_ALL,
    )
    shared_legend(
        figure,
        panels.ravel().tolist(),
        ncols=4,
        fontsize=9,
    )
    seeds = len(found[sizes[0], "topic"])
    heading(
        figure,
        title,
        f"means of {seeds} worlds with 95 % intervals; the web grows with its engines; "
        f"descriptions fetched hourly, {queries:,} queries a day",
    )
    return figure


def _draw_curves(axis: Axes, found: Found, size: int) -> None:
    asked = CostCase(size, "topic").asked
    cuts: tuple[tuple[Cut, Line], ...] = (("topic", BY_TOPIC), ("host", BY_HOST))
    for cut, line in cuts:
        curves = [one.curve for one in found[size, cut]]
        # the legend names them with the other panels
        draw_mean(
            axis,
            asked,
            curves,
            line._replace(label="_" + line.label),
        )
        middle = len(asked) // 2
        height = float(np.mean(curves, axis=0)[middle])
        _write(
            axis,
            f"by {cut}",
            (asked[middle], height - 0.09),
            line.ink,
        )
    axis.set(xscale="log", ylim=(0.0, 1.02), xlabel="engines asked")
    _label_sizes(axis, [one for one in (1, 3, 8, 32, 256) if one <= size])
    tidy(axis, f"share of the central ten, {size} engines", grid="y")


def _draw_sizes(
    axis: Axes,
    title: str,
    found: Found,
    sizes: Sequence[int],
    number: Callable[[Price], float],
) -> None:
    lines: tuple[tuple[Line, Cut, str], ...] = (
        (CENTRAL, "topic", "central"),
        (BY_HOST, "host", "all"),
        (BY_TOPIC, "topic", "chosen"),
    )
    for line, cut, kind in lines:
        runs = [
            [number(getattr(one, kind)) for one in found[size, cut]] for size in sizes
        ]
        draw_mean(
            axis,
            sizes,
            np.transpose(runs),
            line,
        )
        last = float(np.mean(runs[-1]))
        _write(
            axis,
            f" {last:,.3g}" if last < 100 else f" {last:,.0f}",
            (sizes[-1], last),
            line.ink,
        )
    axis.set(xscale="log", yscale="log", xlabel="engines")
    # room for the numbers at the right
    axis.set_xlim(0.8 * sizes[0], 2.4 * sizes[-1])
    _label_sizes(axis, sizes)
    tidy(axis, title, grid="y")


def _label_sizes(axis: Axes, sizes: Sequence[int]) -> None:
    axis.set_xticks(list(sizes), [str(size) for size in sizes])
    axis.minorticks_off()


def _write(
    axis: Axes,
    text: str,
    place: tuple[float, float],
    ink: str,
) -> None:
    axis.text(
        *place,
        text,
        color=ink,
        fontsize=9,
        va="center",
    )
