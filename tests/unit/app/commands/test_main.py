"""What every command line program is expected to have."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import trapline
from trapline.app.commands.options import complete_folder

ROOT = Path(__file__).parents[4]


def ran(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "trapline", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_package_is_a_program() -> None:
    done = ran("--version")
    assert (done.returncode, done.stdout) == (0, f"trapline {trapline.__version__}\n")


@pytest.mark.parametrize("words", [[], ["crawl"], ["lab"], ["lab", "run"]])
def test_minus_h_is_help(words: list[str]) -> None:
    done = ran(*words, "-h")
    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert "completion" not in done.stdout


def test_completion_is_there_for_whoever_asks() -> None:
    done = ran(
        "--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1"
    )
    assert done.returncode == 0, done.stderr
    assert "complete -o default -F" in done.stdout


def test_folders_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("engine", "engine-2", "other", "engine/warc"):
        (tmp_path / name).mkdir()
    (tmp_path / "engine.log").touch()
    monkeypatch.chdir(tmp_path)
    assert complete_folder("en") == ["engine", "engine-2"]
    assert complete_folder("engine/") == ["engine/warc"]
    assert complete_folder("nowhere/a") == []


def test_the_citation_names_this_version_and_licence() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["cff-version"] == "1.2.0"
    assert citation["version"] == trapline.__version__
    assert citation["license"] == "Apache-2.0"
    assert {"message", "title", "authors"} <= citation.keys()
