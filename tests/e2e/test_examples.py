"""The numbered examples run as they are printed, and say what they promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
# One line of each example that is wrong as soon as what it shows no longer holds.
PROMISES = {
    "01_price_of_a_visit.py": r"once a minute: never",
    "02_drive_a_world.py": (
        r"(?s)uniform .* True\n.*nutch-adaptive .* True\n.*known-rate .* "
        r"True\n$"
    ),
    "03_crawl_from_python.py": (
        r"(?s)run 2: 80 visits so far.* and 0 too early.*[1-9]\d* "
        r"pages speak of"
    ),
    "04_how_many_fetchers.py": (
        r"(?s)1 waiting, 20 at work, .* wake one more.*10,000 more "
        r"events .* 1\.0[01]\d of"
    ),
    "05_ephemeral_sources.py": (
        r"(?s)greedy +327\..*adaptive-whittle +33[67]\.\d+, 99\.\d% of "
        r"the bound"
    ),
    "06_unknown_change_rates.py": (
        r"(?s)htraa .* [345]\d\.\d% in the last.*posterior .* "
        r"9[89]\.\d% in the last"
    ),
    "07_a_polite_pace.py": (
        r"(?s) 2 to  60 s: 6\.\d+ .* 7, 0 refused.*60 to 600 s: 6\.\d+ .* "
        r"7, [1-9] refused"
    ),
    "08_fill_a_knapsack.py": r"(?s)each: 83\.\d%.*after 100,000 .* 99\.\d% of the best",
}


def test_examples_are_numbered_without_holes_and_each_has_a_promise() -> None:
    names = sorted(path.name for path in FOLDER.glob("*.py"))
    assert [name[:3] for name in names] == [
        f"{number:02}_" for number in range(1, len(names) + 1)
    ]
    assert names == sorted(PROMISES)


@pytest.mark.parametrize("name", PROMISES)
def test_example(name: str, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", str(FOLDER / name)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert re.search(PROMISES[name], run.stdout), run.stdout
    assert list(tmp_path.iterdir()) == []  # an example leaves nothing behind
