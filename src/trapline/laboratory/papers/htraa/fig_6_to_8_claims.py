"""What the paper says about its Figures 6–8, judged by the courses of fig_6_to_8.py."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Final

from trapline.laboratory.study.claims import claim
from trapline.laboratory.study.courses import Course, PollingSetting
from trapline.laboratory.study.report import Row
from trapline.theory.polling.allocation import detections, uniform_rates

SORTED: Final = "H-TRAA, sorted"
SWAPPED: Final = {
    SORTED: 0,
    "H-TRAA, 10³ swaps": 10**3,
    "H-TRAA, 10⁴ swaps": 10**4,
    "H-TRAA, 10⁵ swaps": 10**5,
    "H-TRAA, 10⁶ swaps": 10**6,
}
MESSY: Final = "H-TRAA, 10⁶ swaps"
SHUFFLED: Final = "H-TRAA, shuffled"
DOUBLING: Final = "H-TRAA, 10⁶ swaps, N doubling"
SORTED_DOUBLING: Final = "H-TRAA, sorted, N doubling"
EARLY: Final = (5_000, 10_000, 20_000)
LATE: Final = (50_000, 100_000, 200_000)
ALIKE: Final = 0.02  # of the bound: "more or less the same", "near-optimal"

Found = dict[str, Course]


def findings(found: Found) -> list[str]:
    """In words what the paper has no words for; every number is of these runs."""
    last = min(200_000, found["LAKG"].polls[-1])
    level = 0.9 * found["optimal"].at(last).mean()
    when = {
        name: _polls_until(found[name], level)
        for name in (SORTED, MESSY, SHUFFLED, "LAKG", "posterior")
    }
    said = ", ".join(f"{name} {polls}" for name, polls in when.items())
    shares = {
        name: found[name].at(last).mean()
        for name in ("optimal", SORTED, SHUFFLED, "LAKG", "posterior")
    }
    ranked = " > ".join(
        f"{name} {share:.3f}"
        for name, share in sorted(shares.items(), key=lambda one: -one[1])
    )
    return [
        f"polls until 90 % of what `optimal` earns: {said}",
        f"at {last:,} polls: {ranked}",
    ]


def _polls_until(course: Course, level: float) -> str:
    for polls, mean in zip(course.polls, course.shares.mean(axis=0), strict=True):
        if mean >= level:
            return f"{polls:,}"
    return f"not in {course.polls[-1]:,}"


def _optimal_like_proportional(found: Found) -> Row:
    gap = found["optimal"].at(200_000) - found["proportional"].at(200_000)
    words = (
        "Proportional and optimal provide more-or-less the same solution (within .02)"
    )
    return claim("same", words, [ALIKE - gap])


def _above_uniform(found: Found) -> Row:
    both = [
        found[name].at(200_000) - found["uniform"].at(200_000)
        for name in ("proportional", "optimal")
    ]
    return claim(
        "uniform", "Proportional and optimal are superior to the uniform policy", both
    )


def _phase_helps(found: Found) -> Row:
    phases = found["estimator"].polls
    steps = [
        found["estimator"].at(later) - found["estimator"].at(sooner)
        for sooner, later in pairwise(phases)
    ]
    return claim(
        "phase",
        "The estimator's performance increases steadily with the length of its phase",
        steps,
    )


def _tree_quicker(found: Found) -> Row:
    gaps = [
        found[SORTED].at(polls) - found[name].at(polls)
        for polls in EARLY
        for name in ("LAKG", "estimator")
    ]
    words = (
        "H-TRAA increases significantly quicker than LAKG and the estimator (at 5,000, "
        "10,000 and 20,000 polls)"
    )
    return claim("quicker", words, gaps)


def _order_counts(found: Found) -> Row:
    steps = [
        found[one].at(20_000) - found[other].at(20_000)
        for one, other in pairwise(SWAPPED)
    ]
    return claim(
        "perturbed",
        "With more perturbations H-TRAA's performance is reduced (at 20,000, step by step)",
        steps,
    )


def _lakg_passes(found: Found) -> Row:
    gaps = [found["LAKG"].at(polls) - found[MESSY].at(polls) for polls in LATE]
    words = (
        "With 10⁶ perturbations LAKG converges more quickly and more accurately (at "
        "50,000, 100,000 and 200,000)"
    )
    return claim("LAKG passes", words, gaps)


def _doubling_equals(found: Found) -> Row:
    gaps = [
        ALIKE - abs(found[DOUBLING].at(polls) - found["LAKG"].at(polls))
        for polls in LATE
    ]
    words = (
        "With 10⁶ perturbations H-TRAA equals LAKG if N doubles from level to level "
        "(within .02, at the same)"
    )
    return claim("doubling", words, gaps)


def _doubling_costs(found: Found) -> Row:
    gaps = [
        found[SORTED].at(polls) - found[SORTED_DOUBLING].at(polls) for polls in EARLY
    ]
    return claim(
        "doubling costs",
        "… but then the advantage is lost for the less perturbed cases (early, sorted)",
        gaps,
    )


def _shuffled_slow(found: Found) -> Row:
    gaps = [
        found[SHUFFLED].at(polls) - found["LAKG"].at(polls) for polls in (*EARLY, *LATE)
    ]
    words = (
        "“Orders of magnitude faster than LAKG”, of shuffled leaves, which the paper does "
        "not try"
    )
    return claim("shuffled", words, gaps)


def _uniform_gains(found: Found) -> Row:
    skewed = PollingSetting(512, 0.3, 1.5).world(0)
    there = (
        detections(skewed.probabilities, uniform_rates(skewed.probabilities))
        / skewed.bound
    )
    words = (
        "Less skew makes the uniform policy more successful (in (.3, 1.5) its share is "
        f"{there:.3f})"
    )
    return claim("uniform gains", words, [found["uniform"].at(200_000) - there])


def _tree_superior(found: Found) -> Row:
    gaps = [
        found[SORTED].at(polls) - found[name].at(polls)
        for polls in (*EARLY, *LATE)
        for name in ("LAKG", "estimator")
    ]
    return claim(
        "superior",
        "In spite of this, H-TRAA yields a superior performance (5,000 … 200,000 polls)",
        gaps,
    )


def _optimal_better(found: Found) -> Row:
    gap = found["optimal"].at(200_000) - found["proportional"].at(200_000)
    return claim(
        "optimal",
        "Optimal performs significantly better than proportional (by more than .01)",
        [gap - 0.01],
    )


def _learners_breach_proportional(found: Found) -> Row:
    gaps = [
        found[name].at(200_000) - found["proportional"].at(200_000)
        for name in ("LAKG", SORTED)
    ]
    return claim(
        "breach",
        "LAKG and H-TRAA breach the boundary set by proportional (at 200,000)",
        gaps,
    )


def _learners_near_optimal(found: Found) -> Row:
    gaps = [
        ALIKE + found[name].at(200_000) - found["optimal"].at(200_000)
        for name in ("LAKG", SORTED)
    ]
    return claim(
        "near",
        "… and converge towards near-optimal solutions (within .02 of `optimal`)",
        gaps,
    )


_ALWAYS: Final = (
    _phase_helps,
    _tree_quicker,
    _order_counts,
    _lakg_passes,
    _doubling_equals,
    _doubling_costs,
    _shuffled_slow,
)
CLAIMS: Final[dict[str, tuple[Callable[[Found], Row], ...]]] = {
    "htraa/fig-6": (_optimal_like_proportional, _above_uniform, *_ALWAYS),
    "htraa/fig-7": (_uniform_gains, _tree_superior, *_ALWAYS),
    "htraa/fig-8": (
        _optimal_better,
        _learners_breach_proportional,
        _learners_near_optimal,
        *_ALWAYS,
    ),
}
