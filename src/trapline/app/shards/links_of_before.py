"""What leads to hosts that nobody has located yet, as the store has it: what an owner of before had
found, and what leads to seeds, nobody remembers.

It is looked for beside the loop, and for all such hosts at once: a store has millions of links, and
most of a thousand hosts may have their homes elsewhere.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Collection
from typing import Final

import numpy as np

from trapline.app.engine.parts import Engine
from trapline.core.cards import BLOCKED, FRINGE, UNLOCATED
from trapline.core.links import Links
from trapline.core.storage import Store

_NOWHERE: Final = (UNLOCATED, BLOCKED)

# a link, and the relevance of the page on which it is
Lead = tuple[Links, float]


class LinksOfBefore:
    """The first link to each page of the fringe."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._found: dict[int, Lead] = {}  # by page
        self._looked_for: set[int] = set()
        self._turn = asyncio.Lock()

    async def look_for(self, pages: Collection[int]) -> None:
        """Find out what leads to these pages, unless that is known."""
        async with self._turn:
            if self._looked_for.issuperset(pages):
                return
            wanted = {*pages, *self._pages_nowhere()} - self._looked_for
            over = threading.Event()
            try:
                store = self._engine.store
                self._found |= await asyncio.to_thread(read_leads, store, wanted, over)
            finally:
                over.set()  # the run may have ended
            self._looked_for |= wanted

    def take(self, page: int) -> Lead | None:
        """None = no link does: it is a seed, or came by mail."""
        return self._found.pop(page, None)

    def _pages_nowhere(self) -> list[int]:
        agenda = self._engine.controller.agenda
        nowhere = np.isin(agenda.hosts["state"], _NOWHERE)
        pages = np.flatnonzero(agenda.cards["state"] == FRINGE)
        return list(pages[nowhere[agenda.cards["host"][pages]]].tolist())


def read_leads(
    store: Store, pages: Collection[int], over: threading.Event
) -> dict[int, Lead]:
    found: dict[int, Lead] = {}
    wanted = np.zeros(max(pages) + 2, np.bool_)
    wanted[list(pages)] = True
    for parent, links in store.links():
        if over.is_set():
            break
        # what is beyond the last place is not wanted
        leads = links[wanted.take(links["page"], mode="clip")]
        if len(leads):
            held = store.held(parent)
            relevance = 0.0 if held is None else held.relevance
            for at, page in enumerate(leads["page"].tolist()):
                found.setdefault(page, (leads[at : at + 1], relevance))
    return found
