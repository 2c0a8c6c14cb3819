"""Words about pages: a sitemap or a feed says that a page we hold has changed since we saw it.

A page that has certainly changed is worth a visit as one of infinite age: its price is its whole
worth. What is said need not be true, so the worth is multiplied by how often such words held for
this host lately.

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

from typing import Final

import numpy as np

from trapline.core.cards import HELD, NOWHERE, Cards
from trapline.core.links import Signals
from trapline.core.ports import Arrays, Pages

LATELY: Final = 50.0  # words of a host that are remembered


class ChangeSignals:
    def __init__(self) -> None:
        # page → the base of its offer before a signal raised it
        self.raised: dict[int, float] = {}
        self._kept: dict[int, list[float]] = {}  # host → [words that held, words]

    def trust(self, host: int) -> float:
        held, said = self._kept.get(host, (0.0, 0.0))
        return (held + 1.0) / (said + 2.0)

    def news(self, cards: Cards, signals: Signals, now_s: float) -> Pages:
        """The pages of which something new is said: held, waiting, changed after our last visit,
        and not to come.
        """
        pages = signals["page"].astype(np.int64)
        known = (pages >= 0) & (pages < len(cards))
        pages = pages[known]
        modified_s = signals["modified_s"][known]
        newer = (cards["state"][pages] == HELD) & (cards["filed"][pages] != NOWHERE)
        newer &= (modified_s > cards["last"][pages]) & (modified_s <= now_s)
        fresh = [
            page for page in np.unique(pages[newer]).tolist() if page not in self.raised
        ]
        return np.array(fresh, np.int64)

    def note_visit(self, page: int, host: int, *, changed: bool) -> float | None:
        """A page was visited: was it true? Returns the base that it had before, None = nothing was
        said of it.
        """
        base = self.raised.pop(page, None)
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
        }

    def load(self, saved: Arrays) -> None:
        self.raised = {
            int(page): base
            for page, base in np.asarray(saved["raised"], np.float64).tolist()
        }
        self._kept = {
            int(host): [held, said]
            for host, held, said in np.asarray(saved["kept"], np.float64).tolist()
        }
