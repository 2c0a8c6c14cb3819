"""Which lines of the log are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from trapline.core.errors import UserMistake
from trapline.core.spans import read_span

_BAD: Final = ("failed", "gone", "skipped")

Matches = Callable[[dict[str, Any]], bool]


def since_s(said: str, now_s: float) -> float:
    """From when on, by the wall clock: so long ago, or a local date and time.

    >>> since_s("10min", 1000.0), since_s("1970-01-02T00:00:00+00:00", 0.0)
    (400.0, 86400.0)
    """
    if (age_s := read_span(said)) is not None:
        return now_s - age_s
    try:
        return datetime.fromisoformat(said.strip()).timestamp()
    except (ValueError, OverflowError):
        raise UserMistake(
            f"--since is {said[:40]!r}: say how long ago (10min, 2h, 1d) "
            "or a time like 2026-01-31T18:00"
        ) from None


def status_test(said: str) -> Matches:
    """Lines of visits with a status: 404, a class like 4xx, or `error` for all that went wrong.

    >>> [status_test(word)({"status": 404, "outcome": "gone"}) for word in ("404", "5xx", "error")]
    [True, False, True]
    """
    word = said.strip().lower()
    if word == "error":
        return is_error
    if re.fullmatch(r"[1-5]xx", word):
        return lambda line: int(line.get("status") or 0) // 100 == int(word[0])
    if re.fullmatch(r"[1-5]\d\d|0", word):
        return lambda line: "status" in line and line["status"] == int(word)
    raise UserMistake(
        f"--status is {said[:40]!r}: give a status like 404, a class like 4xx, or error"
    )


def is_error(line: dict[str, Any]) -> bool:
    """Whether a visit came to nothing: no answer, a status of 400 and more, nothing to read."""
    return line.get("outcome") in _BAD or int(line.get("status") or 0) >= 400


@dataclass(frozen=True, slots=True)
class LogFilter:
    host: str = ""  # name, or name:port; "" = all
    status: Matches | None = None
    since_s: float = 0.0

    def admits(self, line: dict[str, Any]) -> bool:
        """Remarks, starts and ends belong to no host and have no status.

        >>> LogFilter(host="a.org").admits({"host": "a.org:80", "time_s": 1.0})
        True
        """
        if line.get("time_s", 0.0) < self.since_s:
            return False
        host = str(line.get("host", ""))
        if self.host and self.host not in (host, host.rpartition(":")[0]):
            return False
        return self.status is None or self.status(line)
