"""The rows of a paper's table: one for each course, and one for each claim of the paper.

Numbers alone judge a claim. It says that one difference, or several, lie above a limit. The claim
holds if the 95 % intervals of all differences lie above it, fails if all lie below it, and holds in
part if some lie above it. Otherwise the seeds do not decide it.

>>> import numpy as np
>>> faster = np.array([0.11, 0.12, 0.10])  # seed by seed
>>> claim("quicker", "one is quicker than the other", [faster, -faster])["verdict"]
'holds in part'
>>> claim("quicker", "one is quicker than the other", [-faster])["verdict"]
'fails'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trapline.laboratory.study.courses import Course, Floats
from trapline.laboratory.study.estimate import Estimate, estimate_row
from trapline.laboratory.study.report import Row

FIRST: Final = ("id", "paper", "ours", "low", "high", "verdict")
LAST: Final = ("seeds", "claim")
MEANING: Final = (
    "`ours` of a claim is the least of the differences it is about, as a share of the bound "
    "unless the claim says "
    "otherwise; verdicts are by 95 % intervals over seeds, all policies in the same worlds; "
    "the paper's pictures are "
    "not in our text of it, so there are no numbers to set beside"
)


def claim_columns(*more: str) -> tuple[str, ...]:
    return (*FIRST, *more, *LAST)


def claim(
    name: str, words: str, differences: Sequence[Floats], above: float = 0.0
) -> Row:
    """`differences`: each an array, seed by seed."""
    found = [Estimate.of(difference) for difference in differences]
    least = min(found, key=lambda one: one.mean)
    return {
        "id": f"claim/{name}",
        "paper": None,
        "ours": least.mean,
        "low": least.low,
        "high": least.high,
        "verdict": judge_claim(
            [one.low > above for one in found], [one.high < above for one in found]
        ),
        "seeds": len(differences[0]),
        "claim": words,
    }


def judge_claim(hold: Sequence[bool], fail: Sequence[bool]) -> str:
    if all(hold):
        return "holds"
    if all(fail):
        return "fails"
    return "holds in part" if any(hold) else "not decided"


def course_row(course: Course, at: int, earlier: Sequence[int] = ()) -> Row:
    """The share at one checkpoint with its interval, and the means at earlier ones, as far as the
    course runs.
    """
    means: Row = {
        f"at {polls:,}": float(course.at(polls).mean())
        for polls in earlier
        if polls <= course.polls[-1]
    }
    return estimate_row(course.name, course.at(at).tolist()) | means
