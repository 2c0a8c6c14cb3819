"""Only listed pages, and where their redirects lead: no link is followed (`watch`, or `follow =
false`).

A listed page that is not there, or cannot be read, is not given up: it is looked for again, ever
more seldom up to once a day, because its coming back is a change too. Where pages have moved is
noted in the store.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from trapline.collection.collection import Collection
from trapline.core.cards import FRINGE, GONE, HELD, UNMET
from trapline.core.errors import BadUrl
from trapline.core.links import NO_LINKS
from trapline.core.ports import Store
from trapline.core.records import Fetched, Kind, Observation, Outcome
from trapline.core.urls import canonical
from trapline.robot.request_controller import RequestController
from trapline.robot.response.response_processor import MOVED

NOTE: Final = "moved"
HOPS: Final = 10  # redirects that are followed from a listed page, one visit each
_FOR_GOOD: Final = frozenset((301, 308))

Digest = Callable[[Fetched, float], Observation]


class ListedPages:
    """The engine asks it what may be visited, what is left of an earlier list, and what a visit
    means here.
    """

    def __init__(
        self, listed: Iterable[str], store: Store, collection: Collection
    ) -> None:
        self._collection = collection
        # URL → (target, status)
        self._moved: dict[str, tuple[str, int]] = json.loads(store.note(NOTE) or "{}")
        self._hops = dict.fromkeys(listed, 0)  # from a listed page
        for url in list(self._hops):
            self._follow(url)

    def in_scope(self, url: str) -> bool:
        return url in self._hops

    def tidy(self, controller: RequestController, store: Store, now_s: float) -> None:
        """Pages that are no longer listed are let go; listed ones that were given up may be met
        again.
        """
        cards = controller.agenda.cards
        for row in store.urls():
            state = cards["state"][row.page] if row.page < len(cards) else UNMET
            listed = self.in_scope(row.url)
            if (state in (FRINGE, HELD) and not listed) or (
                state == GONE and listed and not self._left_for_good(row.url)
            ):
                # not journalled: a checkpoint follows at the start of every run
                controller.unmeet([row.page], now_s)

    def around(self, digest: Digest) -> Digest:
        """`digest`, heedful of redirects and of pages that may come back."""

        def heed(fetched: Fetched, now_s: float) -> Observation:
            if fetched.ticket.kind is not Kind.PAGE:
                return digest(fetched, now_s)
            led = self._note_move(fetched) if fetched.status in MOVED else True
            observation = digest(fetched, now_s)
            if observation.outcome in (Outcome.GONE, Outcome.SKIPPED):
                return replace(observation, outcome=Outcome.FAILED)
            return observation if led else replace(observation, links=NO_LINKS)

        return heed

    def _left_for_good(self, url: str) -> bool:
        return url in self._moved and self._moved[url][1] in _FOR_GOOD

    def _note_move(self, fetched: Fetched) -> bool:
        """Whether the target may be visited."""
        try:
            target = canonical(fetched.location, base=fetched.url)
        except BadUrl:
            return False
        self._moved[fetched.url] = (target, fetched.status)
        self._follow(fetched.url)
        self._collection.note(NOTE, json.dumps(self._moved))
        return self.in_scope(target)

    def _follow(self, url: str) -> None:
        """Take in where a page of ours has moved, and on from there."""
        while (
            url in self._moved
            and self._hops[url] < HOPS
            and self._moved[url][0] not in self._hops
        ):
            target = self._moved[url][0]
            self._hops[target] = self._hops[url] + 1
            url = target
