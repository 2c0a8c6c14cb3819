"""Engines that go by the name of another one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


def find_same_names(names: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Keys of engines whose name another one has, too; given are key and name of each.

    >>> sorted(find_same_names([("a", "moon"), ("b", "Moon "), ("c", "sun")]))
    ['a', 'b']
    """
    keys = defaultdict(list)
    for key, name in names:
        keys[name.strip().casefold()].append(key)
    return frozenset(key for same in keys.values() if len(same) > 1 for key in same)
