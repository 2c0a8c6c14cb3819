"""fixed: always the same number of fetchers, as Heritrix (25), ACHE (100) and StormCrawler (10)
have it.

>>> Fixed(most=8, capacity=64).level, Fixed(most=8, capacity=64, count=3).level
(8, 3)
"""

from __future__ import annotations

from trapline.policies.fetchers.level_policy import LevelPolicy


class Fixed(LevelPolicy):
    def __init__(self, most: int, capacity: int, count: int | None = None) -> None:
        super().__init__(most, capacity, most if count is None else count)
