"""Names of policies → where they live.

Nothing is imported until it is asked for, so `--help` stays light.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from trapline.core.errors import UnknownName, UserMistake
from trapline.core.ports import Discoverer, Policy

POLICIES = {
    "adaptive-whittle": "trapline.policies.refresh.adaptive_whittle:AdaptiveWhittle",
    "argmax": "trapline.policies.refresh.argmax:Argmax",
    "best-first": "trapline.policies.discovery.best_first:BestFirst",
    "breadth-first": "trapline.policies.discovery.breadth_first:BreadthFirst",
    "estimator": "trapline.policies.refresh.estimator:Estimator",
    "frequency": "trapline.policies.refresh.frequency:Frequency",
    "fringe-greedy": "trapline.policies.discovery.fringe_greedy:FringeGreedy",
    "greedy": "trapline.policies.refresh.greedy:Greedy",
    "horn": "trapline.policies.discovery.horn:Horn",
    "htraa": "trapline.policies.refresh.automata.htraa:HTraa",
    "known-rate": "trapline.policies.refresh.known_rate:KnownRate",
    "lakg": "trapline.policies.refresh.automata.lakg:Lakg",
    "nutch-adaptive": "trapline.policies.refresh.nutch_adaptive:NutchAdaptive",
    "optimal": "trapline.policies.refresh.optimal:Optimal",
    "posterior": "trapline.policies.refresh.posterior:Posterior",
    "proportional": "trapline.policies.refresh.proportional:Proportional",
    "q-learning": "trapline.policies.discovery.q_learning:QLearning",
    "random": "trapline.policies.discovery.random_order:RandomOrder",
    "traa": "trapline.policies.refresh.automata.traa:Traa",
    "uniform": "trapline.policies.refresh.uniform:Uniform",
    "value": "trapline.policies.discovery.value:Value",
    "whittle": "trapline.policies.refresh.whittle:Whittle",
}

# one queue of prices: what the robot does unless told
AUTO = {"discovery": "value", "refresh": "adaptive-whittle"}


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


def live_discoverer(
    name: str, options: Mapping[str, float | str] | None = None
) -> Discoverer:
    """A discovery policy fit to run live, made from the settings' options."""
    policy: Discoverer = _live(name, "discovery", options)
    return policy


def _live(name: str, role: str, options: Mapping[str, float | str] | None) -> Any:
    name = AUTO[role] if name == "auto" else name
    found = policy_class(name)
    if role not in found.roles:
        raise UserMistake(
            f"policy {name!r} is for {' and '.join(sorted(found.roles))}, not for {role}"
        )
    if found.laboratory_only:
        raise UserMistake(
            f"policy {name!r} runs in the laboratory only: choose another for a live robot"
        )
    try:
        return found(**(options or {}))
    except TypeError:
        said = ", ".join(
            f"{key} = {value!r}" for key, value in sorted((options or {}).items())
        )
        raise UserMistake(
            f"policy {name!r} does not know one of the options, or cannot use its value: {said}"
        ) from None
