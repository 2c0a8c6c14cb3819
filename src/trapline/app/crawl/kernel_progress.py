"""What is said while kernels are compiled, which happens once and takes about a minute.

On a terminal a line that moves; elsewhere one line that says how long it will take. Nothing is
said of kernels that come from the cache. `python -m trapline.app.crawl.kernel_progress` compiles
all kernels there are, and is what `make install` runs.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from numba.core import event
from rich.status import Status

from trapline.app.output.terminal import Terminal

# Counted with nothing in the cache. More or fewer only make the time that is told less exact.
LIVE: Final = 357
ALL_LIVE: Final = 381  # with those of policies that few robots use
LABORATORY: Final = 175  # beside them
# Fewer are compiled in the time that it takes to say so.
_NEWS: Final = 24
# The first ones are the smallest: of n, k take (k/n) to this power of the time.
_GROWTH: Final = 1.3


@contextmanager
def compiling_shown(expected: int = LIVE, quiet: bool = False) -> Iterator[None]:
    """Tell of each kernel that is compiled meanwhile, of about so many; `quiet` of none."""
    if quiet:
        yield
        return
    console = Terminal(stderr=True)
    shown = _MovingLine(expected, console) if console.is_terminal else _Line(expected)
    with event.install_listener("numba:compile", shown):
        try:
            yield
        finally:
            shown.close()


class _Line(event.Listener):  # type: ignore[misc]  # numba tells no types
    """One line, as soon as the first kernels tell how fast this machine is."""

    def __init__(self, expected: int) -> None:
        self._expected = expected
        self._began_s = 0.0
        self._worked_s = 0.0  # time of the processor when it began
        self._done = 0

    def on_start(self, event: Any) -> None:
        """Nothing is said before the first is done."""

    def on_end(self, event: Any) -> None:
        if not self._done:  # the compiler itself is loaded with the first kernel
            self._began_s = time.monotonic()
            self._worked_s = time.process_time()
        self._done += 1
        self._expected = max(self._expected, self._done)
        self._tell(event.data["dispatcher"].py_func.__name__)

    def _tell(self, name: str) -> None:
        if self._done == _NEWS:
            # Other programs slow some kernels down and others not.
            worked_s = time.process_time() - self._worked_s
            whole_s = worked_s + time_left(self._done, self._expected, worked_s)
            print(
                f"compiling kernels once, about {whole_s:.0f} s of this machine's processor: "
                f"{self._expected} of them; later starts find them compiled",
                file=sys.stderr,
                flush=True,
            )

    def close(self) -> None:
        if self._done >= _NEWS:
            seconds = self._passed_s()
            print(f"kernels compiled in {seconds:.0f} s", file=sys.stderr, flush=True)

    def _passed_s(self) -> float:
        return time.monotonic() - self._began_s


class _MovingLine(_Line):
    def __init__(self, expected: int, console: Terminal) -> None:
        super().__init__(expected)
        self._status = Status("compiling kernels once", console=console)

    def _tell(self, name: str) -> None:
        self._status.start()
        left_s = time_left(self._done, self._expected, self._passed_s())
        left = f", about {left_s:.0f} s left" if self._done >= _NEWS else ""
        self._status.update(
            f"compiling kernels once: {self._done} of about {self._expected}{left} ({name})"
        )

    def close(self) -> None:
        self._status.stop()


def time_left(done: int, expected: int, passed_s: float) -> float:
    """Estimated from the kernels that are done.

    >>> round(time_left(done=24, expected=357, passed_s=1.6))
    52
    >>> time_left(done=357, expected=357, passed_s=50.0)
    0.0
    """
    return passed_s * (math.pow(expected / done, _GROWTH) - 1.0)


def _compile_all() -> None:
    from trapline.laboratory.warm_up import warm_laboratory
    from trapline.live.warm_up import warm_all_live

    with compiling_shown(ALL_LIVE):
        warm_all_live()
    with compiling_shown(LABORATORY):
        warm_laboratory()


if __name__ == "__main__":
    _compile_all()
