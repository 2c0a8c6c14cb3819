"""Seconds of processor that processes have used, as Linux counts them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def processor_s(pid: int) -> float:
    """Of one process, with the children that it has waited for; 0 if there is none."""
    try:
        said = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return 0.0
    fields = said.rpartition(")")[2].split()
    return float(sum(map(int, fields[11:15]))) / _TICKS


def descendants(pid: int) -> list[int]:
    """Those of a process that run now."""
    found: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found += [child, *descendants(child)]
    except OSError:
        pass  # it has ended
    return found


def tree_s(pid: int) -> float:
    """Of a process and all that it has started."""
    return processor_s(pid) + sum(map(processor_s, descendants(pid)))
