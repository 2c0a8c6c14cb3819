"""Every bench starts, by itself: what it imports is there, and `--help` says what it measures."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.e2e.support.command import ran

ROOT = Path(__file__).parents[2]
# As `python bench/x.py` does: beside it is its own folder, and not the one above.
PROGRAM = """
import runpy, sys
from pathlib import Path
sys.argv = sys.argv[1:]
bench = Path(sys.argv[0])
above = ("", str(bench.parents[1]))
sys.path = [str(bench.parent), *(place for place in sys.path if place not in above)]
runpy.run_path(str(bench), run_name="__main__")
"""
# parts of others, that run in processes of their own
PARTS = {"broker_engines", "shards_web", "speed_crawlers", "speed_hosts", "speed_sites"}
MAINS = [
    path
    for path in sorted((ROOT / "bench").glob("*.py"))
    if "__main__" in path.read_text(encoding="utf-8") and path.stem not in PARTS
]


@pytest.mark.parametrize("bench", MAINS, ids=lambda bench: bench.stem)
def test_a_bench_says_what_it_takes(bench: Path) -> None:
    done = ran(PROGRAM, bench, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"usage: {bench.name}")


def test_a_learnt_watch_sees_changes_earlier_than_fixed_intervals() -> None:
    done = ran(PROGRAM, ROOT / "bench/watch.py", "--quick")
    assert (done.returncode, done.stderr) == (0, "")
    rows = dict(
        re.findall(r"^(auto|changedetection\.io|urlwatch) +([\d.]+)", done.stdout, re.M)
    )
    assert float(rows["auto"]) < 0.8 * float(rows["changedetection.io"])
    assert float(rows["auto"]) < 0.8 * float(rows["urlwatch"])
    kept = re.findall(r"([\d.]+)% +(\d+)$", done.stdout, re.M)
    assert len(kept) == 3, "visits by budget, and hurried hosts"
    assert all(float(visits) <= 100.0 and hurried == "0" for visits, hurried in kept)
