"""Which piece of a text is worth showing: a window over the places of a query's words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, NamedTuple

_AGAIN: Final = 0.02  # what a word is worth that was met before


class Place(NamedTuple):
    """Where a word of the query stands."""

    start: int
    end: int
    stem: str


def best_window(
    places: list[Place], rarity: Mapping[str, float], length: int
) -> list[Place]:
    """Of places in order, those that stand within a length and are worth most together.

    >>> places = [Place(0, 4, "moon"), Place(90, 94, "mars"), Place(95, 99, "moon")]
    >>> [place.start for place in best_window(places, {"moon": 1.0, "mars": 2.0}, 50)]
    [90, 95]
    """
    best, best_worth = (0, 1), 0.0
    window = _Window(places, rarity)
    first = 0
    for last, place in enumerate(places):
        window.enter(last)
        while first < last and place.end - places[first].start > length:
            window.leave(first)
            first += 1
        if window.worth > best_worth + 1e-9:
            best, best_worth = (first, last + 1), window.worth
    return places[slice(*best)]


class _Window:
    """What some places in a row are worth: each word once, a little for being met again, and
    something for different words side by side.
    """

    def __init__(self, places: list[Place], rarity: Mapping[str, float]) -> None:
        self._places = places
        self._rarity = rarity
        self._counts: Counter[str] = Counter()
        self._pairs: Counter[tuple[str, str]] = Counter()
        self.worth = 0.0

    def enter(self, number: int) -> None:
        stem = self._places[number].stem
        self._counts[stem] += 1
        self.worth += _AGAIN + (self._counts[stem] == 1) * self._rarity[stem]
        if pair := self._pair(number):
            self._pairs[pair] += 1
            self.worth += (self._pairs[pair] == 1) * self._side_by_side(pair)

    def leave(self, number: int) -> None:
        stem = self._places[number].stem
        self._counts[stem] -= 1
        self.worth -= _AGAIN + (self._counts[stem] == 0) * self._rarity[stem]
        if pair := self._pair(number + 1):
            self._pairs[pair] -= 1
            self.worth -= (self._pairs[pair] == 0) * self._side_by_side(pair)

    def _pair(self, number: int) -> tuple[str, str] | None:
        """A word and the one right before it."""
        if number == 0 or number == len(self._places):
            return None
        before, place = self._places[number - 1], self._places[number]
        near = place.start - before.end <= 2
        return (before.stem, place.stem) if near and before.stem != place.stem else None

    def _side_by_side(self, pair: tuple[str, str]) -> float:
        return 0.5 * min(self._rarity[stem] for stem in pair)
