"""Group spreads: how unsure one may be of a group's mean, learnt of the groups that were seen.

Of groups of a level (directories of hosts, prefixes of directories) two variances are kept: of the
means of groups around that of the wider group (between), and of pages around the mean of their
group (within). A page of worth r, of a group whose n pages so far had the mean m, where the wider
group had made expect e, tells

    of between: (r − e)·(m − e), since r and m share nothing but what is the group's own,
    of within: (r − m)²·n/(n + 1),

and counts 1/n, or one large group would outweigh all small ones. What one may be wrong by in the
mean of a group of n pages has the variance between·within/(within + n·between).

>>> from trapline.policies.discovery.group_means import add, new_groups
>>> alike = new_spreads()
>>> unlike = new_spreads()
>>> groups = new_groups()
>>> for page in range(200):
...     worth = float(page % 2)
...     note_spread(unlike, 0, groups, 1 + page % 2, 0.5, worth)  # groups of one kind of page
...     note_spread(alike, 0, groups, 1 + page % 2, 0.5, 0.5)  # all groups are the same
...     add(groups, 1 + page % 2, worth)
>>> [round(variance_of_mean(unlike, 0, pages), 3) for pages in (0, 1, 9)]
[0.172, 0.009, 0.001]
>>> variance_of_mean(alike, 0, 0) < 0.01
True
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.policies.discovery.group_means import Groups, count_of, mean
from trapline.policies.mind import Records
from trapline.theory.kernel import bare_kernel

LEVELS: Final = 2
SPREAD: Final = np.dtype(
    [(name, np.float64) for name in ("weight", "between", "within")]
)
# what is believed before anything is seen, and how many groups outweigh it
_BETWEEN: Final = 0.01
_WITHIN: Final = 0.03
_FEW: Final = 5.0
_LEAST: Final = 1e-5  # a variance is never less


def new_spreads() -> Records:
    """One of each level."""
    return np.zeros(LEVELS, SPREAD)


@bare_kernel
def note_spread(
    spreads: Records,
    level: int,
    groups: Groups,
    key: int,
    expected: float,
    worth: float,
) -> None:
    """A page was worth so much that is not yet added to its group."""
    pages = count_of(groups, key)
    if pages == 0.0:
        return
    own = mean(groups, key, 0.0, 0.0)
    spreads["weight"][level] += 1.0 / pages
    spreads["between"][level] += (worth - expected) * (own - expected) / pages
    spreads["within"][level] += (worth - own) ** 2 / (pages + 1.0)


@bare_kernel
def variance_of_mean(spreads: Records, level: int, pages: float) -> float:
    """Of a group of which so many pages are known."""
    weight = spreads["weight"][level] + _FEW
    between = max((spreads["between"][level] + _FEW * _BETWEEN) / weight, _LEAST)
    within = max((spreads["within"][level] + _FEW * _WITHIN) / weight, _LEAST)
    return float(between * within / (within + pages * between))
