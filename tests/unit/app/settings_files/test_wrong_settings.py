"""What is wrong with a setting is said in our own words, never in the library's."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from trapline.app.settings import Settings, read_settings, settings_from
from trapline.app.settings_files.wrong_setting import setting_paths
from trapline.core.errors import SettingsUnreadable

LIBRARY = re.compile(
    r"Input should|String should|Value error|valid (integer|number|string|list|dict|bool)|"
    r"unable to|instance of|Extra inputs|Field required|pydantic|something else",
    re.IGNORECASE,
)
WRONG: list[Any] = [
    "wrong",
    "",
    True,
    -1,
    1e308,
    float("nan"),
    10**30,
    2.5,
    [],
    [1],
    ["wrong"],
    [["wrong"]],
    {},
    {"wrong": 1},
    {"wrong": "wrong"},
    {"wrong": [1]},
    {"wrong.org": {"wrong": 1}},
    {"wrong.org": {"headers": {"a": 1}}},
]
PATHS = [path for path in setting_paths(Settings) if "*" not in path]


def complaint(path: str, value: object) -> str:
    """What is said of a value; "" if it may be."""
    values: Any = value
    for name in reversed(path.split(".")):
        values = {name: values}
    try:
        settings_from("my.toml", values)
    except SettingsUnreadable as mistake:
        return str(mistake)
    return ""


def complaints(path: str) -> Iterator[str]:
    return filter(None, (complaint(path, value) for value in WRONG))


@pytest.mark.parametrize("path", PATHS)
def test_no_text_of_the_library_is_shown(path: str) -> None:
    said = list(complaints(path))
    assert said, "some value is wrong everywhere"
    for line in said:
        assert not LIBRARY.search(line), line
        assert "\n" not in line
        assert path.rpartition(".")[2] in line


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("scope.depth", "three", 'scope.depth: it must be a whole number, not "three"'),
        ("scope.depth", 300, "it must be at most 255, not 300"),
        ("manners.gap_s", 0.1, "manners.gap_s: it must be at least 1, not 0.1"),
        (
            "scope.include",
            ["print"],
            "scope.include, entry 1: it must be a pattern that begins",
        ),
        ("scope.languages", ["english"], 'two letters of a language, like "en"'),
        ("scope", 3, "scope: it must be a table, not 3"),
        ("seeds", "http://a.org/", "seeds: it must be a list"),
        ("output.warc", "perhaps", "output.warc: it must be true or false"),
        (
            "refresh.options",
            {"x": [1]},
            "refresh.options.x: it must be a number or a text",
        ),
        ("topic", 3, "topic: it must be a table, not 3"),
        ("output.changes", 7, "output.changes: it must be a list, as in [ … ], not 7"),
        ("manners.gap_s", True, "manners.gap_s: it must be a number, not true"),
        ("scope.depth", True, "scope.depth: it must be a whole number, not true"),
    ],
)
def test_it_says_what_is_wanted_and_what_was_found(
    path: str, value: object, said: str
) -> None:
    assert said in complaint(path, value)


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("bugdet", "budget"),
        ("scope.dept", "scope.depth"),
        ("gap_s", "manners.gap_s"),
        ("manners.gap", "manners.gap_s"),
        ("topic.hosts", "scope.hosts"),
    ],
)
def test_the_setting_that_was_meant_is_named_in_full(path: str, meant: str) -> None:
    assert complaint(path, 3).endswith(
        f"{path}: there is no such setting; did you mean {meant}?"
    )


@pytest.mark.parametrize("path", ["xyzzy", "topic.like", "policies"])
def test_nothing_is_suggested_where_nothing_is_like_it(path: str) -> None:
    assert complaint(path, 3).endswith("there is no such setting")


@pytest.mark.parametrize(
    ("text", "place"),
    [("a = 1\n\nb c\n", "line 3, column 3"), ("seeds = [", "its end")],
)
def test_a_file_that_is_no_toml(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(SettingsUnreadable) as mistake:
        read_settings(path)
    assert str(mistake.value).endswith(f"my.toml: {place}: this is not TOML")


def test_secrets_are_not_shown() -> None:
    for access in ({"headers": {"a": ["5e7"]}}, {"user": ["5e7"]}, {"pasword": "5e7"}):
        said = complaint("access", {"a.org": access})
        assert said and "5e7" not in said
    assert "did you mean access.*.password?" in said
    assert "5e7" not in complaint("output.changes", [["http://a.org/5e7"]])
