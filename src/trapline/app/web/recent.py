"""Figures that many ask for and that take a while: made once, and shared for a moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """
    >>> ticks = iter([0.0, 0.5, 2.0])
    >>> count = iter(range(9))
    >>> figure = Recent(lambda: next(count), 1.0, clock=lambda: next(ticks))
    >>> figure.get(), figure.get(), figure.get()
    (0, 0, 1)
    """

    def __init__(
        self,
        make: Callable[[], T],
        every_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._make = make
        self._every_s = every_s
        self._clock = clock
        self._lock = threading.Lock()  # whoever comes meanwhile waits for the same
        self._made: tuple[float, T] | None = None

    def get(self) -> T:
        """Not older than `every_s`; from any thread."""
        with self._lock:
            now_s = self._clock()
            if self._made is None or now_s >= self._made[0] + self._every_s:
                self._made = now_s, self._make()
            return self._made[1]
