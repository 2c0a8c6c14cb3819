"""Places of a site's pages that are another at every visit: teasers, quotes, advertisements.

A place (reading/identity/differing_places.py) that changed in each of the last visits to pages
that have it is noise, and a page that differs only there has not changed. It is learnt for the
whole host: a page that is visited a second time profits from what the others taught.

When in doubt, a change is a change. So a place is never noise where it may be the main content: a
large part of the page, or on a page with few words besides; where only numbers change, because
they may be what the page is for (a price, a level); where it has signs of money, shares or
versions; and never the title.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from trapline.core.ports import Arrays
from trapline.reading.identity.differing_places import (
    Difference,
    Place,
    find_differences,
    places_in,
)

LEARNT: Final = 3  # visits in a row that found a change there
MOST_SURE: Final = 6  # so many quiet visits, less `LEARNT`, are forgiven
LARGEST_SHARE: Final = 0.25  # of a page's words that all its noise may be
FEWEST_WORDS: Final = 60  # of a page, besides
MOST_PLACES: Final = 16  # of a host
MOST_HOSTS: Final = 4096

LINKS: Final[Place] = (0, 0)  # where links change, and no words do


class Visited(NamedTuple):
    """Two versions of a page as readers see them (`steady_text`)."""

    host: int
    old: str
    new: str
    links_changed: bool


class NoisyPlaces:
    def __init__(self) -> None:
        # host → place → visits in a row that found a change there
        self._changes: dict[int, dict[Place, int]] = {}

    def knows(self, host: int) -> bool:
        return host in self._changes

    def is_news(self, visited: Visited) -> bool:
        """Whether a reader would call it a change; learns from it."""
        found = find_differences(visited.old, visited.new)
        words = len(visited.new.split())
        places = {one.place for one in found if _may_be_noise(one, words)}
        if visited.links_changed and not found and words >= FEWEST_WORDS:
            places.add(LINKS)
        known = self._changes.get(visited.host, {})
        learnt = bool(places) and all(known.get(one, 0) >= LEARNT for one in places)
        self._learn(visited, places)
        return not (learnt and _is_beside_the_point(found, words))

    def note_quiet(self, host: int, text: str) -> None:
        """A page of the host was as before."""
        self._learn(Visited(host, text, text, links_changed=False), set())

    def _learn(self, visited: Visited, changed: set[Place]) -> None:
        known = self._changes.pop(visited.host, {})
        here = places_in(visited.new)
        for place in list(known):
            if place not in changed and _is_there(place, here, visited):
                # what is not learnt yet begins anew
                known[place] = known[place] - 1 if known[place] >= LEARNT else 0
        for place in changed:
            known[place] = min(known.get(place, 0) + 1, MOST_SURE)
        self._keep(visited.host, known)

    def _keep(self, host: int, known: dict[Place, int]) -> None:
        """The surest places of a host, the hosts that were learnt from last."""
        kept = [one for one in known.items() if one[1] > 0]
        if len(kept) > MOST_PLACES:
            kept = sorted(kept, key=lambda one: -one[1])[:MOST_PLACES]
        if kept:
            self._changes[host] = dict(kept)
        while len(self._changes) > MOST_HOSTS:
            del self._changes[next(iter(self._changes))]

    def state(self) -> Arrays:
        rows = [
            (host, *place, count)
            for host, places in self._changes.items()
            for place, count in places.items()
        ]
        return {"rows": np.array(rows, np.int64).reshape(-1, 4)}

    def restore(self, state: Arrays) -> None:
        self._changes = {}
        for host, before, after, count in state["rows"].tolist():
            self._changes.setdefault(host, {})[before, after] = count


def _may_be_noise(one: Difference, words: int) -> bool:
    small = one.words <= LARGEST_SHARE * words
    return small and one.rotates and not one.valued and not one.titled


def _is_beside_the_point(found: list[Difference], words: int) -> bool:
    """Whether all differences may be noise, and enough is left that is not."""
    noise = sum(one.words for one in found)
    enough = noise <= LARGEST_SHARE * words and words - noise >= FEWEST_WORDS
    return enough and all(_may_be_noise(one, words) for one in found)


def _is_there(place: Place, here: dict[int, int], visited: Visited) -> bool:
    """Whether a page has the place."""
    if place == LINKS:
        return not visited.links_changed
    before, after = place
    return before in here and after in here and here[before] < here[after]
