"""Run experiments in full and keep what they give in `docs/results`: table, picture, date, remarks.

`python tools/full_results.py [ID …]`: without ids, all that need no `--data`, which takes hours.
`make docs` makes the page "Full runs" from what is kept (tools/result_pages.py).
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from trapline.laboratory.study.registry import EXPERIMENTS, run_experiment
from trapline.laboratory.study.report import Report, file_name

ROOT: Final = Path(__file__).parents[1]
FOLDER: Final = ROOT / "docs" / "results"


def usual_ids() -> list[str]:
    return [name for name, entry in EXPERIMENTS.items() if not entry.takes_data]


def keep(report: Report, files: Path, took_s: float, commit: str) -> None:
    """Table and pictures of a run, and what is said of it, replace those of the run before."""
    FOLDER.mkdir(exist_ok=True)
    name = file_name(report.id)
    shutil.copyfile(files / f"{name}.csv", FOLDER / f"{name}.csv")
    pictures = [path for path in report.figures if path.suffix == ".png"]
    for picture in pictures:
        shutil.copyfile(picture, FOLDER / picture.name)
    said = {
        "id": report.id,
        "title": report.title,
        "date": time.strftime("%Y-%m-%d"),
        "commit": commit,
        "seconds": round(took_s),
        "pictures": [picture.name for picture in pictures],
        "remarks": report.remarks,
    }
    text = json.dumps(said, indent=1, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def commit_here() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return found.stdout.strip()


def main(ids: list[str]) -> None:
    commit = commit_here()
    for name in ids or usual_ids():
        began_s = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            files = Path(folder)
            report = run_experiment(name, out=files)
            took_s = time.monotonic() - began_s
            keep(report, files, took_s, commit)
        print(f"{name}: {len(report.rows)} rows, {took_s:.0f} s", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
