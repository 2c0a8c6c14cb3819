"""Policies by name, in three groups. Nothing is imported until it is asked for.

A new policy is one new file and one line here. Other packages add theirs by entry points in the
groups `trapline.refresh`, `trapline.discovery` and `trapline.fetchers`.

>>> refresh_class("uniform").__name__
'Uniform'
>>> make_fetcher_policy("fixed", most=8, capacity=64, options={}).start
8
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, signature
from typing import TYPE_CHECKING, Any, Final

from trapline.core.errors import UnknownName, UserMistake

if TYPE_CHECKING:
    from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
    from trapline.policies.fetchers.fetcher_policy import FetcherPolicy
    from trapline.policies.refresh.refresh_policy import RefreshPolicy

Options = Mapping[str, float | str]

_REFRESH = "trapline.policies.refresh."
_AUTOMATA = "trapline.policies.refresh.automata."
_DISCOVERY = "trapline.policies.discovery."
_FETCHERS = "trapline.policies.fetchers."

REFRESH: Final = {
    "adaptive-whittle": _REFRESH + "adaptive_whittle:AdaptiveWhittle",
    "argmax": _REFRESH + "argmax:Argmax",
    "estimator": _REFRESH + "estimator:Estimator",
    "frequency": _REFRESH + "slots.frequency:Frequency",
    "greedy": _REFRESH + "slots.greedy:Greedy",
    "htraa": _AUTOMATA + "htraa:HTraa",
    "known-rate": _REFRESH + "known_rate:KnownRate",
    "lakg": _AUTOMATA + "lakg:Lakg",
    "lspe": _REFRESH + "slots.lspe_from_rewards:LspeFromRewards",
    "nutch-adaptive": _REFRESH + "nutch_adaptive:NutchAdaptive",
    "optimal": _REFRESH + "optimal:Optimal",
    "posterior": _REFRESH + "posterior:Posterior",
    "proportional": _REFRESH + "proportional:Proportional",
    "q-learning": _REFRESH + "q_learning:QRevisits",
    "traa": _AUTOMATA + "traa:Traa",
    "uniform": _REFRESH + "uniform:Uniform",
    "whittle": _REFRESH + "whittle:Whittle",
}
DISCOVERY: Final = {
    "best-first": _DISCOVERY + "best_first:BestFirst",
    "breadth-first": _DISCOVERY + "breadth_first:BreadthFirst",
    "fringe-greedy": _DISCOVERY + "fringe_greedy:FringeGreedy",
    "horn": _DISCOVERY + "horn:Horn",
    "q-learning": _DISCOVERY + "q_learning:QLearning",
    "random": _DISCOVERY + "random_order:RandomOrder",
    "value": _DISCOVERY + "value:Value",
}
FETCHERS: Final = {
    "adaptive": _FETCHERS + "adaptive:Adaptive",
    "autoscale": _FETCHERS + "autoscale:Autoscale",
    "autothrottle": _FETCHERS + "autothrottle:Autothrottle",
    "average-reward": _FETCHERS + "average_reward:AverageReward",
    "bandwidth": _FETCHERS + "bandwidth:Bandwidth",
    "fixed": _FETCHERS + "fixed:Fixed",
    "joint": _FETCHERS + "joint:Joint",
    "phase-type": _FETCHERS + "phase_type:PhaseType",
    "static": _FETCHERS + "static:Static",
    "switching": _FETCHERS + "switching:Switching",
}
GROUPS: Final = {"refresh": REFRESH, "discovery": DISCOVERY, "fetchers": FETCHERS}

# one queue of prices: what the robot does unless told otherwise
AUTO: Final = {"discovery": "value", "refresh": "adaptive-whittle"}

# what a fetcher policy is handed beside its options
_HANDED: Final = ("most", "capacity", "plans")


def policy_names(group: str) -> list[str]:
    """All policies of a group, our own and those of other packages."""
    return sorted({*GROUPS[group], *_other_packages(group)})


def refresh_class(name: str) -> type[RefreshPolicy]:
    found: type[RefreshPolicy] = _class("refresh", name)
    return found


def discovery_class(name: str) -> type[DiscoveryPolicy]:
    found: type[DiscoveryPolicy] = _class("discovery", name)
    return found


def fetcher_class(name: str) -> type[FetcherPolicy]:
    found: type[FetcherPolicy] = _class("fetchers", name)
    return found


def name_of(group: str, policy: object) -> str:
    """The name under which the class of a policy is registered; its own where it is not."""
    kind = type(policy)
    own = f"{kind.__module__}:{kind.__name__}"
    places = GROUPS[group] | {
        name: point.value for name, point in _other_packages(group).items()
    }
    return next((name for name, place in places.items() if place == own), own)


def make_refresh_policy(name: str, options: Options | None = None) -> RefreshPolicy:
    """A refresh policy fit to run live, made from the settings' options."""
    policy: RefreshPolicy = _make_live("refresh", name, options or {})
    return policy


def make_discovery_policy(name: str, options: Options | None = None) -> DiscoveryPolicy:
    """A discovery policy fit to run live, made from the settings' options."""
    policy: DiscoveryPolicy = _make_live("discovery", name, options or {})
    return policy


def make_fetcher_policy(
    name: str, most: int, capacity: int, options: Mapping[str, float]
) -> FetcherPolicy:
    """For at most `most` fetchers before a queue of `capacity` places, with these options."""
    found = fetcher_class(name)
    known = signature(found).parameters
    names = [option for option in known if option not in _HANDED]
    needed = {option for option in names if known[option].default is Parameter.empty}
    if lacking := sorted(needed - options.keys()):
        raise UserMistake(
            f"fetcher policy {name!r} lacks the options {', '.join(lacking)}"
        )
    if unknown := sorted(options.keys() - set(names)):
        has = ", ".join(names) or "none"
        raise UserMistake(
            f"fetcher policy {name!r} does not know the options {', '.join(unknown)}; "
            f"it has {has}"
        )
    told = {option: _whole(value) for option, value in options.items()}
    return found(most, capacity, **told)


def _class(group: str, name: str) -> Any:
    place = GROUPS[group].get(name)
    if place is not None:
        module, _, attribute = place.partition(":")
        return getattr(import_module(module), attribute)
    if point := _other_packages(group).get(name):
        return point.load()
    others = [other for other, names in GROUPS.items() if name in names]
    if others:
        raise UserMistake(f"policy {name!r} is for {others[0]}, not for {group}")
    kind = "fetcher policy" if group == "fetchers" else "policy"
    raise UnknownName(kind, name, policy_names(group))


def _other_packages(group: str) -> dict[str, EntryPoint]:
    """Policies that other packages bring; they cannot take a name of ours."""
    points = entry_points(group=f"trapline.{group}")
    return {point.name: point for point in points if point.name not in GROUPS[group]}


def _make_live(group: str, name: str, options: Options) -> Any:
    name = AUTO[group] if name == "auto" else name
    found = _class(group, name)
    if found.laboratory_only:
        raise UserMistake(
            f"policy {name!r} runs in the laboratory only: choose another for a live robot"
        )
    try:
        return found(**options)
    except TypeError:
        said = ", ".join(f"{key} = {value!r}" for key, value in sorted(options.items()))
        raise UserMistake(
            f"policy {name!r} does not know one of the options, or cannot use its value: "
            f"{said}"
        ) from None


def _whole(value: float) -> float:
    """Settings know only numbers: 8.0 is the count 8."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
