"""Contestants: every refresh policy by name, made for a polling world and told what it must know.

A step of the world is a second of the policy's clock.

>>> from trapline.laboratory.worlds.polling import PollingWorld
>>> type(make_contestant("htraa", PollingWorld.zipf(64))).__name__
'HTraa'
"""

from __future__ import annotations

from trapline.laboratory.worlds.polling import PollingWorld
from trapline.policies.refresh.refresh_policy import KnownPages, RefreshPolicy
from trapline.policies.registry import refresh_class


def make_contestant(name: str, world: PollingWorld, seed: int = 0) -> RefreshPolicy:
    """The policy of that name. Raises UnknownName, or UserMistake where it cannot poll."""
    known = KnownPages(world.probabilities, world.weights, seed)
    return refresh_class(name).example(known)


def knows_truth(name: str) -> bool:
    """Whether a policy is told how often pages change."""
    return refresh_class(name).needs_truth


def weighs(name: str) -> bool:
    """Whether a policy prefers pages that matter more."""
    return refresh_class(name).weighted
