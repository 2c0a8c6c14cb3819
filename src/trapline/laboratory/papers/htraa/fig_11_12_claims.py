"""The tables of fig-11 and fig-12: polls to learn and to recover, by number of pages, and what the
paper says of them.

Polls to reach a level are read off the mean course; their interval runs from where the upper edge
of its 95 % band gets there to where the lower edge does. What is not reached took more polls than
there were.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from trapline.laboratory.study.claims import claim, judge_claim
from trapline.laboratory.study.courses import Course, Floats
from trapline.laboratory.study.report import Cell, Row

LEARNT: Final = 0.9  # of the formula's optimum
HALF: Final = 0.5  # of it: as much as is reached on shuffled leaves
RECOVERED: Final = 0.98  # of the level before the switch
AFTER: Final = 10_000  # polls after a switch in which its cost is counted
MUCH: Final = 10.0  # "orders of magnitude", at the least
LITTLE: Final = 2.0  # "negligible", at the most


@dataclass(frozen=True, slots=True)
class PolicyAtSize:
    """One policy with so many pages."""

    name: str
    pages: int
    learning: Course  # up to the first switch
    all: Course
    recovery: Course  # by polls since a switch
    before: Floats  # share just before the switches, seed by seed
    optimum: float  # the formula's, of the bound


@dataclass(frozen=True, slots=True)
class Reach:
    """Polls to a level; `most` is infinite where the lower edge never reaches it."""

    mean: float
    least: float
    most: float


def to_learn(scale: PolicyAtSize) -> Reach:
    return polls_to_reach(scale.all, LEARNT * scale.optimum)


def to_recover(scale: PolicyAtSize) -> Reach:
    return polls_to_reach(scale.recovery, RECOVERED * float(scale.before.mean()))


def to_half(scale: PolicyAtSize) -> Reach:
    return polls_to_reach(scale.all, HALF * scale.optimum)


def polls_lost(scale: PolicyAtSize) -> Floats:
    """What a switch costs, seed by seed: in the polls after it, what those before would have
    brought, as polls.
    """
    polls = np.array(scale.recovery.polls)
    width = np.diff(polls, prepend=0)[polls <= AFTER]
    missing = 1.0 - scale.recovery.shares[:, : len(width)] / scale.before[:, None]
    return np.asarray(missing @ width)


def polls_to_reach(course: Course, level: float) -> Reach:
    found = course.estimates()
    mean, least, most = (
        _first_at(course.polls, [getattr(one, edge) for one in found], level)
        for edge in ("mean", "high", "low")
    )
    return Reach(mean, min(least, float(course.polls[-1])), most)


def _first_at(polls: Sequence[int], values: Sequence[float], level: float) -> float:
    return next(
        (float(at) for at, value in zip(polls, values, strict=True) if value >= level),
        math.inf,
    )


def row_of(scale: PolicyAtSize) -> Row:
    learnt = to_learn(scale)
    return {
        "id": scale.name,
        "paper": None,
        "ours": _polls_cell(learnt.mean),
        "low": _polls_cell(learnt.least),
        "high": _polls_cell(learnt.most),
        "polls to half": _polls_cell(to_half(scale).mean),
        "before a switch": float(scale.before.mean()),
        "just after": float(scale.recovery.shares[:, 0].mean()),
        "polls to recover": _polls_cell(to_recover(scale).mean),
        "lost": float(polls_lost(scale).mean()),
        "seeds": len(scale.before),
    }


def _polls_cell(count: float) -> Cell:
    return int(count) if math.isfinite(count) else None


def claims_of(name: str, scales: dict[str, list[PolicyAtSize]]) -> list[Row]:
    lakg = scales["LAKG"]
    if name == "htraa/fig-11":
        costs = [polls_lost(scale) for scale in lakg]
        return [
            grows_claim(
                "LAKG learns",
                "More pages significantly increase the convergence time of LAKG",
                lakg,
            ),
            claim(
                "LAKG adapts",
                "… and its adaptation time too (ours: the least rise of `lost` from size to size)",
                [more - fewer for fewer, more in pairwise(costs)],
            ),
        ]
    tree = scales["H-TRAA, sorted"]
    shuffled = scales["H-TRAA, shuffled"]
    return [
        faster_claim(
            "learns",
            "Initial learning is orders of magnitude faster than LAKG's (10 times)",
            tree,
            lakg,
            to_learn,
        ),
        sublinear_claim(
            "sub-linear",
            "H-TRAA scales sub-linearly with the number of pages",
            tree,
            to_learn,
        ),
        superlinear_claim("unlike LAKG", "… in contrast to the LAKG", lakg),
        negligible_claim(
            "adapts", "The impact on the adaptation speed is negligible", tree
        ),
        faster_claim(
            "learns, shuffled",
            "… orders of magnitude faster, shuffled (to half)",
            shuffled,
            lakg,
            to_half,
        ),
        sublinear_claim(
            "sub-linear, shuffled",
            "… sub-linearly, shuffled (to half)",
            shuffled,
            to_half,
        ),
    ]


def grows_claim(name: str, words: str, scales: list[PolicyAtSize]) -> Row:
    """From size to size; `ours` is the power of n with which the polls grow."""
    found = [to_learn(scale) for scale in scales]
    hold = [later.least > sooner.most for sooner, later in pairwise(found)]
    fail = [later.most <= sooner.least for sooner, later in pairwise(found)]
    return _row(
        name,
        f"{words} (ours: the power of n)",
        power_of(scales, to_learn),
        judge_claim(hold, fail),
        scales,
    )


def sublinear_claim(
    name: str,
    words: str,
    scales: list[PolicyAtSize],
    polls: Callable[[PolicyAtSize], Reach],
) -> Row:
    power = power_of(scales, polls)
    return _row(
        name,
        f"{words} (ours: the power of n)",
        power,
        judge_claim([power.most < 1.0], [power.least > 1.0]),
        scales,
    )


def superlinear_claim(name: str, words: str, scales: list[PolicyAtSize]) -> Row:
    power = power_of(scales, to_learn)
    return _row(
        name,
        f"{words} (ours: the power of n)",
        power,
        judge_claim([power.least > 1.0], [power.most < 1.0]),
        scales,
    )


def faster_claim(
    name: str,
    words: str,
    scales: list[PolicyAtSize],
    others: list[PolicyAtSize],
    polls: Callable[[PolicyAtSize], Reach],
) -> Row:
    """`ours` is the least ratio of the other's polls to these; what was never reached took at least
    the run.
    """
    pairs = [
        (polls(other), polls(scale))
        for scale, other in zip(scales, others, strict=True)
    ]
    ratios = [
        Reach(
            _ratio_of(o.mean, s.mean),
            _ratio_of(o.least, s.most),
            _ratio_of(o.most, s.least),
        )
        for o, s in pairs
    ]
    verdict = judge_claim(
        [one.least > MUCH for one in ratios], [one.most < MUCH for one in ratios]
    )
    least = min(ratios, key=lambda one: one.mean)
    return _row(name, f"{words} (ours: the least ratio)", least, verdict, scales)


def negligible_claim(name: str, words: str, scales: list[PolicyAtSize]) -> Row:
    fewest = polls_lost(scales[0])
    most = polls_lost(scales[-1])
    said = (
        f"{words} (`lost` is less than twice that of the smallest; ours: by how much)"
    )
    return claim(name, said, [LITTLE * fewest - most])


def _ratio_of(one: float, other: float) -> float:
    """one/other; nothing is said (NaN) of two that were never reached."""
    return (
        one / other if math.isfinite(other) else 0.0 if math.isfinite(one) else math.nan
    )


def power_of(
    scales: list[PolicyAtSize], polls: Callable[[PolicyAtSize], Reach]
) -> Reach:
    """The power of n with which polls grow, from the smallest to the largest that gets there.

    If none but the smallest does, the next took at least as long as the run.
    """
    found = [polls(scale) for scale in scales]
    end = max(
        (i for i, one in enumerate(found) if i and math.isfinite(one.mean)), default=1
    )
    few = found[0]
    many = found[end]
    span = math.log(scales[end].pages / scales[0].pages)
    mean = min(many.mean, float(scales[end].all.polls[-1]))
    edges = ((mean, few.mean), (many.least, few.most), (many.most, few.least))
    return Reach(*(_log_ratio(one, other) / span for one, other in edges))


def _log_ratio(one: float, other: float) -> float:
    return float(np.log(one) - np.log(other))


def _row(
    name: str, words: str, found: Reach, verdict: str, scales: list[PolicyAtSize]
) -> Row:
    numbers = {"ours": found.mean, "low": found.least, "high": found.most}
    said: Row = {
        key: value if math.isfinite(value) else None for key, value in numbers.items()
    }
    seeds = len(scales[0].before)
    return {
        "id": f"claim/{name}",
        "paper": None,
        **said,
        "verdict": verdict,
        "seeds": seeds,
        "claim": words,
    }


def _a_page(scale: PolicyAtSize) -> str:
    polls = to_learn(scale).mean
    return f"{polls / scale.pages:.3g}" if math.isfinite(polls) else "never"


def remarks(scales: dict[str, list[PolicyAtSize]], every: int) -> list[str]:
    a_page = "; ".join(
        f"{kind} {', '.join(_a_page(scale) for scale in found)}"
        for kind, found in scales.items()
    )
    return [
        f"`ours` is polls to {LEARNT:.0%} of the formula's optimum, counted from the start, "
        "across the switches every "
        f"{every:,} polls (the paper does not say how often); an empty cell: not in the run",
        (
            f"the same in polls a page, by size: {a_page}. Below 1, pages are judged by their "
            "neighbours, unseen"
        ),
        f"just after: the first {scales['LAKG'][0].recovery.polls[0]} polls after a switch; "
        f"recovered: {RECOVERED:.0%} "
        f"of the share just before it; lost: polls' worth in the {AFTER:,} after it, below 0 "
        "where learning is still "
        "under way",
        "N = 500 and λ = 2 for all sizes, as the paper has it: with 32,768 pages LAKG's grid "
        "is coarse (the least that "
        "a page can ask for is 1/250,000); finer grids learn more slowly still",
    ]
