"""Coverage: how many of an engine's pages have so much of the query as the ten best will have.

Taily asks for pages with all words; of a long query hardly any page has them. Here a page's score
is the share of the query that it has, by rarity, which is most of what the search ranks by. Its
distribution in an engine is the convolution over the words, taken as independent. The threshold is
where all engines together have `wanted` pages above it, as in Taily. (Words that are asked together
stand together more often than chance has it; an exponent for that, .3 to .7, only did harm.)
"""

from __future__ import annotations

from typing import Final

import numpy as np

from trapline.oasis.federation import Federation, WordStatistics
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.selector import Floats

_STEPS: Final = 50  # of the share of a query
_WANTED: Final = 10.0


class Coverage:
    def score(self, query: QueryKeys, federation: Federation) -> Floats:
        return covering_pages(federation.look_up(query), federation.pages)


def covering_pages(
    words: WordStatistics, pages: Floats, wanted: float = _WANTED
) -> Floats:
    """Pages above the threshold, by engine.

    >>> none = np.zeros((2, 2))
    >>> words = WordStatistics(np.ones(2), np.array([[9.0, 90.0], [9.0, 0.0]]), none, none)
    >>> covering_pages(words, np.array([100.0, 100.0]), wanted=0.5).round(2)
    array([0.5, 0. ])
    """
    having = 1.0 - np.cumsum(_distribution(words, pages), axis=1)
    above = (
        np.maximum(having, 0.0) * pages[:, None]
    )  # step s: pages with more than s steps
    total = above.sum(axis=0)
    step = int(np.searchsorted(-total, -wanted))
    if step == 0 or step > _STEPS:
        return above[:, 0]
    lower, upper = total[step - 1], total[step]
    share = (wanted - upper) / max(lower - upper, 1e-300)
    found: Floats = share * above[:, step - 1] + (1.0 - share) * above[:, step]
    return found


def _distribution(words: WordStatistics, pages: Floats) -> Floats:
    """Of the share of the query that a page has: a row an engine, a column a step."""
    found = np.zeros((len(pages), _STEPS + 1))
    found[:, 0] = 1.0
    total = float(words.rarity.sum()) or 1.0
    chances = np.minimum(words.documents / np.maximum(pages, 1.0), 1.0)
    for rarity, chance in zip(words.rarity, chances, strict=True):
        steps = max(1, round(_STEPS * rarity / total))
        moved = chance[:, None] * found
        found -= moved
        found[:, steps:] += moved[:, : _STEPS + 1 - steps]
        found[:, -1] += moved[:, _STEPS + 1 - steps :].sum(axis=1)
    return found
