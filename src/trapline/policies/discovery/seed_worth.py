"""Seed worth: what somebody has named is worth everything, until seeds show what they are worth.

A list of seeds may be three good pages or ten thousand of a directory. So the trust that they are
met with is a mean that begins at 1 and shrinks towards what visits to seeds brought: of the seeds
of a host, and behind them of all seeds.

>>> from trapline.policies.discovery.group_means import new_groups
>>> groups = new_groups()
>>> seed_worth(groups, host=3)
1.0
>>> for _ in range(8):
...     note_seed(groups, host=4, worth=0.1)
>>> round(seed_worth(groups, host=3), 2), round(seed_worth(groups, host=4), 2)
(0.4, 0.2)
"""

from __future__ import annotations

from typing import Final

from trapline.policies.discovery.group_means import Groups, add, hash_group, mean
from trapline.theory.kernel import bare_kernel

GROUPS_A_SEED: Final = 2

# kinds of groups, beside those of features.py
_OF_SEEDS: Final = 7
_OF_SEEDS_BY_HOST: Final = 8
_VOUCHED: Final = 1.0
_FEW: Final = 4.0  # seeds that outweigh what was expected of them


@bare_kernel
def seed_worth(groups: Groups, host: int) -> float:
    """What a seed of this host promises."""
    of_all = mean(groups, hash_group(_OF_SEEDS, 0), _VOUCHED, _FEW)
    return mean(groups, hash_group(_OF_SEEDS_BY_HOST, host), of_all, _FEW)


@bare_kernel
def note_seed(groups: Groups, host: int, worth: float) -> None:
    """A seed was worth so much, with what it opened. There must be room for GROUPS_A_SEED more."""
    add(groups, hash_group(_OF_SEEDS, 0), worth)
    add(groups, hash_group(_OF_SEEDS_BY_HOST, host), worth)
