"""A world made of what a crawl has found: its pages, hosts and links, and how often pages seem to
change.

Change rates are Gamma posteriors (theory/change_rate/gamma.py), one a page, from the visits that
came after its first. The prior is one page's worth of evidence for the rate that is likeliest for
all pages together (theory/estimators.py); a page that nobody came back to has that rate.

>>> from trapline.core.links import links_to
>>> truth = crawled_truth(
...     host=np.array([0, 0, 1], np.int32),
...     relevance=np.array([0.2, 0.9, 0.0]),
...     rate=np.zeros(3),
...     gone=[2],
...     links=[(0, links_to([1, 2], [0, 1]))],
...     gap_s=np.ones(2),
...     latency_s=np.zeros(2),
... )
>>> truth.link_start.tolist(), truth.clues["page"].tolist(), truth.dies_s.tolist()
([0, 2, 2, 2], [1, 2], [inf, inf, 0.0])
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.links import NO_LINKS, Links
from trapline.core.records import Kind, Outcome, Visit
from trapline.laboratory.worlds.truth import Floats, Integers, Truth, make_truth
from trapline.theory.change_rate.gamma import gamma_update
from trapline.theory.estimators import bias_reduced_rate, likeliest_rate

PRIOR: Final = 1.0  # shape of the prior: as much evidence as one change


def crawled_truth(
    *,
    host: NDArray[np.int32],
    relevance: Floats,
    rate: Floats,
    gone: Sequence[int],
    links: Iterable[tuple[int, Links]],
    gap_s: Floats,
    latency_s: Floats,
    seed: int = 0,
) -> Truth:
    """`links` are (page, where it leads), in order of pages, each page at most once; `gone` pages
    answer 404.
    """
    start, clues = laid_out(links, len(host))
    dies_s = np.full(len(host), math.inf)
    dies_s[list(gone)] = 0.0
    return make_truth(
        host=host,
        rate=rate,
        relevance=relevance,
        gap_s=gap_s,
        latency_s=latency_s,
        dies_s=dies_s,
        links=(start, clues["page"].astype(np.int32)),
        clues=clues,
        seed=seed,
    )


def laid_out(links: Iterable[tuple[int, Links]], pages: int) -> tuple[Integers, Links]:
    """All links one after the other, and where those of each page begin."""
    counts = np.zeros(pages, np.int64)
    found = [NO_LINKS]
    for page, some in links:
        counts[page] = len(some)
        found.append(some)
    return np.append(0, np.cumsum(counts)), np.concatenate(found)


@dataclass(slots=True)
class Visits:
    """What the visits of a crawl tell of its pages and hosts. Handed in one by one,
    oldest first.
    """

    last: dict[int, Visit] = field(default_factory=dict)  # by page
    # by page: end of the last visit that read it
    _read_s: dict[int, float] = field(default_factory=dict)
    # page, time since it was read, changed
    _gaps: list[tuple[int, float, bool]] = field(default_factory=list)
    # by host: visits, seconds
    _spent: dict[int, list[float]] = field(default_factory=dict)

    def add(self, visit: Visit) -> None:
        if visit.kind is not Kind.PAGE:
            return
        spent = self._spent.setdefault(visit.host, [0.0, 0.0])
        spent[0] += 1.0
        spent[1] += max(0.0, visit.ended_s - visit.issued_s)
        self.last[visit.page] = visit
        if visit.outcome > Outcome.UNCHANGED:
            return
        before_s = self._read_s.get(visit.page, math.inf)
        if visit.ended_s > before_s:
            self._gaps.append((visit.page, visit.ended_s - before_s, visit.changed))
        self._read_s[visit.page] = visit.ended_s

    def gone(self) -> list[int]:
        return sorted(
            page for page, visit in self.last.items() if visit.outcome is Outcome.GONE
        )

    def change_rates(self, pages: int) -> Floats:
        """Changes a second of each page: the mean of its posterior.

        All 0 if no visit ever found a change.
        """
        common = self._common_rate()
        if common == 0.0:
            return np.zeros(pages)
        beliefs: dict[int, tuple[float, float]] = {}
        for page, gap_s, changed in self._gaps:
            shape, scale = beliefs.get(page, (PRIOR, PRIOR / common))
            beliefs[page] = gamma_update(shape, scale, gap_s, changed)
        rates = np.full(pages, common)
        for page, (shape, scale) in beliefs.items():
            rates[page] = shape / scale
        return rates

    def latencies(self, hosts: int) -> Floats:
        """Mean seconds a visit, of each host; of all, where nobody was."""
        visits = np.zeros(hosts)
        seconds = np.zeros(hosts)
        for host, spent in self._spent.items():
            if host < hosts:  # on others there is no page
                visits[host], seconds[host] = spent
        mean_s = seconds.sum() / max(1.0, visits.sum())
        return np.where(visits > 0.0, seconds / np.maximum(1.0, visits), mean_s)

    def _common_rate(self) -> float:
        if not self._gaps:
            return 0.0
        _, gaps_s, changed = zip(*self._gaps, strict=True)
        likeliest = likeliest_rate(gaps_s, changed)
        if math.isfinite(likeliest):
            return likeliest
        # every visit found a change
        return bias_reduced_rate(changed, float(np.mean(gaps_s)))
