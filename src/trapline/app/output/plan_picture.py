"""The curve of a plan as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from trapline.app.folder.planning.plan import Plan
from trapline.app.output.extras import check_drawing
from trapline.core.errors import UserMistake

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ENDINGS: Final = (".png", ".svg", ".pdf")
_INK: Final = "#1b4965"
_NOW: Final = "#c8553d"
_LINES: Final = (
    ("freshness", "freshness"),
    ("news_a_day", "news a day\n(in relevance)"),
    ("finds_a_day", "finds in a day\n(in relevance)"),
)


def check_picture(path: Path) -> None:
    """Before anything is computed: whether a picture can be written there."""
    if path.suffix.lower() not in _ENDINGS:
        raise UserMistake(
            f"cannot draw into {path}: its name must end in {', '.join(_ENDINGS)}"
        )
    check_drawing()
    if not path.parent.is_dir():
        raise UserMistake(f"there is no folder {path.parent}: make it first")
    if path.is_dir():
        raise UserMistake(f"{path} is a folder: name a file")


def draw_plan(plan: Plan, path: Path) -> None:
    """The file is whole when it is there."""
    if plan.problem:
        raise UserMistake(f"there is nothing to draw: {plan.problem}")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 6.4), layout="constrained")
    figure.suptitle("What a budget buys, by what the robot has learnt")
    all_axes = figure.subplots(len(_LINES), 1, sharex=True)
    for axes, (name, title) in zip(all_axes, _LINES, strict=True):
        _draw_line(axes, plan, name)
        axes.set_ylabel(title)
    all_axes[0].set_ylim(0.0, 1.0)
    dotted = "" if plan.budget is None else " (dotted: what the settings allow)"
    all_axes[-1].set_xlabel(f"budget in visits a second{dotted}")
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        kind = path.suffix.lower().removeprefix(".")
        figure.savefig(unfinished, format=kind, dpi=150)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _draw_line(axes: Axes, plan: Plan, name: str) -> None:
    from matplotlib.ticker import LogLocator

    budgets = [point.budget for point in plan.curve]
    values = [getattr(point, name) for point in plan.curve]
    axes.plot(budgets, values, color=_INK, linewidth=2.0)
    if plan.present is not None:
        now = getattr(plan.present, name)
        axes.plot([plan.present.budget], [now], "o", color=_NOW, markersize=8)
        axes.annotate(
            "now",
            (plan.present.budget, now),
            (8.0, -14.0),
            textcoords="offset points",
            color=_NOW,
        )
    if plan.budget is not None:
        axes.axvline(plan.budget, color=_INK, linestyle=":", linewidth=1.0)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.set_ylim(bottom=0.0)
    axes.grid(alpha=0.3)
