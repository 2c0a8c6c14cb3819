"""Whatever stands in a file of another program: it is imported, or it is one line of mistake."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from trapline.app.settings import settings_from
from trapline.app.watch_import.import_list import import_list
from trapline.core.errors import UserMistake

URLS: Final = some.sampled_from(
    ["http://a.org/", "source:http://b.org/", "{{ x }}", "http://[", 5, None]
)
KEYS: Final = some.sampled_from(
    [
        "url",
        "title",
        "tag",
        "tags",
        "include_filters",
        "subtractive_selectors",
        "ignore_text",
        "trigger_text",
        "text_should_not_be_present",
        "time_between_check",
        "time_schedule_limit",
        "enabled",
        "minutes",
        "seconds",
        "method",
        "processor",
        "overrides_watch",
        "application",
        "requests",
        "settings",
        "watching",
        "global_ignore_text",
        "global_subtractive_selectors",
        "notification_urls",
        "proxy",
        "name",
        "filter",
        "css",
        "xpath",
        "path",
        "selector",
        "skip",
        "maxitems",
        "exclude",
        "grep",
        "grepv",
        "re.sub",
        "re",
        "pattern",
        "repl",
        "element-by-id",
        "html2text",
        "navigate",
        "command",
        "kind",
    ]
)
LEAVES: Final = (
    some.none()
    | some.booleans()
    | some.integers()
    | some.floats()
    | some.text(max_size=8)
    | some.sampled_from(
        ["//p", "xpath:p", "/x(/", "/a/i", "css:p,grep:(", "\ud800", "p"]
    )
)
VALUES: Final = some.recursive(
    LEAVES,
    lambda inner: (
        some.lists(inner, max_size=4) | some.dictionaries(KEYS, inner, max_size=4)
    ),
    max_leaves=8,
)
JOBS: Final = some.builds(
    lambda url, rest: {**rest, "url": url},
    URLS,
    some.dictionaries(KEYS, VALUES, max_size=6),
)
STORES: Final = some.fixed_dictionaries(
    {
        "watching": some.dictionaries(some.just("1") | KEYS, JOBS, max_size=2) | VALUES,
        "settings": some.fixed_dictionaries(
            {
                "application": some.dictionaries(KEYS, VALUES, max_size=4) | VALUES,
                "requests": some.dictionaries(KEYS, VALUES, max_size=4) | VALUES,
            }
        )
        | VALUES,
    }
)


def bring_in(name: str, text: str) -> None:
    """Nothing but a mistake may be raised, and what is written are settings."""
    with TemporaryDirectory() as folder:
        path, out = Path(folder) / name, Path(folder) / "out.toml"
        path.write_text(text, encoding="utf-8")
        try:
            import_list(path, out)
        except UserMistake as mistake:
            assert "\n" not in str(mistake)
            return
        settings_from("test", tomllib.loads(out.read_text(encoding="utf-8")))


# no time limit: the machine may be busy
at_any_load = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@at_any_load
@given(STORES | VALUES)
def test_any_json(store: Any) -> None:
    bring_in("url-watches.json", json.dumps(store))


@at_any_load
@given(some.lists(JOBS | VALUES, max_size=3))
def test_any_yaml(jobs: list[Any]) -> None:
    bring_in("urls.yaml", yaml.safe_dump_all(jobs))


@at_any_load
@given(some.text(some.characters(exclude_categories=["Cs"])))
def test_any_text(text: str) -> None:
    bring_in("urls.yaml", text)
    bring_in("url-watches.json", text)


@pytest.mark.parametrize(
    "text",
    [
        "url: &a [*a]",
        "{url: http://a.org/, filter: &a [*a]}",
        "{url: http://a.org/, name: 0x" + "f" * 9000 + "}",
        "{url: http://a.org/, name: " + "9" * 9000 + "}",
        "{url: http://a.org/, name: 2024-13-45}",
        "{url: http://a.org/, filter: {1: 2, null: 3, 2024-01-01: {re: 1}}, 5: 6}",
        "[" * 5000,
    ],
)
def test_odd_yaml(text: str) -> None:
    bring_in("urls.yaml", text)


@pytest.mark.parametrize("text", ["[" * 100_000, '{"watching": ' + "9" * 5000 + "}"])
def test_odd_json(text: str) -> None:
    bring_in("url-watches.json", text)
