"""Does anything get lost when the robot is killed? Run by `make bench`; `--kills N`, `--seed S` for
the same instants, `--idle` without the load.

A robot crawls a living web of 100 pages on loopback and is killed with SIGKILL at a random instant:
while it starts, at its first visits, anywhere, in a commit, in a checkpoint, in an index commit.
The next robot goes on in the same folder. Meanwhile a busy loop runs on each processor, as on a
machine that has other things to do. After each kill the folder is judged
(tests/e2e/support/killing.py says how). Exit code 1 if anything was lost, doubled or late.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e.support.killing import OLD_S, Killing, Tally

# It ends with whoever started it, however that ends.
_BUSY: Final = "import os\nours = os.getppid()\nwhile os.getppid() == ours: pass"


@contextmanager
def busy_processors(processors: int) -> Iterator[None]:
    """A busy loop on each."""
    command = [sys.executable, "-c", _BUSY]
    loops = [subprocess.Popen(command) for _ in range(processors)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--idle", action="store_true")
    wishes = parser.parse_args()
    console = Console()
    processors = 0 if wishes.idle else os.cpu_count() or 1
    print(
        f"{wishes.kills} kills beside {processors} busy loops, --seed {wishes.seed}",
        flush=True,
    )
    with (
        tempfile.TemporaryDirectory() as place,
        busy_processors(processors),
        Killing(Path(place), wishes.seed) as killing,
    ):
        with console.status("killing") as shown:
            for kill in range(wishes.kills):
                killing.kill_one()
                said = (
                    f"{kill + 1} of {wishes.kills} kills, {len(killing.tally.wrong())} "
                    "violations"
                )
                shown.update(said)
                if not console.is_terminal and (kill + 1) % 10 == 0:
                    print(said, flush=True)
        print_tally(killing.tally, killing.web.requests(), console)
    sys.exit(1 if killing.tally.wrong() else 0)


def print_tally(tally: Tally, requests: int, console: Console) -> None:
    table = Table("property", "violations", title=f"after each of {tally.kills} kills")
    for name, found in tally.violations.items():
        table.add_row(name, str(len(found)))
    console.print(table)
    print(
        "instants:",
        ", ".join(f"{name} {times}" for name, times in sorted(tally.instants.items())),
    )
    ages_s = sorted(tally.ages_s)
    if ages_s:
        print(
            f"{requests} requests, {tally.lost} of them lost by kills; the oldest answer lost: "
            f"median {ages_s[len(ages_s) // 2]:.2f} s, worst {ages_s[-1]:.2f} s before the kill"
        )
        late = sum(age_s > OLD_S for age_s in ages_s)
        print(
            f"learnt state older than {OLD_S:.0f} s after {late} of {len(ages_s)} kills"
        )
    for line in tally.wrong():
        print(line)


if __name__ == "__main__":
    main()
