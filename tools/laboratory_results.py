"""Run the experiments whose tables ship with the package, and write them down.

`python tools/laboratory_results.py [ID …]`: all of them take about twenty minutes. The page
/laboratory shows the files; a test runs the fast ones again and compares.
"""

from __future__ import annotations

import json
import sys

from trapline.laboratory.results.shipped import FOLDER, SHIPPED, as_text
from trapline.laboratory.study.registry import run_experiment
from trapline.laboratory.study.report import file_name


def main(ids: list[str]) -> None:
    for name in ids or SHIPPED:
        report = run_experiment(name)
        path = FOLDER / f"{file_name(name)}.json"
        path.write_text(as_text(report), encoding="utf-8")
        print(f"{name}: {len(json.loads(path.read_text())['rows'])} rows in {path}")


if __name__ == "__main__":
    main(sys.argv[1:])
