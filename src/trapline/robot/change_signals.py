"""Words about pages: a sitemap or a feed says that a page we hold has changed since we saw it.

A page that has certainly changed is worth a visit as one of infinite age: its price is its whole
worth. What is said need not be true, so the worth is multiplied by how often such words held for
this host lately.

A policy that observes what sources gather is told each word that names a later date: as many items
as were announced since the last visit. Others hear the first word only.

>>> book = ChangeSignals()
>>> book.trust(host=0)
0.5
>>> for changed in (True, True, True):
...     book.raised[7] = 0.0
...     _ = book.note_visit(7, 0, changed=changed)
>>> book.trust(host=0)
0.8
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trapline.core.cards import HELD, NOWHERE, Cards
from trapline.core.links import Signals
from trapline.core.ports import Arrays, Pages

LATELY: Final = 50.0  # words of a host that are remembered
MOST: Final = 32  # dates of a page that are; older ones have faded


class ChangeSignals:
    def __init__(self) -> None:
        # page → the base of its offer before a signal raised it
        self.raised: dict[int, float] = {}
        # page → the dates that were named since its last visit, rising
        self.said: dict[int, list[float]] = {}
        self._kept: dict[int, list[float]] = {}  # host → [words that held, words]

    def trust(self, host: int) -> float:
        held, said = self._kept.get(host, (0.0, 0.0))
        return (held + 1.0) / (said + 2.0)

    def news(
        self, cards: Cards, signals: Signals, now_s: float, *, later: bool = False
    ) -> Pages:
        """The pages of which something new is said: held, waiting, changed after our last visit,
        and not to come. `later` words of one page are new, too.
        """
        pages = signals["page"].astype(np.int64)
        known = (pages >= 0) & (pages < len(cards))
        pages = pages[known]
        modified_s = signals["modified_s"][known]
        newer = (cards["state"][pages] == HELD) & (cards["filed"][pages] != NOWHERE)
        newer &= (modified_s > cards["last"][pages]) & (modified_s <= now_s)
        words = np.stack((pages[newer], modified_s[newer]), axis=1)
        fresh = set()
        for number, date_s in sorted(words.tolist()):
            page = int(number)
            if self._is_new(page, date_s, later=later):
                self._note_date(page, date_s)
                fresh.add(page)
        return np.array(sorted(fresh), np.int64)

    def _note_date(self, page: int, date_s: float) -> None:
        dates_s = self.said.setdefault(page, [])
        dates_s.append(date_s)
        del dates_s[:-MOST]

    def _is_new(self, page: int, date_s: float, *, later: bool) -> bool:
        said = self.said.get(page, [])
        if page in self.raised and not later:
            return False
        return not said or (later and date_s > said[-1])

    def note_visit(self, page: int, host: int, *, changed: bool) -> float | None:
        """A page was visited: was it true? Returns the base that it had before, None = nothing was
        said of it.
        """
        base = self.raised.pop(page, None)
        self.said.pop(page, None)
        if base is not None:
            kept = self._kept.setdefault(host, [0.0, 0.0])
            fade = 1.0 - 1.0 / LATELY if kept[1] >= LATELY - 1.0 else 1.0
            kept[0] = fade * kept[0] + changed
            kept[1] = fade * kept[1] + 1.0
        return base

    def save(self) -> Arrays:
        kept = [(host, *tally) for host, tally in self._kept.items()]
        return {
            "raised": np.array(list(self.raised.items()), np.float64).reshape(-1, 2),
            "kept": np.array(kept, np.float64).reshape(-1, 3),
            "said": np.array(self._dates(), np.float64).reshape(-1, 2),
        }

    def _dates(self) -> list[tuple[int, float]]:
        return [(page, date) for page, dates in self.said.items() for date in dates]

    def move_times(self, by_s: float) -> None:
        self.said = {
            page: [date_s + by_s for date_s in dates]
            for page, dates in self.said.items()
        }

    def load(self, saved: Arrays) -> None:
        self.raised = {
            int(page): base
            for page, base in np.asarray(saved["raised"], np.float64).tolist()
        }
        self.said = {page: [math.inf] for page in self.raised}
        if (
            "said" in saved
        ):  # else by an earlier version, and what comes later is not new
            self.said = {}
            for page, date_s in np.asarray(saved["said"], np.float64).tolist():
                self.said.setdefault(int(page), []).append(date_s)
        self._kept = {
            int(host): [held, said]
            for host, held, said in np.asarray(saved["kept"], np.float64).tolist()
        }
