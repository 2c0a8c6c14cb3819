"""The clock by which leases end on one machine: nobody can set it, and it begins anew with each
start of the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

# Goes on while the machine sleeps.
_UNSTOPPED: Final = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class MachineClock:
    boot: str  # a name for the time since the machine was started
    seconds: Callable[[], float]  # comparable within one boot only
    wall_s: Callable[[], float]  # for ages that people read; nothing hangs on them


def this_machine() -> MachineClock:
    return MachineClock(_name_boot(), _count_seconds, time.time)


def _count_seconds() -> float:
    return time.clock_gettime(_UNSTOPPED)


def _name_boot() -> str:
    try:
        return _BOOT.read_text().strip()
    except OSError:
        # Off Linux: the same for all processes, unless the clock is set, which ends all leases.
        return f"since {(time.time() - _count_seconds()) // 60:.0f}"
