"""What keeps each host from being visited right now, counted over all hosts at once.

A host counts if something is offered there. Cheap with a hundred thousand hosts: whole columns are
compared, and only of some hundred hosts it is asked why their gap is as long as it is.
"""

from __future__ import annotations

from collections import Counter
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.cards import BLOCKED, BUSY, COOLING, IDLE, UNLOCATED, WAITING
from trapline.robot.agenda.agenda import Agenda
from trapline.robot.host_book import HostBook
from trapline.robot.host_gaps import GapCause

SAMPLE: Final = 256  # hosts of which it is asked why their gap is what it is
# beyond its gap, from which on a host is said to be left alone
ALONE_S: Final = 0.2

Seconds = NDArray[np.float64]


class Hindrance(IntEnum):
    NONE = 0  # nothing is offered there
    FREE = 1  # it may be visited now
    GAP = 2  # it owes its gap, or is visited and will
    ADDRESS = 3  # it shares its address with hosts that are visited now or owe a gap
    ANSWER = 4  # as GAP, and it takes longer to answer than its gap
    ALONE = 5  # it refused us or failed, and is left alone for a while
    CLOSED = 6  # its robots.txt cannot be had
    UNLOCATED = 7  # its name is being looked up
    LOST = 8  # it cannot be found, or its address may not be visited
    PAUSED = 9  # by a person


class HostTally(NamedTuple):
    """`kinds` has the hindrance of each host, `counts` how many hosts have each."""

    kinds: NDArray[np.uint8]
    counts: list[int]
    # of hosts held back by their gap, by what makes it as long as it is
    causes: dict[GapCause, int]
    examples: dict[GapCause, int]  # a host of each
    # visits a second that gaps, addresses and answers allow on all hosts that may be visited
    ceiling: float

    def example(self, kind: Hindrance) -> int:
        """The first host with a hindrance; there is one."""
        return int(np.argmax(self.kinds == kind))


def tally_hosts(
    agenda: Agenda, book: HostBook, now_s: float, answers_s: Seconds
) -> HostTally:
    """`answers_s`: how long a page of each host takes to answer."""
    hosts = agenda.hosts[: len(book)]
    kinds = _kinds(agenda, hosts, now_s, answers_s)
    _tell_paused(kinds, hosts, book)
    counts = np.bincount(kinds, minlength=len(Hindrance)).tolist()
    causes, examples = _gap_causes(np.flatnonzero(kinds == Hindrance.GAP), book)
    ceiling = _ceiling(agenda, hosts, kinds, answers_s)
    return HostTally(kinds, counts, causes, examples, ceiling)


def _kinds(
    agenda: Agenda, hosts: NDArray[np.void], now_s: float, answers_s: Seconds
) -> NDArray[np.uint8]:
    state = hosts["state"]
    ready = hosts["ready"]
    rules_until = hosts["rules_until"]
    addresses = agenda.books.addresses[hosts["address"]]
    owed = (addresses["ended"] + addresses["gap"] > now_s) | (addresses["busy"] > 0)
    alone = ready > np.maximum(hosts["served"] + hosts["gap"], now_s) + ALONE_S
    slow = hosts["gap"] < answers_s
    waits = (state == COOLING) | (state == WAITING)
    # later conditions are looked at only where the earlier ones do not hold
    return np.select(
        [
            hosts["due_size"] + hosts["fringe_size"] == 0,
            state == UNLOCATED,
            state == BLOCKED,
            state == IDLE,
            (state == BUSY) & slow,
            state == BUSY,
            waits & alone & (rules_until > now_s) & (ready >= rules_until),
            waits & alone,
            waits & (ready > now_s) & slow,
            waits & (ready > now_s),
            waits & owed,
            waits,
        ],
        [
            np.uint8(kind)
            for kind in (
                Hindrance.NONE,
                Hindrance.UNLOCATED,
                Hindrance.LOST,
                Hindrance.FREE,
                Hindrance.ANSWER,
                Hindrance.GAP,
                Hindrance.CLOSED,
                Hindrance.ALONE,
                Hindrance.ANSWER,
                Hindrance.GAP,
                Hindrance.ADDRESS,
                Hindrance.FREE,
            )
        ],
        np.uint8(Hindrance.NONE),
    )


def _tell_paused(
    kinds: NDArray[np.uint8], hosts: NDArray[np.void], book: HostBook
) -> None:
    """Also where nothing is offered just now: pages wait there all the same."""
    stopped = np.array(sorted(book.stopped), np.int64)
    stopped = stopped[stopped < len(kinds)]
    meant = (hosts["state"][stopped] == BLOCKED) & (hosts["pages"][stopped] > 0)
    kinds[stopped[meant]] = Hindrance.PAUSED


def _gap_causes(
    hosts: NDArray[np.int64], book: HostBook
) -> tuple[dict[GapCause, int], dict[GapCause, int]]:
    """(how many hosts, the first of them) by cause, from a sample where there are many."""
    every = max(1, -(-len(hosts) // SAMPLE))
    counts: Counter[GapCause] = Counter()
    examples: dict[GapCause, int] = {}
    for host in hosts[::every].tolist():
        cause = book.gap_cause(host)
        counts[cause] += every
        examples.setdefault(cause, host)
    if len(counts) == 1:
        return dict.fromkeys(counts, len(hosts)), examples
    return dict(counts), examples


def _ceiling(
    agenda: Agenda,
    hosts: NDArray[np.void],
    kinds: NDArray[np.uint8],
    answers_s: Seconds,
) -> float:
    """Hosts on one address take turns, so that they have one pace together."""
    visited = (kinds >= Hindrance.FREE) & (kinds <= Hindrance.ANSWER)
    if not visited.any():
        return 0.0
    addresses = hosts["address"][visited]
    with np.errstate(divide="ignore", invalid="ignore"):
        paces = 1.0 / (hosts["gap"][visited] + answers_s[visited])
        together = np.bincount(addresses, paces)
        # an address without hosts has no pace, whatever it is allowed
        answer_s = np.bincount(addresses, answers_s[visited]) / np.bincount(addresses)
        gaps_s = agenda.books.addresses["gap"][: len(together)]
        allowed = 1.0 / (gaps_s + np.nan_to_num(answer_s))
    return float(np.minimum(together, allowed).sum())
