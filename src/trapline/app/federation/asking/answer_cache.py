"""Answers that were just given: few, and not for long.

>>> cache = AnswerCache[str](most=2)
>>> cache.put("a", "answer", until_s=10.0)
>>> cache.get("a", now_s=9.0), cache.get("a", now_s=10.0)
('answer', None)
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

WHOLE_S: Final = 30.0
# somebody was missing: they may be back in a moment
TORN_S: Final = 2.0

T = TypeVar("T")


class AnswerCache(Generic[T]):
    def __init__(self, most: int = 500) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[float, T]] = OrderedDict()

    def get(self, key: Hashable, now_s: float) -> T | None:
        until_s, answer = self._kept.get(key, (0.0, None))
        if now_s >= until_s:
            self._kept.pop(key, None)
            return None
        self._kept.move_to_end(key)
        return answer

    def put(
        self,
        key: Hashable,
        answer: T,
        until_s: float,
    ) -> None:
        self._kept[key] = until_s, answer
        self._kept.move_to_end(key)
        while len(self._kept) > self._most:
            self._kept.popitem(last=False)
