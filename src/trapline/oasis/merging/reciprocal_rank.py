"""Engines whose scores mean nothing to others: by rank, weighted by what they were worth.

The hits that can be compared are one list, of weight 1; every other engine is a list of its own
worth. The first of a stranger of worth ½ comes fourth, its second sixth: it has its share of the
places, and no score that it claims can push out what comes before. What several tell adds up
(Cormack, Clarke, Büttcher 2009: reciprocal rank fusion).

>>> [place_of(rank, worth=0.5) for rank in (1, 2, 3)]
[4.0, 6.0, 8.0]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trapline.oasis.merging.comparable import by_score
from trapline.oasis.merging.folding import Folded

# ranks before the first; the 60 of large lists would put all strangers behind everything
_BEFORE: Final = 2.0
# what a stranger may be worth: it is heard, and never as much as all who can be compared
_LEAST: Final = 0.2
_MOST: Final = 0.8
_KEPT: Final = 0.98  # by each answer


def place_of(rank: int, worth: float) -> float:
    """Where in the list of those that can be compared a rank of a stranger belongs."""
    return (_BEFORE + rank) / worth - _BEFORE


def next_worth(worth: float, agreed: float) -> float:
    """The worth of a stranger after one more answer, of which others have told a share, too.

    >>> round(next_worth(0.5, agreed=1.0), 3), round(next_worth(0.5, agreed=0.0), 3)
    (0.506, 0.494)
    """
    return _KEPT * worth + (1.0 - _KEPT) * (_LEAST + (_MOST - _LEAST) * agreed)


def order_pages(pages: Sequence[Folded]) -> list[Folded]:
    """Both kinds in one list, best first."""
    compared = by_score(pages)
    values = {
        page.telling.hit.url: _value(place, 1.0)
        for place, page in enumerate(compared, 1)
    }
    for page in pages:
        url = page.telling.hit.url
        values[url] = values.get(url, 0.0) + _strangers_value(page)
    # of equals the one that can be compared is first
    places = {page.telling.hit.url: place for place, page in enumerate(compared)}
    last = len(places)

    def key(page: Folded) -> tuple[float, int]:
        url = page.telling.hit.url
        return -values[url], places.get(url, last)

    return sorted(pages, key=key)


def _strangers_value(page: Folded) -> float:
    strangers = {
        telling.answer.engine: telling
        for telling in reversed(page.believed)
        if not telling.answer.comparable and not telling.answer.is_own
    }
    return sum(_value(t.rank, t.answer.worth) for t in strangers.values())


def _value(rank: int, worth: float) -> float:
    return max(0.0, min(worth, 1.0)) / (_BEFORE + rank)
