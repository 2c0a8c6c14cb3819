"""A part of an index: the pages whose URLs have one hash.

By URL and not by host, so that every part has its share of every host and of every word: its
statistics are nearly those of the whole.

>>> part = read_part("2/4")
>>> part.number, part.parts, str(part), part.folder_name
(2, 4, '2/4', 'index-2-of-4')
>>> urls = [f"http://a.example/{n}" for n in range(1000)]
>>> [sum(map(IndexPart(n, 4).holds, urls)) for n in (1, 2, 3, 4)]
[253, 248, 236, 263]
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from xxhash import xxh3_64_intdigest

from trapline.core.errors import UserMistake

MOST: Final = 1000  # parts
_WRITTEN: Final = re.compile(r"(\d{1,4})/(\d{1,4})", re.ASCII)


class IndexPart(NamedTuple):
    """One of `parts`; numbers begin at 1."""

    number: int
    parts: int

    def holds(self, url: str) -> bool:
        if self.parts == 1:
            return True
        hashed = xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))
        return hashed % self.parts == self.number - 1

    @property
    def folder_name(self) -> str:
        """Where its index lies in the folder of an engine."""
        return f"index-{self.number}-of-{self.parts}"

    def __str__(self) -> str:
        return f"{self.number}/{self.parts}"


WHOLE: Final = IndexPart(1, 1)


def read_part(said: str) -> IndexPart:
    """UserMistake if it is none.

    >>> read_part("5/4")
    Traceback (most recent call last):
    trapline.core.errors.UserMistake: there is no part 5/4: write 2/4 for the second of four
    """
    written = _WRITTEN.fullmatch(said.strip())
    part = IndexPart(int(written[1]), int(written[2])) if written else None
    if part is None or not 1 <= part.number <= part.parts <= MOST:
        raise UserMistake(
            f"there is no part {said[:40]}: write 2/4 for the second of four"
        )
    return part
