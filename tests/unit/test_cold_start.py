"""Asking for help must be quick: heavy packages are imported by the commands that use them, not
before.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from trapline.stores.sqlite.store import SqliteStore

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


LIVE = (
    "trapline.app.crawl.run_crawl",
    "trapline.app.crawl.run_watch",
    "trapline.app.demo.run_demo",
    "trapline.app.demo.run_federation_demo",
    "trapline.app.directory.directory_server",
    "trapline.app.folder.folder_search",
    "trapline.app.folder.planning.plan_of",
    "trapline.app.mcp_server.tool_server",
    "trapline.app.web.server",
)


ABSENT = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("scipy", "matplotlib"):
            raise ModuleNotFoundError(name, name=name)
sys.meta_path.insert(0, Absent())
"""
WORK = """
from trapline.live.warm_up import warm_live
from trapline.policies.fetchers.adaptive import PlanBook
from trapline.theory.change_rate.credible_band import gamma_band
import trapline.oasis.selection.taily
warm_live("auto", "auto")
PlanBook(16, 5, 1.4).plan(0)
gamma_band(4.0, 100.0)
"""


def test_a_robot_and_its_pages_need_no_laboratory() -> None:
    """SciPy and matplotlib are an extra: kernels, plans of queues and brokers do without.

    They must be absent, as numba takes what it finds.
    """
    loaded = heavy_after(f"{ABSENT}import {', '.join(LIVE)}{WORK}")
    assert "numba" in loaded
    assert not {"scipy", "matplotlib"} & set(loaded)


def test_the_laboratory_does_need_them() -> None:
    program = f"{ABSENT}import trapline.laboratory.papers.oasis.learning"
    with pytest.raises(AssertionError, match="scipy"):
        heavy_after(program)


def test_status_needs_no_compiler_and_no_network(tmp_path: Path) -> None:
    SqliteStore(tmp_path).close()
    loaded = heavy_after(COMMAND, "status", str(tmp_path))
    assert "apsw" in loaded and not {"numba", "aiohttp", "fastapi", "matplotlib"} & set(
        loaded
    )
