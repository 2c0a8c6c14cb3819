"""What is written as TOML is read back as it was."""

from __future__ import annotations

import math
import tomllib
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from trapline.app.settings import Settings, settings_from
from trapline.app.settings_files.settings_in_force import SettingsInForce
from trapline.app.settings_files.toml_text import toml_text

TEXTS = some.text(some.characters(exclude_categories=["Cs"]), max_size=30)
NUMBERS = some.floats(allow_nan=False) | some.integers(-(2**63), 2**63 - 1)
VALUES = some.recursive(
    TEXTS | NUMBERS | some.booleans(),
    lambda inner: some.lists(inner) | some.dictionaries(TEXTS, inner),
    max_leaves=8,
)

# no time limit: the machine may be busy
at_any_load = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@at_any_load
@given(some.dictionaries(TEXTS, VALUES, max_size=5))
def test_any_table_survives(table: dict[str, Any]) -> None:
    kept = {key: value for key, value in table.items() if value != {}}
    assert tomllib.loads(toml_text(table)) == kept


HOSTS = some.from_regex(r"[a-z]{1,9}\.org(:80[0-9]{2})?", fullmatch=True)
POSITIVE = some.floats(min_value=0.001, max_value=1e6)
SETTINGS = some.fixed_dictionaries(
    {
        "seeds": some.lists(TEXTS),
        "topic": some.fixed_dictionaries(
            {
                "words": TEXTS,
                "examples": some.lists(TEXTS),
                "against": some.lists(TEXTS),
            }
        ),
        "budget": some.fixed_dictionaries(
            {"visits": POSITIVE | some.just(math.inf), "burst": some.floats(1.0, 1e6)}
        ),
        "refresh": some.fixed_dictionaries(
            {"options": some.dictionaries(TEXTS, TEXTS | POSITIVE)}
        ),
        "scope": some.fixed_dictionaries(
            {
                "hosts": some.lists(HOSTS),
                "exclude": some.lists(TEXTS.map(lambda t: f"/{t}")),
            }
        ),
        "watch": some.fixed_dictionaries(
            {
                "at_most": some.floats(1e-3, 1e9) | some.just("10min"),
                "pages": some.lists(
                    some.fixed_dictionaries(
                        {
                            "url": HOSTS.map(lambda host: f"http://{host}/"),
                            "name": TEXTS,
                            "tags": some.lists(TEXTS),
                        }
                    )
                ),
            }
        ),
        "manners": some.fixed_dictionaries(
            {"contact": TEXTS, "own": some.dictionaries(HOSTS, POSITIVE)}
        ),
    }
)


@at_any_load
@given(SETTINGS)
def test_the_settings_in_force_can_be_fed_back(values: dict[str, Any]) -> None:
    settings = settings_from("some", values)
    text = SettingsInForce(settings, ["a webhook"]).toml()
    assert settings_from("the same", tomllib.loads(text)) == settings


def test_secrets_are_named_and_left_out() -> None:
    values: dict[str, Any] = {
        "access": {"a.org": {"password": "5e7"}},
        "output": {"changes": ["http://127.0.0.1:8/5e7", "feed"]},
    }
    settings = settings_from("some", values)
    text = SettingsInForce(settings, ['[access."https://a.org"]', "a webhook"]).toml()
    assert "5e7" not in text
    assert '# [access."https://a.org"]: secret' in text
    read = settings_from("the same", tomllib.loads(text))
    assert read.output.changes == ["feed"]
    assert read == Settings(output={"changes": ["feed"]})  # type: ignore[arg-type]
