"""Asking for help must be quick: heavy packages are imported by the commands that use them, not
before.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from trapline.stores.sqlite import SqliteStore

HEAVY = (
    "numba",
    "llvmlite",
    "scipy",
    "aiohttp",
    "fastapi",
    "uvicorn",
    "matplotlib",
    "tantivy",
    "apsw",
)

SHOW = f"""
loaded = [name for name in {HEAVY!r} if name in sys.modules]
print("heavy:", *loaded, file=sys.stderr)
"""
COMMAND = """
import sys
from trapline.app.commands.main import main
sys.argv[0] = "trapline"
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


def heavy_after(program: str, *arguments: str) -> list[str]:
    """Which heavy packages a fresh interpreter has loaded at the end of a program."""
    run = subprocess.run(
        [sys.executable, "-c", program + SHOW, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    words = run.stderr.splitlines()[-1].split()
    assert words[0] == "heavy:"
    return words[1:]


def test_the_check_sees_what_is_loaded() -> None:
    assert "numba" in heavy_after("import sys, trapline.theory.kernel")


def test_importing_trapline_imports_nothing_heavy() -> None:
    assert heavy_after("import sys, trapline") == []


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["demo", "--help"],
        ["crawl", "--help"],
        ["lab", "--help"],
        ["lab", "compare", "polling", "--help"],
        ["lab", "compare", "traces", "--help"],
    ],
    ids=" ".join,
)
def test_asking_for_help_imports_nothing_heavy(arguments: list[str]) -> None:
    assert heavy_after(COMMAND, *arguments) == []


def test_status_needs_no_compiler_and_no_network(tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    loaded = heavy_after(COMMAND, "status", str(tmp_path))
    assert "apsw" in loaded and not {"numba", "aiohttp", "fastapi", "matplotlib"} & set(
        loaded
    )
