"""The policies that CONTRIBUTING shows can be added by following it: one file and one line each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.contract.guide_policies import GUIDE, RECIPE

ROOT = Path(__file__).parents[2]
CHECKS = ("test_policies.py", "test_discoverers.py", "test_fetcher_policies.py")


def test_the_guide_shows_one_policy_of_each_kind() -> None:
    recipes = list(RECIPE.finditer(GUIDE))
    groups = [recipe["group"] for recipe in recipes]
    assert groups == ["REFRESH", "DISCOVERY", "FETCHERS"]
    for recipe in recipes:
        assert not (ROOT / "src" / f"{recipe['path']}.py").exists(), "an example only"


def test_they_pass_the_shared_checks(tmp_path: Path) -> None:
    names = re.findall(r'    "([\w-]+)": _[A-Z]+ \+', GUIDE)
    assert len(names) == 3
    command = [sys.executable, "-m", "pytest", "-p", "tests.contract.guide_policies"]
    command += ["-p", "no:cacheprovider", "-k", " or ".join(names)]
    command += [f"tests/contract/{name}" for name in CHECKS]
    environment = {**os.environ, "GUIDE_FOLDER": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None and int(passed[1]) > 30


def test_their_own_examples_hold(tmp_path: Path) -> None:
    """The doctests of the files that the guide shows."""
    for recipe in RECIPE.finditer(GUIDE):
        (tmp_path / f"{Path(recipe['path']).name}.py").write_text(recipe["code"])
    files = sorted(str(file) for file in tmp_path.glob("*.py"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"]
    command += ["--doctest-modules", *files]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=900, check=False
    )
    assert "3 passed" in done.stdout, done.stdout[-3000:] + done.stderr[-2000:]
