"""What the user allows: which URLs get a number, which pages are kept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


def _always(_: str) -> bool:
    return True


def _never(_: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class PageRules:
    """Three questions about a URL or a language; without an answer everything is allowed."""

    # a document in a language that is not spoken here is not kept
    speaks: Callable[[str], bool] = _always
    # a link that is not in scope gets no number, wherever it is found
    in_scope: Callable[[str], bool] = _always
    # an answer whose URL was barred while it was fetched is not read
    barred: Callable[[str], bool] = _never
