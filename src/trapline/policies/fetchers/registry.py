"""Names of fetcher policies → where they live. Nothing is imported until it is asked for.

>>> make_fetcher_policy("fixed", most=8, capacity=64, options={}).start
8
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from trapline.core.errors import UnknownName, UserMistake
from trapline.core.ports import FetcherPolicy

FETCHER_POLICIES: Final = {
    "adaptive": "trapline.policies.fetchers.adaptive:Adaptive",
    "autoscale": "trapline.policies.fetchers.autoscale:Autoscale",
    "autothrottle": "trapline.policies.fetchers.autothrottle:Autothrottle",
    "average-reward": "trapline.policies.fetchers.average_reward:AverageReward",
    "bandwidth": "trapline.policies.fetchers.bandwidth:Bandwidth",
    "fixed": "trapline.policies.fetchers.fixed:Fixed",
    "static": "trapline.policies.fetchers.static:Static",
    "switching": "trapline.policies.fetchers.switching:Switching",
}


def fetcher_policy_class(name: str) -> Any:
    if name not in FETCHER_POLICIES:
        raise UnknownName("fetcher policy", name, list(FETCHER_POLICIES))
    module, _, attribute = FETCHER_POLICIES[name].partition(":")
    return getattr(import_module(module), attribute)


def make_fetcher_policy(name: str, most: int, capacity: int, options: dict[str, float]) -> FetcherPolicy:
    """A policy for at most `most` fetchers before a queue of `capacity` places, with the settings' options."""
    found = fetcher_policy_class(name)
    try:
        policy: FetcherPolicy = found(most, capacity, **options)
    except TypeError:
        raise UserMistake(
            f"fetcher policy {name!r} lacks or does not know one of its options (it was given {sorted(options)}); "
            f"see {found.__module__}"
        ) from None
    return policy
