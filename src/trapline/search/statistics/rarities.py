"""How rare the words of a query are, told with the query, so that engines score alike.

Each engine by itself takes its own favourite word for common. Whoever asks several of them sums
their statistics and sends one rarity a stem; scores can be compared then.

>>> told = (Rarity("en", "vacuum", 7.314), Rarity("de", "index", 2.1))
>>> write_rarities(told)
'en:vacuum:7.314,de:index:2.1'
>>> read_rarities(write_rarities(told)) == told
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from trapline.core.errors import BadQuery

LONGEST: Final = 16_000  # characters of a written list
_LARGEST: Final = 50.0  # no word of any collection is rarer


class Rarity(NamedTuple):
    tongue: str
    stem: str
    rarity: float


Rarities = tuple[Rarity, ...]


def write_rarities(rarities: Iterable[Rarity]) -> str:
    return ",".join(f"{r.tongue}:{r.stem}:{round(r.rarity, 4):g}" for r in rarities)


def read_rarities(text: str) -> Rarities:
    """BadQuery if it is no such list."""
    if len(text) > LONGEST:
        raise BadQuery(
            text[:40] + "…", f"its rarities are longer than {LONGEST} characters"
        )
    return tuple(_read_one(part) for part in text.split(",") if part)


def _read_one(part: str) -> Rarity:
    tongue, _, rest = part.partition(":")
    stem, _, number = rest.rpartition(":")
    try:
        rarity = float(number)
    except ValueError:
        rarity = math.nan
    if not (tongue and stem and 0.0 <= rarity <= _LARGEST):
        raise BadQuery(
            part[:40], "rarities are written like en:vacuum:7.31,en:table:2.1"
        )
    return Rarity(tongue, stem, rarity)
