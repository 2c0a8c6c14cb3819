"""Budgets of visits, of bytes and of seconds: one is named, in its own unit, and no other."""

from __future__ import annotations

import json

import pytest

from trapline.app.settings import Settings, settings_from
from trapline.app.settings_files.settings_in_force import SettingsInForce
from trapline.app.settings_tables import budget_words
from trapline.core.errors import SettingsUnreadable


def read(**budget: object) -> Settings:
    return settings_from("my.toml", {"budget": budget})


@pytest.mark.parametrize(
    ("text", "units_a_second"),
    [
        ("600/min", 10.0),
        ("500kB/s", 5.0),
        ("0.36 GB/h", 1.0),
        ("2s/s", 2.0),
        ("90 s/min", 1.5),
        ("unlimited", float("inf")),
    ],
)
def test_the_unit_of_a_budget_says_what_it_is_of(
    text: str, units_a_second: float
) -> None:
    assert read(**budget_words(text)).budget.per_s == pytest.approx(units_a_second)


@pytest.mark.parametrize(
    ("budget", "complaint"),
    [
        ({"cost": "bytes"}, 'needs a budget of them, like bytes = "500kB/s"'),
        ({"bytes": "1MB/s"}, 'bytes is the budget where cost = "bytes"'),
        ({"cost": "seconds", "seconds": 1, "visits": "9/s"}, "leave it out"),
        ({"cost": "bytes", "bytes": "5/parsec"}, "like 500kB/s"),
        ({"cost": "bytes", "bytes": "1kB"}, "like 500kB/s"),
        ({"cost": "pounds"}, "cost"),
        ({"visits": "500kB/s"}, "like 5/s"),
    ],
)
def test_a_budget_of_another_unit_is_refused(
    budget: dict[str, object], complaint: str
) -> None:
    with pytest.raises(SettingsUnreadable) as mistake:
        read(**budget)
    assert complaint in str(mistake.value)


@pytest.mark.parametrize("text", ["5/s", "500kB/s", "2s/s"])
def test_what_a_folder_keeps_is_the_same_budget(text: str) -> None:
    settings = read(**budget_words(text))
    kept = json.loads(json.dumps(SettingsInForce(settings, []).values()["budget"]))
    assert read(**kept).budget == settings.budget


def test_the_command_line_takes_the_place_of_another_unit() -> None:
    before = budget_words("500kB/s")
    assert read(**{**before, **budget_words("7/s")}).budget.per_s == 7.0
