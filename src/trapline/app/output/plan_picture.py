"""The curve of a plan as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from trapline.app.folder.planning.plan import Plan, PlanPoint
from trapline.app.output.extras import check_drawing
from trapline.core.errors import UserMistake

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ENDINGS: Final = (".png", ".svg", ".pdf")
_INK: Final = "#1b4965"
_NOW: Final = "#c8553d"
_LEARNT: Final = (
    ("freshness", "freshness"),
    ("news_a_day", "news a day\n(in relevance)"),
    ("finds_a_day", "finds in a day\n(in relevance)"),
)
_GUESSED: Final = (
    ("freshness", "freshness,\nonce all are held"),
    ("finds_a_day", "finds in the\nfirst day (pages)"),
    ("all_held_s", "hours until\nall are held"),
)
_HEADROOM: Final = 1.1  # times the highest value, so that a flat line is seen
_LOW: Final = 0.2  # of the highest value
_NEAR: Final = 3.0  # times
_HOUR_S: Final = 3600.0


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
    by_what = "guesses" if plan.guesses else "what the robot has learnt"
    figure.suptitle(f"What a budget buys, by {by_what}")
    lines = _GUESSED if plan.guesses else _LEARNT
    all_axes = figure.subplots(len(lines), 1, sharex=True)
    for axes, (name, title) in zip(all_axes, lines, strict=True):
        _draw_line(axes, plan, name)
        axes.set_ylabel(title)
    all_axes[0].set_ylim(0.0, 1.05)  # a point at 1 is whole
    all_axes[-1].set_xlabel(f"budget in {plan.unit} a second{_say_dotted(plan)}")
    unfinished = path.with_name(path.name + ".unfinished")
    try:
        kind = path.suffix.lower().removeprefix(".")
        figure.savefig(unfinished, format=kind, dpi=150)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _bound(plan: Plan) -> float | None:
    """The budget that is dotted, unless it lies far from the curve.

    Of guesses, the present point is the budget already.
    """
    bound = plan.hosts_allow if plan.guesses else plan.budget
    lowest = plan.curve[0].budget / _NEAR
    highest = plan.curve[-1].budget * _NEAR
    return bound if bound is not None and lowest <= bound <= highest else None


def _say_dotted(plan: Plan) -> str:
    if _bound(plan) is None:
        return ""
    allow = "the gaps of hosts allow" if plan.guesses else "the settings allow"
    return f" (dotted: what {allow})"


def _value(point: PlanPoint, name: str) -> float:
    if name == "all_held_s":
        return (point.all_held_s or 0.0) / _HOUR_S
    return float(getattr(point, name))


def _is_low(now: float, values: list[float], name: str) -> bool:
    """Whether a word below the point would stand on the numbers of the axis, or on the line."""
    return name == "all_held_s" or now < _LOW * (max(values) or 1.0)


def _draw_line(axes: Axes, plan: Plan, name: str) -> None:
    from matplotlib.ticker import LogLocator

    budgets = [point.budget for point in plan.curve]
    values = [_value(point, name) for point in plan.curve]
    axes.plot(budgets, values, color=_INK, linewidth=2.0)
    if plan.present is not None:
        now = _value(plan.present, name)
        axes.plot([plan.present.budget], [now], "o", color=_NOW, ms=8, clip_on=False)
        axes.annotate(
            "this budget" if plan.guesses else "now",
            (plan.present.budget, now),
            (8.0, 6.0 if _is_low(now, values, name) else -14.0),
            textcoords="offset points",
            color=_NOW,
        )
    bound = _bound(plan)
    if bound is not None:
        axes.axvline(bound, color=_INK, linestyle=":", linewidth=1.0)
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.set_ylim(0.0, _HEADROOM * max(values) or 1.0)
    axes.grid(alpha=0.3)
