"""The import contract bites: breaches planted in a copy of the source are caught, each by the rule
that forbids it.
"""

from __future__ import annotations

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STOREYS = "Imports go down only; rooms of one storey are strangers"
THINKING = "Thinking rooms know no clock, socket, log or file"
SOCKETS = "Only app may import net: the laboratory opens no socket"
PAPERS = "No paper imports another paper's folder"
RULES = {STOREYS, THINKING, SOCKETS, PAPERS}

BREACHES = [
    ("theory/price.py", "import socket", THINKING),
    ("robot/agenda/agenda.py", "import time", THINKING),
    ("policies/refresh/uniform.py", "from os import environ", THINKING),
    ("core/urls.py", "from trapline.robot import agenda", STOREYS),
    ("theory/price.py", "from trapline.policies import uniform", STOREYS),
    ("robot/agenda/agenda.py", "from trapline.live import loop", STOREYS),
    ("policies/refresh/uniform.py", "from trapline.stores import memory", STOREYS),
    ("live/loop.py", "from trapline.laboratory import drive", STOREYS),
    ("laboratory/runs/drive.py", "from trapline.net import http_fetcher", SOCKETS),
    ("laboratory/runs/measures.py", "import aiohttp", SOCKETS),
    ("collection/collection.py", "import socket", SOCKETS),
    (
        "laboratory/papers/talim/claims.py",
        "from trapline.laboratory.papers.lspe import table",
        PAPERS,
    ),
]


def broken_rules(folder: Path) -> set[str]:
    """Run import-linter as `make imports` does, on the tree in `folder`."""
    command = (
        "import sys; from importlinter.cli import lint_imports; "
        "sys.exit(lint_imports(no_cache=True))"
    )
    # COLUMNS: a rule's name and its verdict stay on one line. PYTHONPATH: the copy goes before the
    # installed package.
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
        "COLUMNS": "200",
        "NO_COLOR": "1",
    }
    run = subprocess.run(
        [sys.executable, "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    verdict = r"^(.+) (KEPT|BROKEN)(?: \(\d+ ignored imports?\))?$"
    verdicts = dict(re.findall(verdict, run.stdout, re.MULTILINE))
    assert set(verdicts) == RULES, run.stdout + run.stderr
    broken = {rule for rule, found in verdicts.items() if found == "BROKEN"}
    assert (run.returncode != 0) == bool(broken)
    return broken


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(
        ROOT / "src/trapline",
        folder / "src/trapline",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copy(ROOT / ".importlinter", folder)
    return folder


def test_the_real_tree_keeps_every_rule() -> None:
    assert broken_rules(ROOT) == set()


@pytest.mark.parametrize(("file", "line", "rule"), BREACHES)
def test_a_planted_breach_is_caught(
    copy: Path, file: str, line: str, rule: str
) -> None:
    module = copy / "src/trapline" / file
    sound = module.read_text(encoding="utf-8")
    module.write_text(f"{sound}\n{line}\n", encoding="utf-8")
    try:
        assert broken_rules(copy) == {rule}
    finally:
        module.write_text(sound, encoding="utf-8")


def test_every_folder_declares_its_storey() -> None:
    rules = configparser.ConfigParser()
    rules.read(ROOT / ".importlinter")
    declared = re.findall(
        r"trapline\.(\w+)", rules["importlinter:contract:storeys"]["layers"]
    )
    folders = [
        path.name
        for path in (ROOT / "src/trapline").iterdir()
        if any(path.rglob("*.py"))
    ]
    assert sorted(declared) == sorted(folders)


def test_no_folder_is_named_utils() -> None:
    assert not [
        path
        for path in (ROOT / "src").rglob("*")
        if path.stem in ("utils", "util", "helpers", "common")
    ]
