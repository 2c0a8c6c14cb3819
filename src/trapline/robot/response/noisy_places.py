"""Places of a site's pages that are another at every visit: teasers, quotes, advertisements.

A place (reading/identity/differing_places.py) that changed in each of the last visits to pages
that have it is noise, and a page that differs only there has not changed. It is learnt for the
whole host: a page that is visited a second time profits from what the others taught. What all
pages say alike after a change was changed once, and counts once.

When in doubt, a change is a change. So a place is never noise where it may be the main content: a
large part of the page, or on a page with few words besides; where nothing but numbers ever
changes, because they may be what the page is for (a price, a level); where it has signs of money,
shares or versions; and never the title, nor what stands below its heading.
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
    links: int = 0  # a hash of the new links; 0 = they are the same

    @property
    def links_changed(self) -> bool:
        return self.links != 0


class Record(NamedTuple):
    """What is known of a place."""

    changes: int  # visits in a row that found something else there
    content: int  # the hash of what the last of them found


class NoisyPlaces:
    def __init__(self) -> None:
        self._known: dict[int, dict[Place, Record]] = {}  # host → place → record

    def knows(self, host: int) -> bool:
        return host in self._known

    def is_news(self, visited: Visited) -> bool:
        """Whether a reader would call it a change; learns from it."""
        found = find_differences(visited.old, visited.new)
        words = len(visited.new.split())
        links_only = visited.links_changed and not found
        places = {LINKS} if links_only else {one.place for one in found}
        known = self._known.get(visited.host, {})
        learnt = all(_is_learnt(known.get(place)) for place in places)
        noise = learnt and _is_beside_the_point(found, words)
        self._learn(visited, places, _lessons(visited, found))
        return not noise

    def note_quiet(self, host: int, text: str) -> None:
        """A page of the host was as before."""
        self._learn(Visited(host, text, text), set(), {})

    def _learn(
        self, visited: Visited, changed: set[Place], lessons: dict[Place, int]
    ) -> None:
        """`lessons` say what stands now where `changed` places may be noise."""
        known = self._known.pop(visited.host, {})
        here = places_in(visited.new)
        for place, record in list(known.items()):
            if place not in changed and _is_there(place, here, visited):
                # what is not learnt yet begins anew
                less = record.changes - 1 if _is_learnt(record) else 0
                known[place] = record._replace(changes=less)
        for place, content in lessons.items():
            record = known.pop(place, Record(0, 0))
            more = min(record.changes + (content != record.content), MOST_SURE)
            known[place] = Record(more, content)
        self._keep(visited.host, known)

    def _keep(self, host: int, known: dict[Place, Record]) -> None:
        """The surest and newest places of a host, the hosts that were learnt from last."""
        kept = {place: one for place, one in known.items() if one.changes > 0}
        newest_first = list(kept)[::-1]
        ranked = sorted(newest_first, key=lambda place: -kept[place].changes)
        for place in ranked[MOST_PLACES:]:
            del kept[place]
        if kept:
            self._known[host] = kept
        while len(self._known) > MOST_HOSTS:
            del self._known[next(iter(self._known))]

    def state(self) -> Arrays:
        rows = [
            (host, *place, *record)
            for host, places in self._known.items()
            for place, record in places.items()
        ]
        return {"rows": np.array(rows, np.int64).reshape(-1, 5)}

    def restore(self, state: Arrays) -> None:
        self._known = {}
        for host, before, after, changes, content in state["rows"].tolist():
            places = self._known.setdefault(host, {})
            places[before, after] = Record(changes, content)


def _is_learnt(record: Record | None) -> bool:
    return record is not None and record.changes >= LEARNT


def _lessons(visited: Visited, found: list[Difference]) -> dict[Place, int]:
    """Places where other words stand now that may be noise, and the hash of what stands there."""
    if visited.links_changed and not found:
        return {LINKS: visited.links}
    fit = (one for one in found if one.rotates and _may_be_noise(one))
    return {one.place: one.content for one in fit}


def _may_be_noise(one: Difference) -> bool:
    return not one.valued and not one.titled


def _is_beside_the_point(found: list[Difference], words: int) -> bool:
    """Whether all differences may be noise, and enough is left that is not."""
    noise = sum(one.words for one in found)
    enough = noise <= LARGEST_SHARE * words and words - noise >= FEWEST_WORDS
    return enough and all(map(_may_be_noise, found))


def _is_there(place: Place, here: dict[int, int], visited: Visited) -> bool:
    """Whether a page has the place."""
    if place == LINKS:
        return not visited.links_changed
    before, after = place
    return before in here and after in here and here[before] < here[after]
