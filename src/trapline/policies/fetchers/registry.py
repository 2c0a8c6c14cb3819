"""Names of fetcher policies → where they live. Nothing is imported until it is asked for.

>>> make_fetcher_policy("fixed", most=8, capacity=64, options={}).start
8
"""

from __future__ import annotations

from importlib import import_module
from inspect import Parameter, signature
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


def make_fetcher_policy(
    name: str, most: int, capacity: int, options: dict[str, float]
) -> FetcherPolicy:
    """A policy for at most `most` fetchers before a queue of `capacity` places, with the settings'
    options.
    """
    found = fetcher_policy_class(name)
    known = signature(found).parameters
    names = [option for option in known if option not in ("most", "capacity", "plans")]
    needed = {option for option in names if known[option].default is Parameter.empty}
    if lacking := sorted(needed - options.keys()):
        raise UserMistake(
            f"fetcher policy {name!r} lacks the options {', '.join(lacking)}"
        )
    if unknown := sorted(options.keys() - set(names)):
        has = ", ".join(names) or "none"
        raise UserMistake(
            f"fetcher policy {name!r} does not know the options {', '.join(unknown)}; it has {has}"
        )
    policy: FetcherPolicy = found(
        most, capacity, **{option: _whole(value) for option, value in options.items()}
    )
    return policy


def _whole(value: float) -> float:
    """Settings know only numbers: 8.0 is the count 8."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
