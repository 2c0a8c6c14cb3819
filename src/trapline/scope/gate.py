"""The gate: which links are worth a number at all.

What is turned away here costs nothing afterwards.

A URL is turned away because it lies outside the scope, because a person said so, because it looks
like a trap, or because its like have yielded nothing for long (endless calendars). Each is asked
about once: who was let in stays in.

>>> gate = Gate(Scope(include=("/docs/*",)))
>>> [gate.admits(f"http://a.org/{path}") for path in ("docs/x", "x", "sitemap.xml")]
[True, False, True]
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from trapline.scope.scope import Scope
from trapline.scope.traps import LEAST, Patterns, trap_in

MOST_KNOWN: Final = 200_000  # URLs of which it is remembered that they were let in
# Lists of pages lead to what is in scope, wherever they lie on a host that is.
_LISTING: Final = re.compile(
    r"sitemap|\.xml(\.gz)?$|/feed/?$|\.(rss|atom)$", re.IGNORECASE
)


def _nothing(_: str) -> bool:
    return False


class Gate:
    def __init__(
        self, scope: Scope | None = None, barred: Callable[[str], bool] = _nothing
    ) -> None:
        """`barred(url)`: a person wants nothing of it."""
        self.patterns = Patterns()
        self._scope = scope or Scope()
        self._barred = barred
        self._known: set[int] = set()

    def admits(self, url: str) -> bool:
        """Whether a canonical URL that was found may get a number."""
        if self._barred(url):
            return False
        mark = hash(url)
        if mark in self._known:
            return True
        if (
            trap_in(url) is not None
            or not self._in_scope(url)
            or self.patterns.is_exhausted(url)
        ):
            return False
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known.add(mark)
        return True

    def allows_host(self, url: str) -> bool:
        """Whether anything on its host may lie in scope."""
        return self._scope.allows_host(url)

    def speaks(self, language: str) -> bool:
        return self._scope.speaks(language)

    def note_visit(self, url: str, relevance: float, *, fresh: bool) -> None:
        """A page was read for the first time; `fresh`: it says something that no other page had
        said.

        A fresh text off the topic is a small yield too: what is rare on a site must not look like a
        trap.
        """
        self.patterns.note(url, max(relevance, LEAST) if fresh else 0.0)

    def _in_scope(self, url: str) -> bool:
        return self._scope.allows(url) or (
            _LISTING.search(url) is not None and self._scope.allows_host(url)
        )
