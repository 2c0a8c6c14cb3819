"""The pace of one host, learnt from how it takes our visits: it converges to the site's limit and
stays there.

A refusal (429, 503) says that we came too often; how often is too often is learnt by search. What
was accepted in the second before the first refusal is what the site allows a second (a limit by
window or bucket), and nine tenths of it is the pace; what is accepted from one refusal to the next
corrects it. A site that refuses a second request at once says less: then the pace starts at one a
second, doubles while all goes well, and the limit is closed in between the fastest pace that went
well and the slowest that did not. Once found, a faster pace is tried only after a minute and
hundreds of accepted visits, twice as long each time that it fails.

Only an answer without complaint counts as going well: an error never speeds us up, and errors in a
row postpone the host, longer each time. Seconds are handed in.

>>> pace = LearntPace(gap_s=0.0)
>>> for visit in range(7):
...     pace.note_accepted(visit * 0.01, visit * 0.01 + 0.002)
>>> pace.note_refused(0.07, 0.072, retry_after_s=0.0)
1.072
>>> round(1.0 / (pace.gap_s + pace.latency_s), 2)
6.3
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass, field, fields
from typing import Final

import numpy as np
from numpy.typing import NDArray

SAFETY: Final = 0.9  # of what a site was seen to allow;
COUNTED: Final = 0.95  # of it, where hundreds of visits say so
CLOSE: Final = 1.12  # two paces this near to each other need no other between them
# accepted in the second before the first refusal, from which on their number is believed
TELLING: Final = 3
MOST_COUNTED: Final = 1_000  # in a second
# visits in a row at a pace, until it is known to go well; more where bursts are allowed
PROOF: Final = 8
EARLY_PROOF: Final = 3  # while the pace still doubles
# before a faster pace is tried again, doubled each time that it fails,
PATIENCE_S: Final = 60.0
MOST_PATIENCE_S: Final = 86_400.0  # up to a day;
PATIENCE: Final = 200  # and at least so many visits
SEARCHING: Final = 0.0  # no patience: the limit is not known yet
FASTER: Final = 1.15  # what is tried then
LONGEST_S: Final = 3_600.0
TOLERATED: Final = 2  # errors in a row before a host is left alone for a while


def _nothing() -> deque[float]:
    return deque(maxlen=MOST_COUNTED)


@dataclass(slots=True)
class LearntPace:
    """`gap_s` (at construction: what manners ask for) is what the host is owed.

    Numbers, so that it can be saved; the last second need not be.
    """

    gap_s: float
    least_s: float = -1.0  # the gap that manners ask for
    # learnt, from one start to the next; 0 = the host never refused us
    interval_s: float = 0.0
    good_s: float = math.inf  # the shortest interval that went well
    bad_s: float = 0.0  # the longest that was refused
    # running mean, quick to fall: after a slow answer the next must not come too soon
    latency_s: float = 0.0
    started_s: float = -math.inf  # the last visit that was accepted
    refused_s: float = -math.inf  # when a row of refusals last began
    since: float = 0.0  # accepted since then
    # accepted before the first refusal, which may have been allowed only once
    burst: float = 0.0
    proof: float = 0.0  # visits in a row that went well at this interval
    paced_s: float = 0.0  # since when it is this one
    patience_s: float = SEARCHING
    refusals: float = 0.0  # in a row
    troubles: float = 0.0  # errors in a row
    # starts within the last second
    lately_s: deque[float] = field(default_factory=_nothing, compare=False)

    def __post_init__(self) -> None:
        if self.least_s < 0.0:
            self.least_s = self.gap_s

    def owe(self, least_s: float) -> None:
        """Manners ask for another gap: the settings have changed, or robots.txt has."""
        self.least_s = least_s
        self._write_gap()

    def note_accepted(self, started_s: float, ended_s: float) -> None:
        """The host answered without complaint."""
        lasted_s = ended_s - started_s
        self.latency_s += (lasted_s - self.latency_s) * (
            0.1 if lasted_s > self.latency_s else 0.5
        )
        self._tally(started_s)
        self.refusals = self.troubles = 0.0
        # a slower visit proves nothing
        steady = started_s - self.started_s <= 1.5 * self.interval_s
        self.proof += steady
        self.started_s = started_s
        if self.interval_s > 0.0:
            self._try_faster(started_s)
        self._write_gap()

    def note_refused(
        self, started_s: float, ended_s: float, retry_after_s: float
    ) -> float:
        """The host says that we come too often; returns until when it is to be left alone."""
        if self.interval_s == 0.0:
            self._first_refusal(started_s)
        elif self.since > 0.0:
            # else it still says the same: it wants to be left alone, not another pace
            self._refused_again(started_s)
        self.proof = self.since = 0.0
        self.refusals += 1.0
        self._write_gap()
        return ended_s + max(
            retry_after_s, min(float(2.0 ** (self.refusals - 1.0)), LONGEST_S)
        )

    def note_trouble(self, ended_s: float) -> float:
        """No answer, or an error of the server; returns until when it is to be left alone (−∞: as
        ever).
        """
        self.troubles += 1.0
        self.proof = 0.0
        if self.troubles <= TOLERATED:
            return -math.inf
        return ended_s + min(
            10.0 * float(2.0 ** (self.troubles - TOLERATED - 1.0)), LONGEST_S
        )

    def move_times(self, by_s: float) -> None:
        self.started_s += by_s
        self.refused_s += by_s
        self.paced_s += by_s
        self.lately_s = deque((one_s + by_s for one_s in self.lately_s), MOST_COUNTED)

    def _tally(self, started_s: float) -> None:
        lately_s = self.lately_s
        lately_s.append(started_s)
        while lately_s[0] <= started_s - 1.0:
            lately_s.popleft()
        self.since += 1.0

    def _first_refusal(self, started_s: float) -> None:
        """From then on there is a pace; what it was before says little, since a burst may have been
        allowed.
        """
        seen = max(sum(one_s > started_s - 1.0 for one_s in self.lately_s), 1)
        own_s = self.least_s + self.latency_s
        told = seen >= TELLING
        self.burst = min(self.since, 10.0 * seen)
        self.bad_s = max(1.0 / seen, own_s) if told else own_s
        self.patience_s = PATIENCE_S if told else SEARCHING
        self.refused_s = started_s
        self._go(max(1.0 / seen, own_s) / SAFETY, started_s)

    def _refused_again(self, started_s: float) -> None:
        seconds = started_s - self.refused_s
        self.refused_s = started_s
        # it was only a try: back to what went well
        if self.interval_s < self.good_s < math.inf:
            self.bad_s = self.interval_s
            self.patience_s = min(2.0 * self.patience_s, MOST_PATIENCE_S)
            self._go(self.good_s, started_s)
            return
        told = self.since >= TELLING and seconds >= 1.0
        safety = COUNTED if self.since >= PATIENCE else SAFETY
        slower = seconds / (safety * self.since) if told else 2.0 * self.interval_s
        most_s = (
            LONGEST_S if told and self.good_s == math.inf else 2.0 * self.interval_s
        )
        self.good_s = math.inf
        self.bad_s = self.interval_s
        self.patience_s = max(self.patience_s, PATIENCE_S) if told else SEARCHING
        self._go(min(max(slower, self.interval_s / SAFETY), most_s), started_s)

    def _try_faster(self, now_s: float) -> None:
        """A pace that went well for long enough is good; then a faster one is tried: soon while
        searching.
        """
        searching = self.patience_s == SEARCHING
        if self.proof < self._proof_wanted(searching):
            return
        was = self.good_s
        self.good_s = self.interval_s
        if searching and self.good_s <= CLOSE * self.bad_s:
            self.patience_s = PATIENCE_S
        elif searching:
            self._go(max(math.sqrt(self.good_s * self.bad_s), self.good_s / 2.0), now_s)
        elif self.good_s < was < math.inf or self._waited(now_s):
            # a try went well: the limit has risen; or may have
            self._go(self.good_s / FASTER, now_s)

    def _waited(self, now_s: float) -> bool:
        return self.proof >= PATIENCE and now_s - self.paced_s >= self.patience_s

    def _proof_wanted(self, searching: bool) -> float:
        """A pace a little too fast uses up what a burst is allowed before it is refused."""
        if searching:
            return EARLY_PROOF if self.interval_s > 2.0 * self.bad_s else PROOF
        return max(PROOF, self.burst / (FASTER - 1.0))

    def _go(self, interval_s: float, now_s: float) -> None:
        self.interval_s = interval_s
        self.proof = 0.0
        self.paced_s = now_s
        # manners are slower than what the site bears
        if interval_s <= self.least_s + self.latency_s:
            self.interval_s = 0.0
            self.good_s = math.inf
            self.bad_s = 0.0

    def _write_gap(self) -> None:
        self.gap_s = max(self.least_s, self.interval_s - self.latency_s)


_SAVED: Final = [one.name for one in fields(LearntPace) if one.name != "lately_s"]


def pack_paces(paces: dict[int, LearntPace]) -> NDArray[np.float64]:
    """One row a host: its number, then its numbers."""
    rows = [
        (host, *(getattr(pace, name) for name in _SAVED))
        for host, pace in paces.items()
    ]
    return np.array(rows, np.float64).reshape(-1, 1 + len(_SAVED))


def unpack_paces(rows: NDArray[np.generic]) -> dict[int, LearntPace]:
    """The other way.

    >>> unpack_paces(pack_paces({3: LearntPace(gap_s=0.5)})) == {3: LearntPace(gap_s=0.5)}
    True
    """
    return {
        int(host): LearntPace(*numbers)
        for host, *numbers in np.asarray(rows, np.float64).tolist()
    }
