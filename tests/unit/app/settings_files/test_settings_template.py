"""The file that `trapline init` writes is true: it can be read, and shows every default."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from trapline.app.settings import Settings, read_settings, settings_from
from trapline.app.settings_files.settings_template import (
    settings_template,
    write_template,
)
from trapline.app.settings_files.wrong_setting import setting_paths
from trapline.core.errors import FolderForeign, UserMistake


def uncommented() -> str:
    """As if every # before a setting were removed."""
    return re.sub(r"^#(?!#)", "", settings_template(), flags=re.MULTILINE)


def test_it_changes_nothing(tmp_path: Path) -> None:
    assert read_settings(write_template(tmp_path / "engine")) == Settings()


def test_every_setting_is_there_with_its_default() -> None:
    values = tomllib.loads(uncommented())
    shown = settings_from("the template", values)
    assert shown.model_copy(update={"access": {}}) == Settings()
    for path in setting_paths(Settings):
        found: Any = values
        for name in path.split("."):
            if isinstance(found, list):
                break  # tables of which there are none by default
            found = next(iter(found.values())) if name == "*" else found[name]


def test_nothing_is_left_unexplained() -> None:
    settings = re.findall(r"^#?(\w+) = .*$", settings_template(), re.MULTILINE)
    assert len(settings) > 30
    assert max(map(len, settings_template().splitlines())) <= 100


def test_it_is_never_written_over_something(tmp_path: Path) -> None:
    path = write_template(tmp_path / "engine")
    path.write_text("mine")
    with pytest.raises(UserMistake, match="is there already"):
        write_template(tmp_path / "engine")
    assert path.read_text() == "mine"
    (tmp_path / "file").touch()
    with pytest.raises(UserMistake, match="a file is in the way"):
        write_template(tmp_path / "file")
    with pytest.raises(FolderForeign):
        write_template(tmp_path)
