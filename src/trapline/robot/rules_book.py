"""The rules of all hosts: compiled, and of those that are asked for lately only.

Together they take at most `MOST_BYTES`. What was let go is loaded again when it is needed.

>>> book = RulesBook(load=lambda host: Robots("User-agent: *\\nDisallow: /a", 9.0))
>>> book.judge(0, "http://a.org/a").allowed, book.judge(0, "http://a.org/b").allowed
(False, True)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from trapline.core.records import Judgement, Robots
from trapline.politeness.rules import Rules, rules_of

MOST_BYTES: Final = 32 * 1024 * 1024
SMALLEST: Final = 1_000  # bytes that rules take at least, as Python objects

_CLOSED: Final = Rules.from_text("User-agent: *\nDisallow: /")

Load = Callable[[int], Robots | None]


def _rules_or_closed(robots: Robots | None) -> Rules:
    """Fail closed: also where nobody knows the rules any more."""
    return _CLOSED if robots is None or robots.text is None else rules_of(robots)


def _nothing_known(_: int) -> None:
    return None


class RulesBook:
    """`load(host)` tells what is known of a robots.txt that was noted earlier."""

    def __init__(
        self, load: Load = _nothing_known, most_bytes: int = MOST_BYTES
    ) -> None:
        self._load = load
        self._most_bytes = most_bytes
        self._rules: dict[int, Rules] = {}  # the one asked for last is last
        self._bytes = 0

    @property
    def nbytes(self) -> int:
        return self._bytes

    def put(self, host: int, robots: Robots) -> None:
        self.drop(host)
        self._keep(host, _rules_or_closed(robots))

    def drop(self, host: int) -> None:
        """What is kept of a host is not true any more."""
        rules = self._rules.pop(host, None)
        if rules is not None:
            self._bytes -= SMALLEST + rules.nbytes

    def judge(self, host: int, url: str) -> Judgement:
        """Whether a host's rules allow a canonical URL there."""
        rules = self._rules.pop(host, None)
        if rules is not None:
            self._rules[host] = rules
            return rules.judge(url)
        robots = self._load(host)
        rules = _rules_or_closed(robots)
        self._keep(host, rules)
        return rules.judge(url)

    def _keep(self, host: int, rules: Rules) -> None:
        self._rules[host] = rules
        self._bytes += SMALLEST + rules.nbytes
        while self._bytes > self._most_bytes and len(self._rules) > 1:
            self.drop(next(iter(self._rules)))
