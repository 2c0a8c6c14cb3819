"""pip's work, seen: one line a package instead of silence or a flood.

Used by the Makefile: `.venv/bin/python tools/install_packages.py ARGUMENTS of pip install`. All
that pip says goes to pip.log in the environment; its end is shown when pip fails. Only the standard
library is there yet.
"""

from __future__ import annotations

import re
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TextIO

_COLLECTED: Final = re.compile(r"Collecting ([\w.-]+)")
_INSTALLING: Final = re.compile(r"Installing collected packages: (.+)")
_LOOK_S: Final = 0.5  # between looks at what is installed
_LAST_LINES: Final = 15


class Progress:
    """A line that moves on a terminal, a line a package elsewhere."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._moves = out.isatty()

    def show(self, text: str) -> None:
        if self._moves:
            self._out.write(f"\r\x1b[K{text}")
        else:
            self._out.write(f"{text}\n")
        self._out.flush()

    def end(self, text: str) -> None:
        self.show(text)
        if self._moves:
            self._out.write("\n")


def installed(site: Path) -> set[str]:
    """Names of the packages that are there.

    pip writes them one after another, and the folder of this name as the last of each.
    """
    return {path.name.partition("-")[0].lower() for path in site.glob("*.dist-info")}


def follow_installing(names: list[str], site: Path, progress: Progress) -> None:
    """Tell of each package that pip has put there, until it has put all."""
    wanted = {re.sub(r"[-.]", "_", name).lower() for name in names}
    told: set[str] = set()
    while told < wanted:
        for name in sorted((installed(site) & wanted) - told):
            told.add(name)
            progress.show(f"installing packages: {len(told)} of {len(wanted)} ({name})")
        time.sleep(_LOOK_S)


def follow_pip(said: Iterable[str], log: TextIO, progress: Progress) -> None:
    collected = 0
    for line in said:
        log.write(line)
        if found := _COLLECTED.match(line):
            collected += 1
            progress.show(f"collecting packages: {collected} ({found[1]})")
        elif found := _INSTALLING.match(line):
            names = found[1].split(", ")
            site = Path(sysconfig.get_path("purelib"))
            watch = (names, site, progress)
            threading.Thread(target=follow_installing, args=watch, daemon=True).start()


def main(arguments: list[str]) -> int:
    progress = Progress(sys.stderr)
    progress.show("installing packages: pip is looking for them")
    began_s = time.monotonic()
    command = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    place = Path(sys.prefix) / "pip.log"
    with (
        place.open("w", encoding="utf-8") as log,
        subprocess.Popen(
            [*command, "--progress-bar", "off", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as pip,
    ):
        follow_pip(pip.stdout or (), log, progress)
    if pip.returncode:
        last = place.read_text(encoding="utf-8").splitlines()[-_LAST_LINES:]
        progress.end("\n".join([*last, f"pip failed; all that it said: {place}"]))
    else:
        progress.end(f"packages are installed, in {time.monotonic() - began_s:.0f} s")
    return pip.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
