"""How good a collection is, exactly, from the world's truth (O'Meara & Patel, eq. 1–3).

With V the documents on the Web at time t, C the documents in the collection and r their relevance,

    R = Σ_{C∩V} r / Σ_V r        F = Σ_{C∩V} r / Σ_C r        M = min(R, F)        P = ∫ M dt

A document is a page in one version: a page that changed is one document gone from V and another one
new in it, so a held page that is out of date lowers both recall and freshness. Relevance is the
document's own: in V that of a page's current version, in C that of the version held, which may
differ where worlds drift. A share of nothing is 1: an empty collection holds nothing that is out of
date (F = 1), but lacks all there is (R = 0, so M = 0); where there is nothing, nothing lacks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Self

import numpy as np

from trapline.core.errors import ClockWentBack
from trapline.core.records import Ticket
from trapline.laboratory.runs.drive import Log
from trapline.laboratory.worlds.truth import (
    Floats,
    Integers,
    Truth,
    fresh_copy,
    latency,
    relevance_at,
    relevance_of,
    version,
)
from trapline.theory.kernel import bare_kernel

_NOT_HELD = -1


class Holding(NamedTuple):
    """A collection: pages, each once, and the version held of each."""

    pages: Integers
    versions: Integers

    @classmethod
    def of(cls, held: Mapping[int, int]) -> Self:
        return cls(
            np.array(list(held.keys()), np.int64),
            np.array(list(held.values()), np.int64),
        )


@dataclass(frozen=True, slots=True)
class Quality:
    recall: float
    freshness: float

    @property
    def quality(self) -> float:
        return min(self.recall, self.freshness)


def quality(truth: Truth, held: Holding, now_s: float) -> Quality:
    """R, F and M at one instant.

    It unrolls the truth up to there: give a `fresh_copy` if others still ask it.

    >>> from trapline.laboratory.worlds.truth import make_truth
    >>> relevance = np.array([1.0, 1.0, 2.0, 4.0])
    >>> truth = make_truth(host=np.zeros(4, np.int32), rate=np.zeros(4), relevance=relevance)
    >>> quality(truth, Holding.of({0: 0, 2: 0, 1: 7}), now_s=5.0)
    Quality(recall=0.375, freshness=0.75)
    """
    there, collected, current = _weigh(truth, held.pages, held.versions, now_s)
    return Quality(_share(current, there), _share(current, collected))


def _share(part: float, whole: float) -> float:
    """Not above 1, whatever the order in which the two sums were rounded."""
    return min(part / whole, 1.0) if whole > 0.0 else 1.0


@bare_kernel
def _is_alive(truth: Truth, page: int, now_s: float) -> bool:
    return bool(truth.pages["born_s"][page] <= now_s < truth.pages["dies_s"][page])


@bare_kernel
def _weigh(
    truth: Truth, pages: Integers, versions: Integers, now_s: float
) -> tuple[float, float, float]:
    """Relevance of all that is there, of all that is held, and of what is held as it is there."""
    there = 0.0
    collected = 0.0
    current = 0.0
    for page in range(len(truth.pages)):
        if _is_alive(truth, page, now_s):
            there += relevance_at(truth, page, now_s)
    for i in range(len(pages)):
        page = pages[i]
        relevance = relevance_of(truth, page, versions[i])
        collected += relevance
        if _is_alive(truth, page, now_s) and version(truth, page, now_s) == versions[i]:
            current += relevance
    return there, collected, current


@bare_kernel
def _add_latencies(truth: Truth, pages: Integers, when_s: Floats) -> None:
    """Times at which visits were issued, in order, become the times at which they landed."""
    for number in range(len(pages)):
        mean_s = truth.latency_s[truth.pages["host"][pages[number]]]
        when_s[number] += latency(mean_s, truth.seed[0], pages[number], number)


@dataclass(slots=True)
class Performance:
    """P = ∫ M dt, as a sum of steps: M stays as it was noted until the next note.

    That is exact if every event is noted (a visit, change, birth or death can move M, nothing else
    does), as in the paper's own experiment, where only visits do. Noted at other times its error is
    at most their largest distance times the total rise and fall of M.

    >>> performance = Performance()
    >>> for now_s, m in ((0.0, 0.0), (2.0, 0.5), (6.0, 1.0), (7.0, 0.0)):
    ...     performance.note(now_s, m)
    >>> performance.total
    3.0
    """

    total: float = 0.0
    _since_s: float = field(default=math.nan, repr=False)
    _quality: float = field(default=0.0, repr=False)

    def note(self, now_s: float, quality: float) -> None:
        if not math.isnan(self._since_s):
            self.total += self._quality * (now_s - self._since_s)
        self._since_s = now_s
        self._quality = quality


class Tracker:
    """Follows a run and takes samples of its quality.

    Hand `watch` to `drive`, or give the log of a finished run to `replay`; then call `finish`. A
    sample sees the visits that settled up to its time. The world's history is unrolled in a copy,
    so that looking disturbs nobody.
    """

    def __init__(self, truth: Truth, times: Iterable[float] = ()) -> None:
        self._truth = fresh_copy(truth)
        self._versions = np.full(len(truth.pages), _NOT_HELD, np.int64)
        self._ahead = sorted(times, reverse=True)
        self._now_s = -math.inf
        self.times: list[float] = []
        self.samples: list[Quality] = []
        self.performance = Performance()

    def watch(self, now_s: float, ticket: Ticket) -> None:
        self._note_visit(now_s, ticket.page)

    def replay(self, log: Log) -> None:
        """The visits of a run that is over, in the order in which they landed."""
        landed_s = log.issued_s.copy()
        _add_latencies(self._truth, log.page, landed_s)
        for i in np.argsort(landed_s, kind="stable").tolist():
            self._note_visit(float(landed_s[i]), int(log.page[i]))

    def finish(self, end_s: float) -> Quality:
        """Take the samples that are left and one at the end, which is not before the last visit."""
        if end_s < self._now_s:
            raise ClockWentBack(end_s, self._now_s)
        while self._ahead and self._ahead[-1] < end_s:
            self._sample(self._ahead.pop())
        self._ahead.clear()
        return self._sample(end_s)

    def holding(self) -> Holding:
        pages = np.flatnonzero(self._versions != _NOT_HELD)
        return Holding(pages, self._versions[pages])

    def _note_visit(self, now_s: float, page: int) -> None:
        while self._ahead and self._ahead[-1] < now_s:
            self._sample(self._ahead.pop())
        self._now_s = now_s
        found = (
            version(self._truth, page, now_s)
            if _is_alive(self._truth, page, now_s)
            else _NOT_HELD
        )
        self._versions[page] = found

    def _sample(self, now_s: float) -> Quality:
        found = quality(self._truth, self.holding(), now_s)
        self.times.append(now_s)
        self.samples.append(found)
        self.performance.note(now_s, found.quality)
        return found
