"""Settings of the demo: a web of its own, and what a settings file says of how the robot decides.

The living web brings its topic, seeds, hosts and gaps. A file may choose policies and the budget:
a table of it replaces what the demo would have set, value by value.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from pathlib import Path
from typing import Any, Final

from trapline.app.settings import Settings, read_settings, settings_from
from trapline.core.errors import SettingsUnreadable
from trapline.laboratory.worlds.page_layout import Shape
from trapline.policies.registry import (
    AUTO,
    make_discovery_policy,
    make_fetcher_policy,
    make_refresh_policy,
    refresh_class,
)

GAP_S: Final = 0.25  # the hosts of the living web belong to whoever runs the demo
SHAPE: Final = Shape(gap_s=GAP_S, change_every_s=(8.0, 5000.0), life_s=600.0)
TAKEN: Final = ("budget", "discovery", "fetchers", "refresh")

Tables = Mapping[str, dict[str, Any]]


def read_choices(path: Path) -> Tables:
    """The tables of a settings file that a demo takes; any other is refused in one line.

    So is a policy that cannot run live, before anything is begun. Raises some UserMistake.
    """
    settings = read_settings(path)
    strange = sorted(settings.model_fields_set - set(TAKEN))
    if strange:
        taken = ", ".join(f"[{table}]" for table in TAKEN)
        raise SettingsUnreadable(
            str(path),
            f"{', '.join(strange)}: the demo has a web of its own, and takes {taken} only",
        )
    _check_policies(settings)
    return settings.model_dump(include=set(TAKEN), exclude_unset=True)


def policy_in(choices: Tables, role: str) -> str:
    return str(choices.get(role, {}).get("policy", "auto"))


def _check_policies(settings: Settings) -> None:
    make_refresh_policy(settings.refresh.policy, settings.refresh.options)
    make_discovery_policy(settings.discovery.policy, settings.discovery.options)
    table = settings.fetchers
    make_fetcher_policy(table.policy, table.most, table.queue_room, table.options)


def demo_settings(
    topic: str, home_pages: list[str], hosts: list[str], choices: Tables
) -> Settings:
    """For a robot that begins at these pages and knows these hosts as its own."""
    usual: dict[str, dict[str, Any]] = {
        "budget": {"visits": 3.5 * len(hosts), "burst": 4.0},
        "fetchers": {"most": max(len(hosts), 2)},
        "discovery": {},
        "refresh": {},
    }
    tables = {name: table | choices.get(name, {}) for name, table in usual.items()}
    tables["refresh"]["options"] = _options(choices)
    own = dict.fromkeys(hosts, GAP_S)
    web: dict[str, object] = {
        "topic": topic,
        "seeds": home_pages,
        "manners": {"own": own},
    }
    return settings_from("the demo", web | tables)


def _options(choices: Tables) -> dict[str, Any]:
    """A page is worth no more than this web's ten minutes, to policies that ask for how long."""
    policy = policy_in(choices, "refresh")
    found = refresh_class(AUTO["refresh"] if policy == "auto" else policy)
    asks = "horizon_s" in signature(found).parameters
    usual: dict[str, Any] = {"horizon_s": SHAPE.life_s} if asks else {}
    return {**usual, **choices.get("refresh", {}).get("options", {})}
