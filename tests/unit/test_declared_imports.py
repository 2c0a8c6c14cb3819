"""What the code imports is declared, and does not only come along with something else."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).parents[2]
# `compression` is the standard library's from Python 3.14 on
OURS = {"trapline", "__future__", "compression"}
USERS = (
    "cluster",
    "import",
    "lab",
    "mcp",
    "meaning",
    "notify",
    "parquet",
    "pdf",
    "ray",
)  # extras that are not for developers
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def spelt(package: str) -> str:
    return package.lower().replace("_", "-")


def declared() -> set[str]:
    extras = PROJECT["optional-dependencies"]
    users = [one for name in USERS for one in extras[name]]
    wanted = [*PROJECT["dependencies"], *users]
    return {spelt(re.split(r"[\[<>=; ]", one)[0]) for one in wanted}


def test_every_package_that_is_imported_is_declared() -> None:
    homes = packages_distributions()
    rooms = {
        name.partition(".")[0]
        for path in (ROOT / "src").rglob("*.py")
        for name in imported(path)
    }
    foreign = rooms - set(sys.stdlib_module_names) - OURS
    missing = {
        room
        for room in foreign
        if not set(map(spelt, homes.get(room, [room]))) & declared()
    }
    assert missing == set()
