"""Write the reference page of full runs, from `docs/results`: `make docs` runs this.

Whatever tools/full_results.py keeps is on the page without another line. The page is not kept in
the repository.
"""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from trapline.laboratory.study.report import file_name

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = ROOT / "docs" / "results"
PAGE: Final = ROOT / "docs" / "reference" / "full-runs.md"
HEAD: Final = """# Full runs

What the experiments of the laboratory gave in their full forms: the table as CSV, the pictures, the
day and the commit of the run, and how long it took on two busy cores. `trapline lab run ID` runs
one again; `python tools/full_results.py ID` runs one and keeps what it gives here.
"""


def runs() -> list[dict[str, Any]]:
    """What is said of each run that is kept, in order of ids."""
    files = sorted(RESULTS.glob("*.json"))
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def page() -> str:
    parts = [HEAD]
    for paper, found in groupby(runs(), lambda run: str(run["id"]).partition("/")[0]):
        parts += [f"\n## {paper}\n", *map(section, found)]
    return "\n".join(parts)


def section(run: dict[str, Any]) -> str:
    table = f"../results/{file_name(run['id'])}.csv"
    ran = f"{run['date']}, commit {run['commit']}, {run['seconds']} s"
    lines = [
        f"### {run['id']}\n",
        f"{run['title']}. [Table]({table}); {ran}.\n",
        *(f"- {escape(remark)}" for remark in run["remarks"]),
        "",
        *(f"![{run['title']}](../results/{name})\n" for name in run["pictures"]),
    ]
    return "\n".join(lines)


def escape(text: str) -> str:
    """Remarks are plain text, not Markdown."""
    return text.replace("*", "\\*").replace("_", "\\_").replace("<", "&lt;")


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
