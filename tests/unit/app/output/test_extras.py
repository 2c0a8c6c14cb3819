"""A command that needs an extra says so in one line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT = """
import sys
from importlib.abc import MetaPathFinder
class Absent(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("scipy", "matplotlib"):
            raise ModuleNotFoundError(name, name=name)
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name: None if name in ("scipy", "matplotlib") else found(name)
sys.meta_path.insert(0, Absent())
from trapline.app.commands.main import main
sys.argv[0] = "trapline"
main()
"""


@pytest.mark.parametrize(
    ("words", "package"),
    [
        (["lab", "run", "oasis/learning"], "scipy"),
        (["lab", "compare", "polling"], "scipy"),
        (["plan", "nowhere", "--out", "plan.png"], "matplotlib"),
    ],
    ids=" ".join,
)
def test_one_line_says_what_to_install(
    words: list[str], package: str, tmp_path: Path
) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert f"needs {package}" in done.stderr
    assert "pip install trapline[lab]" in done.stderr
    assert done.stderr.count("\n") == 1
