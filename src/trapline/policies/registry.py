"""Names of policies → where they live. Nothing is imported until it is asked for, so `--help` stays light."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from trapline.core.errors import UnknownName, UserMistake
from trapline.core.ports import Discoverer, Policy

POLICIES = {
    "adaptive-whittle": "trapline.policies.adaptive_whittle:AdaptiveWhittle",
    "argmax": "trapline.policies.argmax:Argmax",
    "breadth-first": "trapline.policies.discovery.breadth_first:BreadthFirst",
    "estimator": "trapline.policies.estimator:Estimator",
    "frequency": "trapline.policies.frequency:Frequency",
    "greedy": "trapline.policies.greedy:Greedy",
    "htraa": "trapline.policies.htraa:HTraa",
    "known-rate": "trapline.policies.known_rate:KnownRate",
    "lakg": "trapline.policies.lakg:Lakg",
    "nutch-adaptive": "trapline.policies.nutch_adaptive:NutchAdaptive",
    "optimal": "trapline.policies.optimal:Optimal",
    "posterior": "trapline.policies.posterior:Posterior",
    "proportional": "trapline.policies.proportional:Proportional",
    "traa": "trapline.policies.traa:Traa",
    "uniform": "trapline.policies.uniform:Uniform",
    "value": "trapline.policies.discovery.value:Value",
    "whittle": "trapline.policies.whittle:Whittle",
}

AUTO = {"discovery": "value", "refresh": "adaptive-whittle"}  # one queue of prices: what the robot does unless told


def policy_class(name: str) -> Any:
    """The class behind a name.

    >>> policy_class("uniform").__name__
    'Uniform'
    """
    if name not in POLICIES:
        raise UnknownName("policy", name, list(POLICIES))
    module, _, attribute = POLICIES[name].partition(":")
    return getattr(import_module(module), attribute)


def live_policy(name: str, options: Mapping[str, float | str] | None = None) -> Policy:
    """A refresh policy fit to run live, made from the settings' options."""
    policy: Policy = _live(name, "refresh", options)
    return policy


def live_discoverer(name: str, options: Mapping[str, float | str] | None = None) -> Discoverer:
    """A discovery policy fit to run live, made from the settings' options."""
    policy: Discoverer = _live(name, "discovery", options)
    return policy


def _live(name: str, role: str, options: Mapping[str, float | str] | None) -> Any:
    name = AUTO[role] if name == "auto" else name
    found = policy_class(name)
    if role not in found.roles:
        raise UserMistake(f"policy {name!r} is for {' and '.join(sorted(found.roles))}, not for {role}")
    if found.laboratory_only:
        raise UserMistake(f"policy {name!r} runs in the laboratory only: choose another for a live robot")
    try:
        return found(**(options or {}))
    except TypeError:
        said = ", ".join(f"{key} = {value!r}" for key, value in sorted((options or {}).items()))
        raise UserMistake(
            f"policy {name!r} does not know one of the options, or cannot use its value: {said}"
        ) from None
