"""A circuit breaker: an engine that fails again and again is left alone for a while.

After some failures in a row it opens. When its time is over, one question is let through as a
probe: an answer closes it, a failure opens it for twice as long.

>>> breaker = CircuitBreaker(failures=2, open_s=10.0)
>>> breaker.note_failure(0.0, "hung up")
>>> breaker.may_ask(1.0)
True
>>> breaker.note_failure(1.0, "hung up")
>>> breaker.may_ask(2.0), breaker.reason
(False, 'hung up')
>>> breaker.may_ask(11.0), breaker.may_ask(11.0)  # a probe, and only one
(True, False)
>>> breaker.note_answer()
>>> breaker.may_ask(12.0), breaker.state
(True, <State.CLOSED: 'closed'>)
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

FAILURES: Final = 3
OPEN_S: Final = 5.0
MOST_OPEN_S: Final = 300.0
_PROBE_S: Final = 10.0  # a probe of which nothing was heard is given up


class State(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    PROBING = "probing"


class CircuitBreaker:
    def __init__(self, failures: int = FAILURES, open_s: float = OPEN_S) -> None:
        self.state = State.CLOSED
        self.reason = ""  # of the last failure
        self._most = failures
        self._first_open_s = open_s
        self._failures = 0
        self._open_s = open_s
        self._until_s = 0.0

    def may_ask(self, now_s: float) -> bool:
        """Whoever hears yes must ask, and tell what came of it."""
        if self.state is State.CLOSED:
            return True
        if now_s < self._until_s:
            return False
        self.state = State.PROBING
        self._until_s = now_s + _PROBE_S
        return True

    def note_answer(self) -> None:
        self.state = State.CLOSED
        self.reason = ""
        self._failures = 0
        self._open_s = self._first_open_s

    def note_failure(self, now_s: float, reason: str) -> None:
        self.reason = reason
        self._failures += 1
        if self.state is State.PROBING:
            self._open_s = min(2.0 * self._open_s, MOST_OPEN_S)
        if self.state is State.PROBING or self._failures >= self._most:
            self.state = State.OPEN
            self._until_s = now_s + self._open_s

    def seconds_left(self, now_s: float) -> float:
        """Until it is asked again."""
        return 0.0 if self.state is State.CLOSED else max(0.0, self._until_s - now_s)
