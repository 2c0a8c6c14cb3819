"""What all comparisons share: the policies that were asked for, and how their lines are drawn.

>>> names_in("htraa, lakg,posterior")
('htraa', 'lakg', 'posterior')
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import UserMistake
from trapline.laboratory.study.estimate import Estimate
from trapline.policies.registry import policy_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]

INKS: Final = (
    "#0b6e99",
    "#b8641a",
    "#1b9e77",
    "#c2417c",
    "#8a6fb0",
    "#7a6a00",
    "#4c72b0",
    "#5a6068",
)
DASHES: Final = ("-", "--", ":")  # for more policies than inks
MOST_WORKERS: Final = 2


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas between them, each once."""
    found = tuple(
        dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    )
    if not found:
        known = sorted(policy_names("refresh") + policy_names("discovery"))
        raise UserMistake(f"no policy is named; choose some of: {', '.join(known)}")
    return found


def draw(axis: Axes, number: int, name: str, places: Floats, runs: Floats) -> None:
    """The line of a policy, of mean and 95 % interval over its runs (rows); its number chooses the
    colour.
    """
    found = [Estimate.of(column.tolist()) for column in runs.T]
    ink = INKS[number % len(INKS)]
    dashes = DASHES[number // len(INKS) % len(DASHES)]
    axis.plot(
        places,
        [one.mean for one in found],
        linewidth=1.7,
        color=ink,
        linestyle=dashes,
        label=name,
    )
    low = [one.low for one in found]
    high = [one.high for one in found]
    axis.fill_between(places, low, high, color=ink, alpha=0.14, linewidth=0)


def named_policies(names: Sequence[str]) -> str:
    """
    >>> named_policies(["htraa", "lakg", "uniform"])
    'htraa, lakg and uniform'
    """
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
