"""How many fetchers are worthwhile, and what holds them back."""

from __future__ import annotations

import math
from typing import Any

import pytest

from trapline.app.folder.schedule.fetcher_advice import advise_fetchers
from trapline.app.settings import Settings, settings_from


def settings(visits: str = "20/s", most: int = 64, **options: float) -> Settings:
    fetchers = {"most": most, "options": options}
    values: dict[str, Any] = {"budget": {"visits": visits}, "fetchers": fetchers}
    return settings_from("a test", values)


def robot(fetch: float | None = 2.0, process: float | None = 100.0) -> dict[str, Any]:
    figures = {"fetch_rate": fetch, "process_rate": process}
    return {"fetchers": {**figures, "queue_room": 16, "awake": 5}}


def test_a_budget_needs_as_many_as_bring_it() -> None:
    """Little's law: 20 visits a second, half a second each."""
    found = advise_fetchers(robot(), settings(), hosts_allow=1000.0)
    assert found is not None
    assert (found.for_budget, found.worthwhile) == (10, 10)
    assert found.held_back_by == "budget"


def test_hosts_may_allow_less() -> None:
    found = advise_fetchers(robot(), settings(), hosts_allow=3.0)
    assert found is not None
    assert (found.worthwhile, found.held_back_by) == (2, "hosts")


def test_without_a_bound_the_processor_is_one() -> None:
    """At the best load of the queue, a little below the processor's rate."""
    found = advise_fetchers(robot(), settings("unlimited"), math.inf)
    assert found is not None
    assert found.for_budget is None
    assert 40 <= found.for_processor == found.worthwhile <= 50
    assert found.held_back_by == "processor"


def test_settings_may_allow_fewer() -> None:
    found = advise_fetchers(robot(), settings("unlimited", most=4), math.inf)
    assert found is not None
    assert found.held_back_by == "fetchers"
    assert found.worthwhile > found.most


@pytest.mark.parametrize(
    "note", [{}, robot(fetch=None), robot(process=None), robot(fetch=0.0)]
)
def test_what_was_not_measured_is_not_advised(note: dict[str, Any]) -> None:
    assert advise_fetchers(note, settings(), 1.0) is None


def test_fetchers_that_hardly_bring_anything_are_not_too_many() -> None:
    found = advise_fetchers(robot(fetch=1e-9), settings("unlimited"), math.inf)
    assert found is not None
    assert found.held_back_by == "fetchers"
