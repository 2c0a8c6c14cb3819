"""Write the reference pages that follow from the registry of policies: `make docs` runs this.

A policy that is entered in the registry is on these pages without another line. They are not kept
in the repository.
"""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from trapline.policies.registry import GROUPS

REFERENCE: Final = Path(__file__).parents[1] / "docs" / "reference"
TITLES: Final = {
    "refresh": "Refresh: when to come back",
    "discovery": "Discovery: what to fetch next",
    "fetchers": "Fetchers: how many to run",
}
BASES: Final = (
    "trapline.policies.refresh.refresh_policy",
    "trapline.policies.refresh.card_policy",
    "trapline.policies.discovery.discovery_policy",
    "trapline.policies.discovery.kernel_policy",
    "trapline.policies.fetchers.fetcher_policy",
    "trapline.policies.registry",
)


def summary_of(module: str) -> str:
    """The first paragraph of a module's docstring, read without importing it."""
    spec = find_spec(module)
    assert spec is not None and spec.origin is not None
    text = ast.get_docstring(ast.parse(Path(spec.origin).read_text(encoding="utf-8")))
    paragraph = (text or "").partition("\n\n")[0]
    return " ".join(paragraph.split()).replace("|", "\\|")


def list_of_all() -> str:
    lines = ["# All policies", ""]
    lines += ["Made from the registry; `make docs` writes this page.", ""]
    for group, title in TITLES.items():
        lines += [f"## {title}", "", "| policy | what it does |", "|---|---|"]
        for name, place in sorted(GROUPS[group].items()):
            said = summary_of(place.partition(":")[0]).removeprefix(f"{name}: ")
            lines.append(f"| `{name}` | {said} |")
        lines.append("")
    return "\n".join(lines)


def api_page() -> str:
    modules = [*BASES]
    for group in TITLES:
        places = {place.partition(":")[0] for place in GROUPS[group].values()}
        modules += sorted(places)
    lines = ["# Policies in Python", ""]
    for module in modules:
        lines += [f"## {module.removeprefix('trapline.')}", "", f"::: {module}", ""]
    return "\n".join(lines)


def main() -> None:
    (REFERENCE / "all-policies.md").write_text(list_of_all(), encoding="utf-8")
    (REFERENCE / "api" / "policies.md").write_text(api_page(), encoding="utf-8")


if __name__ == "__main__":
    main()
