"""What the user allows and wants: which URLs get a number, which pages are kept, what is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from trapline.reading.rules.reading_rules import NO_RULES, ReadingRules


def _always(_: str) -> bool:
    return True


def _never(_: str) -> bool:
    return False


def _no_rules(_: str) -> ReadingRules:
    return NO_RULES


@dataclass(frozen=True, slots=True)
class PageRules:
    """Questions about a URL or a language; without an answer everything is allowed and read."""

    # a document in a language that is not spoken here is not kept
    speaks: Callable[[str], bool] = _always
    # a link that is not in scope gets no number, wherever it is found
    in_scope: Callable[[str], bool] = _always
    # an answer whose URL was barred while it was fetched is not read
    barred: Callable[[str], bool] = _never
    # which parts of a page count, and what is picked out of it
    reading: Callable[[str], ReadingRules] = _no_rules
    # a link in scope that is for another shard to follow; None = there are no others
    elsewhere: Callable[[str], bool] | None = None

    def is_ours(self, url: str) -> bool:
        """In scope, and for nobody else to follow."""
        theirs = self.elsewhere is not None and self.elsewhere(url)
        return not theirs and self.in_scope(url)
