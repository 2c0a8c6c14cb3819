"""Queries that went by: one that comes round again is not asked on.

>>> seen = QueryIds(most=2)
>>> [seen.is_new(name) for name in ("a", "b", "a", "c", "b", "a")]
[True, True, False, True, False, True]
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Final

MOST_HOPS: Final = 1  # a broker that is asked by a broker answers from its own index


def new_query_id() -> str:
    """Says nothing of who asks: it is another one for each question."""
    return secrets.token_hex(8)


class QueryIds:
    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._seen: OrderedDict[str, None] = OrderedDict()

    def is_new(self, query_id: str) -> bool:
        """Also takes note of it."""
        if query_id in self._seen:
            return False
        self._seen[query_id] = None
        if len(self._seen) > self._most:
            self._seen.popitem(last=False)
        return True
