"""Where listed pages have moved: a note in the store, for all who are asked for the old address."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from trapline.core.storage import Store

NOTE: Final = "moved"

Moves = dict[str, tuple[str, int]]  # URL → (target, status)


def moves_of(store: Store) -> Moves:
    found = json.loads(store.note(NOTE) or "{}")
    return {url: (target, status) for url, (target, status) in found.items()}


def place_of(moves: Mapping[str, tuple[str, int]], url: str) -> str:
    """Where redirects from `url` end; in a circle, somewhere in it.

    >>> place_of({"a": ("b", 301), "b": ("c", 302)}, "a"), place_of({}, "a")
    ('c', 'a')
    """
    met = {url}
    while url in moves and moves[url][0] not in met:
        url = moves[url][0]
        met.add(url)
    return url
