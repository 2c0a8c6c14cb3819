"""Listed pages, and where their redirects lead: nothing else is visited (`follow = false`).

A listed page that is missing or unreadable is not given up. It is tried again, less and less often,
down to once a day, because its return is a change too. Where pages have moved is noted in the
store.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from trapline.app.output.page_moves import NOTE, moves_of, place_of
from trapline.collection.collection import Collection
from trapline.core.cards import FRINGE, GONE, HELD, UNMET
from trapline.core.errors import BadUrl
from trapline.core.links import NO_LINKS, links_to
from trapline.core.records import Fetched, Kind, Observation, Outcome
from trapline.core.storage import Store
from trapline.core.urls import canonical, host_of
from trapline.robot.journal import Journal
from trapline.robot.request_controller import RequestController
from trapline.robot.response.response_processor import MOVED

HOPS: Final = 10  # redirects that are followed from a listed page, one visit each
_FOR_GOOD: Final = frozenset((301, 308))

Digest = Callable[[Fetched, float], Observation]


class ListedPages:
    """Which pages may be visited, what becomes of an earlier list, and what a visit means here."""

    def __init__(
        self, urls: Iterable[str], store: Store, collection: Collection
    ) -> None:
        self._collection = collection
        self._moved = moves_of(store)
        self._hops: dict[str, int] = {}  # from a listed page
        self._origins: dict[str, str] = {}  # of pages to which listed ones have moved
        self._by_host: dict[str, list[str]] = {}
        # somebody who wants to know at once where a listed page has moved
        self.heed_move: Callable[[str], None] = lambda _: None
        self.relist(urls)

    def relist(self, urls: Iterable[str]) -> None:
        """From now on these pages are listed, and no others."""
        self._hops = {}
        self._origins = {}
        self._by_host = {}
        for url in urls:
            self._enter(url, 0)
        for url in list(self._hops):
            self._follow(url)

    def in_scope(self, url: str) -> bool:
        return url in self._hops

    def urls(self) -> list[str]:
        """Listed pages, and where they have moved."""
        return list(self._hops)

    @property
    def size(self) -> int:
        return len(self._hops)

    def listed_as(self, url: str) -> str:
        """The listed page that has moved to `url`, or `url` itself."""
        return self._origins.get(url, url)

    def place_of(self, url: str) -> str:
        """Where a listed page is now."""
        return place_of(self._moved, url)

    def add(self, url: str) -> None:
        """A person wants it watched from now on."""
        self._enter(url, 0)
        self._follow(url)

    def hosts(self) -> list[str]:
        return list(self._by_host)

    def of_host(self, name: str) -> list[str]:
        """The pages of a host that are visited; what has moved for good is not."""
        urls = self._by_host.get(name, ())
        return [url for url in urls if not self._left_for_good(url)]

    def tidy(self, controller: RequestController, store: Store, now_s: float) -> None:
        """Drop pages that are no longer listed, and try listed ones again that were given up."""
        cards = controller.agenda.cards
        for row in store.urls():
            state = cards["state"][row.page] if row.page < len(cards) else UNMET
            listed = self.in_scope(row.url)
            unlisted = state in (FRINGE, HELD) and not listed
            given_up = state == GONE and listed and not self._left_for_good(row.url)
            if unlisted or given_up:
                # not journalled: a checkpoint follows at the start of every run
                controller.unmeet([row.page], now_s)

    def retry_given_up(self, journal: Journal, store: Store, now_s: float) -> None:
        """Try listed pages again that never answered: who waits for one wants to hear of it."""
        cards = journal.controller.agenda.cards
        rows = [
            row
            for row in store.urls()
            if row.page < len(cards)
            and cards["state"][row.page] == GONE
            and cards["not_before"][row.page] < math.inf  # else it is to be forgotten
            and self.in_scope(row.url)
            and not self._left_for_good(row.url)
        ]
        pages = [row.page for row in rows]
        journal.unmeet(pages, now_s)
        journal.admit(links_to(pages, [row.host for row in rows]), now_s)

    def around(self, digest: Digest) -> Digest:
        """`digest`, but redirects are followed and pages that are missing may come back."""

        def digest_listed(fetched: Fetched, now_s: float) -> Observation:
            if fetched.ticket.kind is not Kind.PAGE:
                return digest(fetched, now_s)
            moved = fetched.status in MOVED
            may_follow = self._note_move(fetched) if moved else True
            observation = digest(fetched, now_s)
            here = observation.outcome in (Outcome.OK, Outcome.UNCHANGED)
            if here or (moved and len(observation.links) == 0):
                self._forget_move(fetched.url)
            if observation.outcome in (Outcome.GONE, Outcome.SKIPPED):
                return replace(observation, outcome=Outcome.FAILED)
            return observation if may_follow else replace(observation, links=NO_LINKS)

        return digest_listed

    def goes_in_circles(self, url: str) -> bool:
        """Whether redirects from `url` lead back to it."""
        at = url
        for _ in range(HOPS + 1):
            if at not in self._moved:
                return False
            at = self._moved[at][0]
            if at == url:
                return True
        return False

    def _left_for_good(self, url: str) -> bool:
        lasting = url in self._moved and self._moved[url][1] in _FOR_GOOD
        return lasting and not self.goes_in_circles(url)

    def _forget_move(self, url: str) -> None:
        """It is where it was, or nobody may follow it."""
        if self._moved.pop(url, None) is not None:
            self._collection.note(NOTE, json.dumps(self._moved))

    def _note_move(self, fetched: Fetched) -> bool:
        """Whether the target may be visited."""
        try:
            target = canonical(fetched.location, base=fetched.url)
        except BadUrl:
            return False
        self._moved[fetched.url] = (target, fetched.status)
        if self._follow(fetched.url):
            self.heed_move(target)
        self._collection.note(NOTE, json.dumps(self._moved))
        return self.in_scope(target)

    def _follow(self, url: str) -> bool:
        """Admit the page to which a listed one has moved, and on from there; False = it was."""
        known = len(self._hops)
        while (
            url in self._moved
            and self._hops[url] < HOPS
            and self._moved[url][0] not in self._hops
        ):
            target = self._moved[url][0]
            self._enter(target, self._hops[url] + 1)
            self._origins[target] = self.listed_as(url)
            url = target
        return len(self._hops) > known

    def _enter(self, url: str, hops: int) -> None:
        if url not in self._hops:
            self._by_host.setdefault(host_of(url), []).append(url)
        self._hops[url] = hops
