"""How the figures of `whittle` are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.study.figures import (
    DYNAMIC,
    FAINT,
    QUIET,
    STATIC,
    heading,
    tidy,
)
from trapline.laboratory.study.report import new_figure
from trapline.laboratory.worlds.ephemeral_table import GREEDY, INDEX, SOURCES
from trapline.theory.ephemeral.source import EphemeralSource

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Floats = NDArray[np.float64]

INKS: Final = ("#0b6e99", "#b8641a", "#1b9e77", "#8a6fb0")  # of the four sources


def fading_picture(title: str, sources: Sequence[EphemeralSource]) -> Figure:
    """Figure 1."""
    figure = new_figure(8.5, 4.4)
    axis = figure.subplots()
    times = np.linspace(0.0, 10.0, 201)
    for number, (source, ink) in enumerate(zip(sources, INKS, strict=True), 1):
        label = f"source {number}: ξ = {source.utility:g}, μ = {source.decay:g}"
        axis.plot(
            times,
            source.utility * np.exp(-source.decay * times),
            color=ink,
            linewidth=2.0,
            label=label,
        )
    axis.set(
        xlabel="age of the item, in slots",
        ylabel="what it is worth",
        xlim=(0.0, 10.0),
        ylim=(0.0, 1.04),
    )
    tidy(axis, grid="y")
    axis.legend(frameon=False, fontsize=9.5, loc="upper right")
    heading(figure, title, "ξ·e^(−μt)")
    return figure


def states_picture(title: str, contents: Floats, visited: NDArray[np.bool_]) -> Figure:
    """Figures 2–4: a strip for each source, what it holds before the visits of a slot; dots are
    visits.
    """
    figure = new_figure(10.0, 6.4)
    slots = np.arange(1, len(contents) + 1)
    panels = figure.subplots(contents.shape[1], 1, sharex=True, squeeze=False)[:, 0]
    for source, axis in enumerate(panels):
        held = contents[:, source]
        seen = visited[:, source]
        ink = INKS[source]
        axis.axhline(
            SOURCES.ceiling[source],
            color=QUIET,
            linewidth=0.8,
            linestyle=(0, (4, 3)),
            zorder=1,
        )
        axis.bar(slots, held, width=0.8, color=ink, alpha=0.25, linewidth=0, zorder=2)
        axis.bar(slots[seen], held[seen], width=0.8, color=ink, linewidth=0, zorder=3)
        axis.set_ylim(
            0.0, 1.15 * max(float(held.max()), float(SOURCES.ceiling[source]))
        )
        tidy(
            axis,
            f"source {source + 1}: visited in {int(seen.sum())} of {len(slots)} slots",
            grid="y",
        )
        axis.locator_params(axis="y", nbins=4)
    panels[-1].set(xlabel="slot", xlim=(0.2, len(contents) + 0.8))
    heading(
        figure,
        title,
        "what a source holds; full colour: it is visited, and all is taken; dashed: u*, if it "
        "never were",
    )
    return figure


def rewards_picture(
    title: str, values: dict[int, float], bounds: dict[int, float]
) -> Figure:
    """Table I: the exact rewards, the bounds that they touch, and what is printed."""
    figure = new_figure(8.5, 4.0)
    axis = figure.subplots()
    names = ["always source 1", *(f"index policy, M = {budget}" for budget in values)]
    heights = [float(SOURCES.gain[0]), *values.values()]
    places = np.arange(len(names))
    axis.barh(
        places,
        heights,
        height=0.55,
        color=[STATIC] + [DYNAMIC] * len(values),
        alpha=0.85,
    )
    for place, height in enumerate(heights):
        axis.text(
            4.0,
            place,
            f"{height:.5f}",
            va="center_baseline",
            color="white",
            fontsize=9.5,
        )
    axis.plot(
        list(bounds.values()),
        places[1:],
        "|",
        color="black",
        markersize=14,
        markeredgewidth=2.0,
        label="bound",
    )
    axis.plot(
        [GREEDY, INDEX],
        places[:2],
        "D",
        color="#c0392b",
        markersize=6,
        label="printed",
        zorder=4,
    )
    axis.set_yticks(places, names)
    axis.set(xlabel="reward a slot", xlim=(0.0, 1.06 * max(bounds.values())))
    axis.invert_yaxis()
    tidy(axis, grid="x")
    axis.spines["left"].set_color(FAINT)
    figure.legend(loc="outside lower left", ncols=2, frameon=False, fontsize=9.5)
    heading(
        figure,
        title,
        "M = 1 is printed 254.66: the mean of the first 61 slots, not of the long run",
    )
    return figure
