"""What every host is owed: the gap of manners and robots.txt, a slower pace where it refused us, a
smaller share where its owner, our user or its yield says so.

A share is of the budget: a host with a share of 5 % of 10 visits a second is visited every two
seconds at most. Where the budget has no bound it is of what the host's gap would allow.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays
from trapline.core.records import Reception
from trapline.politeness.learnt_pace import LearntPace, pack_paces, unpack_paces

FAST_S: Final = 1.0  # below this gap a host's pace is followed from the first visit on
# first visits over which a host's yield is held against that of all hosts
LATELY: Final = 50.0
LEAST_SHARE: Final = 0.02  # what the poorest host may have: it may become richer

Gap = Callable[[int, float | None], float]


class GapCause(StrEnum):
    """Why a host is owed the gap that it is owed."""

    MANNERS = "gap"
    CRAWL_DELAY = "Crawl-delay"
    SITE_LIMIT = "site limit"  # learnt from its refusals
    SHARE = "share"


def _one_visit(_: int) -> float:
    return 1.0


class HostGaps:
    """`gap_s(host, crawl_delay_s)` is what manners ask for."""

    def __init__(
        self,
        gap_s: Gap | None,
        budget_per_s: float,
        *,
        bound: bool,
        cost: Callable[[int], float] | None = None,
    ) -> None:
        """`bound`: a host that yields much less than others has a smaller share.

        `cost(host)` is what a visit there takes of the budget; without it, 1.
        """
        self._cost = cost or _one_visit
        self._gap_s = gap_s
        self._budget_per_s = budget_per_s
        self._bound = bound
        self._paces: dict[int, LearntPace] = {}
        self._shares: dict[int, float] = {}  # as ordered
        # host → [first visits of late, what they yielded]
        self._yields: dict[int, list[float]] = {}
        self._all = [0.0, 0.0]

    @property
    def known(self) -> bool:
        """Whether anybody said what hosts are owed; worlds of the laboratory set their gaps
        themselves.
        """
        return self._gap_s is not None

    def gap_s(self, host: int, crawl_delay_s: float | None) -> float:
        """What the host is owed now."""
        assert self._gap_s is not None
        least_s = self._gap_s(host, crawl_delay_s)
        pace = self._paces.get(host)
        if pace is not None:
            pace.owe(least_s)
            least_s = pace.gap_s
        share = self.share(host)
        if share >= 1.0:
            return least_s
        if math.isfinite(self._budget_per_s):
            return max(least_s, self._cost(host) / (share * self._budget_per_s))
        return (least_s + (pace.latency_s if pace else 0.0)) / share

    def cause(self, host: int, crawl_delay_s: float | None) -> GapCause:
        """What makes the gap of a host as long as it is."""
        if self._gap_s is None:
            return GapCause.MANNERS
        least_s = self._gap_s(host, crawl_delay_s)
        pace = self._paces.get(host)
        paced_s = least_s if pace is None else max(least_s, pace.gap_s)
        if self.share(host) < 1.0 and self.gap_s(host, crawl_delay_s) > paced_s:
            return GapCause.SHARE
        if paced_s > least_s:
            return GapCause.SITE_LIMIT
        asked_s = self._gap_s(host, None)
        return GapCause.CRAWL_DELAY if least_s > asked_s else GapCause.MANNERS

    def note_answer(
        self,
        host: int,
        started_s: float,
        ended_s: float,
        reception: Reception,
        retry_after_s: float,
    ) -> float:
        """How the host took a visit; returns until when it is to be left alone (−∞: no longer than
        its gap).
        """
        pace = self._paces.get(host)
        if pace is None:
            least_s = self._gap_s(host, None) if self._gap_s is not None else FAST_S
            if reception is Reception.FINE and least_s >= FAST_S:
                return -math.inf
            pace = self._paces[host] = LearntPace(least_s)
        if reception is Reception.FINE:
            pace.note_accepted(started_s, ended_s)
            return -math.inf
        if reception is Reception.REFUSED:
            return pace.note_refused(started_s, ended_s, retry_after_s)
        return max(pace.note_trouble(ended_s), ended_s + retry_after_s)

    def refusals(self, host: int) -> int:
        """How often in a row the host has refused us, up to now."""
        pace = self._paces.get(host)
        return int(pace.refusals) if pace is not None else 0

    def refusing(self) -> list[int]:
        """Hosts whose last word was a refusal."""
        return [host for host, pace in self._paces.items() if pace.refusals > 0.0]

    def moves(self, host: int) -> bool:
        """Whether the gap of this host may be another after each visit."""
        return (
            host in self._paces
            or host in self._shares
            or (self._bound and host in self._yields)
        )

    def order(self, host: int, share: float) -> None:
        """At most this share of the visits from now on; 1 = no bound."""
        if not 0.0 < share <= 1.0:
            raise BadNumber(
                "the share of a host", share, "above 0, at most 1 (5% = 0.05)"
            )
        self._shares[host] = share
        if share == 1.0:
            del self._shares[host]

    def share(self, host: int) -> float:
        """The smaller of what was ordered and what its yield allows: twice what it yields, measured
        by all hosts'.
        """
        ordered = self._shares.get(host, 1.0)
        visits, gained = self._yields.get(host, (0.0, 0.0))
        if not self._bound or visits < LATELY - 1.0 or self._all[1] <= 0.0:
            return ordered
        relative = (gained / visits) / (self._all[1] / self._all[0])
        return min(ordered, max(2.0 * relative, LEAST_SHARE))

    def note_yield(self, host: int, gained: float) -> None:
        """What the first visit to a page of this host brought, in relevance."""
        if self._bound:
            for tally in (self._yields.setdefault(host, [0.0, 0.0]), self._all):
                fade = 1.0 - 1.0 / LATELY if tally[0] >= LATELY - 1.0 else 1.0
                tally[0] = fade * tally[0] + 1.0
                tally[1] = fade * tally[1] + gained

    def move_times(self, by_s: float) -> None:
        for pace in self._paces.values():
            pace.move_times(by_s)

    def save(self) -> Arrays:
        yields = [
            (host, *tally) for host, tally in [*self._yields.items(), (-1, self._all)]
        ]
        return {
            "paces": pack_paces(self._paces),
            "shares": np.array(list(self._shares.items()), np.float64).reshape(-1, 2),
            "yields": np.array(yields, np.float64).reshape(-1, 3),
        }

    def load(self, saved: Arrays) -> None:
        self._paces = unpack_paces(saved["paces"])
        self._shares = {
            int(host): share
            for host, share in np.asarray(saved["shares"], np.float64).tolist()
        }
        rows = np.asarray(saved["yields"], np.float64).tolist()
        self._yields = {int(host): [visits, gained] for host, visits, gained in rows}
        self._all = self._yields.pop(-1, [0.0, 0.0])
