"""What is really so in a simulated web: which pages exist, when each changes, where links lead, how
slow hosts are.

A page's changes are a Poisson process of its own rate, drawn from a counter-based generator (seed,
page, number of the change): the history is the same whoever asks, whenever and in whatever order. A
page of rate 0 changes at the times that are listed for it, if any (replay of real histories). A
page also changes when a page that it links to is born, because it then lists it.

What a page says may drift with its versions, and its relevance with it: `pages["relevance"]` is
that of its first one.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.core.links import LINK, Links
from trapline.core.records import Outcome
from trapline.laboratory.worlds.drift import drift
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_OK = int(Outcome.OK)
_GONE = int(Outcome.GONE)


PAGE: Final = np.dtype(
    [
        ("relevance", np.float64),
        ("rate", np.float64),  # changes a second; 0 = none but those listed
        ("born_s", np.float64),
        ("dies_s", np.float64),
        # how far the page's history was unrolled
        ("last_change", np.float64),
        ("next_change", np.float64),
        ("changes", np.int64),
        ("seen", np.int32),  # what the last visit saw; −1 = none yet
        ("host", np.int32),
    ]
)
# one line of the processor's cache: a visit costs one miss, not eight
assert PAGE.itemsize == 64


class Truth(NamedTuple):
    pages: NDArray[np.void]
    # links of page i: link_to[link_start[i]:link_start[i+1]], in order of the targets' births
    link_start: Integers
    link_to: NDArray[np.int32]
    gap_s: Floats  # one a host
    latency_s: Floats  # mean, one a host; 0 = answers at once
    seed: Integers  # one number
    # listed changes of page i: event_s[event_start[i]:event_start[i+1]], in order
    event_start: Integers
    event_s: Floats
    # what each link of link_to shows before it is followed; empty: this world's links show nothing
    clues: Links
    drift: Floats  # one number: how much relevance moves as pages change

    # views of the pages' fields, for people; kernels read truth.pages[field][page]

    @property
    def host(self) -> NDArray[np.int32]:
        return self.pages["host"]

    @property
    def relevance(self) -> Floats:
        return self.pages["relevance"]

    @property
    def rate(self) -> Floats:
        return self.pages["rate"]

    @property
    def born_s(self) -> Floats:
        return self.pages["born_s"]

    @property
    def dies_s(self) -> Floats:
        return self.pages["dies_s"]

    @property
    def changes(self) -> Integers:
        return self.pages["changes"]

    @property
    def seen(self) -> NDArray[np.int32]:
        return self.pages["seen"]


@bare_kernel
def _next_listed(truth: Truth, page: int) -> float:
    event = truth.event_start[page] + truth.pages["changes"][page]
    return truth.event_s[event] if event < truth.event_start[page + 1] else math.inf


@bare_kernel
def unroll(truth: Truth, page: int, now_s: float) -> None:
    """Let a page's own changes up to `now_s` have happened. Time may not go back."""
    while truth.pages["next_change"][page] <= now_s:
        truth.pages["last_change"][page] = truth.pages["next_change"][page]
        truth.pages["changes"][page] += 1
        if truth.pages["rate"][page] > 0.0:
            gap = (
                -math.log(mix_hash(truth.seed[0], page, truth.pages["changes"][page]))
                / truth.pages["rate"][page]
            )
            truth.pages["next_change"][page] += gap
        else:
            truth.pages["next_change"][page] = _next_listed(truth, page)


@bare_kernel
def links_born(truth: Truth, page: int, now_s: float) -> int:
    """How many of its links (they are in order of birth) the page shows by now."""
    low = truth.link_start[page]
    high = truth.link_start[page + 1]
    first = low
    while low < high:
        middle = (low + high) // 2
        if truth.pages["born_s"][truth.link_to[middle]] <= now_s:
            low = middle + 1
        else:
            high = middle
    return low - first


@bare_kernel
def version(truth: Truth, page: int, now_s: float) -> int:
    """Counts the changes so far: its own and the births of pages that it links to."""
    unroll(truth, page, now_s)
    return truth.pages["changes"][page] + links_born(truth, page, now_s)


@bare_kernel
def relevance_of(truth: Truth, page: int, version: int) -> float:
    """The relevance of one version of a page."""
    relevance = truth.pages["relevance"][page]
    if truth.drift[0] <= 0.0:
        return relevance
    changes = version - links_born(truth, page, truth.pages["born_s"][page])
    return drift(relevance, truth.drift[0], truth.seed[0], page, changes)


@bare_kernel
def relevance_at(truth: Truth, page: int, now_s: float) -> float:
    """The relevance of what the page says at `now_s`."""
    if truth.drift[0] <= 0.0:
        return truth.pages["relevance"][page]
    return relevance_of(truth, page, version(truth, page, now_s))


@bare_kernel
def visit(truth: Truth, page: int, now_s: float) -> tuple[int, bool, int]:
    """(outcome, changed since the last visit, links shown) of a visit that reads the page at
    `now_s`.
    """
    if now_s >= truth.pages["dies_s"][page] or now_s < truth.pages["born_s"][page]:
        return _GONE, False, 0
    shown = links_born(truth, page, now_s)
    unroll(truth, page, now_s)
    found = truth.pages["changes"][page] + shown
    changed = found != truth.pages["seen"][page]
    truth.pages["seen"][page] = found
    return _OK, changed, shown


@bare_kernel
def latency(mean_s: float, seed: int, page: int, ticket: int) -> float:
    """How long the visit of a ticket takes: exponential around the host's mean, the same for the
    same ticket.
    """
    if mean_s <= 0.0:
        return 0.0
    return -mean_s * math.log(mix_hash(seed + 1, page, ticket))


@bare_kernel
def start_history(truth: Truth) -> None:
    pages = truth.pages
    for page in range(len(pages)):
        born_s = pages["born_s"][page]
        pages["changes"][page] = 0
        pages["last_change"][page] = born_s
        if pages["rate"][page] > 0.0:
            pages["next_change"][page] = (
                born_s
                - math.log(mix_hash(truth.seed[0], page, 0)) / pages["rate"][page]
            )
        else:
            pages["next_change"][page] = _next_listed(truth, page)
        pages["seen"][page] = -1


def make_truth(
    *,
    host: NDArray[np.int32],
    rate: Floats,
    relevance: Floats | None = None,
    gap_s: Floats | float = 0.0,
    latency_s: Floats | float = 0.0,
    born_s: Floats | None = None,
    dies_s: Floats | None = None,
    links: tuple[Integers, NDArray[np.int32]] | None = None,
    events: tuple[Integers, Floats] | None = None,
    clues: Links | None = None,
    drift: float = 0.0,
    seed: int = 0,
) -> Truth:
    """A truth from its parts; what is left out is: no gaps, no latency, no links, pages that live
    for ever.

    `events` are (start, times) of listed changes, laid out as links are: after the page's birth,
    each later than the one before. Pages that have any must have rate 0.
    """
    count = len(host)
    hosts = int(host.max()) + 1
    pages = np.zeros(count, PAGE)
    pages["host"] = host
    pages["rate"] = rate
    pages["relevance"] = 1.0 if relevance is None else relevance
    pages["born_s"] = -1.0 if born_s is None else born_s
    pages["dies_s"] = np.inf if dies_s is None else dies_s
    link_start, link_to = links or (
        np.zeros(count + 1, np.int64),
        np.zeros(0, np.int32),
    )
    event_start, event_s = events or (np.zeros(count + 1, np.int64), np.zeros(0))
    truth = Truth(
        pages=pages,
        link_start=link_start,
        link_to=link_to,
        gap_s=np.broadcast_to(np.asarray(gap_s, np.float64), hosts).copy(),
        latency_s=np.broadcast_to(np.asarray(latency_s, np.float64), hosts).copy(),
        seed=np.array([seed], np.int64),
        event_start=event_start,
        event_s=event_s,
        clues=np.zeros(0, LINK) if clues is None else clues,
        drift=np.array([drift]),
    )
    if events is not None:
        _check_events(truth)
    start_history(truth)
    return truth


def _check_events(truth: Truth) -> None:
    page = np.repeat(np.arange(len(truth.pages)), np.diff(truth.event_start))
    again = page[1:] == page[:-1]
    back = np.flatnonzero(again & (np.diff(truth.event_s) <= 0.0))
    if len(back):
        raise BadNumber(
            "a listed change",
            truth.event_s[back[0] + 1],
            "later than the one before it of the same page",
        )
    early = truth.event_s <= truth.born_s[page]
    if early.any():
        raise BadNumber(
            "a listed change", truth.event_s[early][0], "after the birth of its page"
        )
    if (truth.rate[page] != 0.0).any():
        raise BadNumber(
            "the rate of a page with listed changes",
            truth.rate[page][truth.rate[page] != 0.0][0],
            "0",
        )


def fresh_copy(truth: Truth) -> Truth:
    """The same world before anybody looked: its own history and memory of visits."""
    copy = truth._replace(pages=truth.pages.copy())
    start_history(copy)
    return copy
