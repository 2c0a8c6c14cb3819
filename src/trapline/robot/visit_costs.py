"""What visits cost (`whittle`, eq. 5: Σ C_i·v_i = M), learnt from visits that were made.

A budget is of visits, of bytes as they come over the wire, or of seconds from asking to answer. Its
unit is a visit, 100 kB or 1 s, so that prices, which are per unit, have about the same size. What a
page costs is expected by the mean of its own visits, under a prior by its host's, under one by all.
A page that mostly answers "not modified" is cheap, and so may be visited more often. What is spent
is what a visit was expected to cost when it was bought, and the difference once it is known.

>>> costs = VisitCosts(CostKind.BYTES)
>>> costs.of_page(page=7, host=0)  # nothing is known yet
1.0
>>> for _ in range(9):
...     costs.learn(page=7, host=0, units=costs.units(took_s=0.2, received=20_000))
>>> round(costs.of_page(page=7, host=0), 2), round(costs.of_page(page=8, host=0), 2)
(0.2, 0.21)
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.ports import Arrays
from trapline.policies.wording import say_rate

Floats = NDArray[np.float64]


class CostKind(StrEnum):
    VISITS = "visits"
    BYTES = "bytes"
    SECONDS = "seconds"


# in one unit of a budget
UNIT: Final = {CostKind.VISITS: 1.0, CostKind.BYTES: 1e5, CostKind.SECONDS: 1.0}
LEAST: Final = (
    0.01  # units; a visit is never for nothing, or its price would be without bound
)

_SIZES: Final = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "B"))
_TRUST: Final = 1.0  # visits that a prior is as good as
_PAGE: Final = 0.9  # of a page's visits is kept at the next one: it remembers about ten
_HOST: Final = 0.99
_ALL: Final = 0.999


def say_cost(
    units: float,
    kind: CostKind,
) -> str:
    """What a visit costs, for people.

    >>> say_cost(0.43, CostKind.BYTES), say_cost(2.5, CostKind.SECONDS)
    ('43 kB', '2.5 s')
    """
    if kind is CostKind.VISITS:
        return f"{units:.3g} visit{'s' * (units != 1.0)}"
    amount = units * UNIT[kind]
    if kind is CostKind.SECONDS:
        return f"{amount:.3g} s"
    size, name = next((one for one in _SIZES if amount >= one[0]), _SIZES[-1])
    return f"{amount / size:.3g} {name}"


def say_spend(
    per_s: float,
    kind: CostKind,
) -> str:
    """A budget, for people.

    >>> say_spend(5.0, CostKind.BYTES), say_spend(2.0, CostKind.SECONDS)
    ('500 kB a second', '2 s of fetching a second')
    >>> say_spend(0.5, CostKind.VISITS)
    '0.5 a second'
    """
    if kind is CostKind.VISITS:
        return say_rate(per_s)
    of = " of fetching" if kind is CostKind.SECONDS else ""
    return f"{say_cost(per_s, kind)}{of} a second"


class _Sums:
    """Fading counts of visits and of what they cost, by number."""

    def __init__(
        self,
        kept: float,
    ) -> None:
        self.kept = kept
        self.count = np.zeros(0)
        self.spent = np.zeros(0)

    def add(
        self,
        number: int,
        units: float,
    ) -> None:
        if number >= len(self.count):
            self._grow(number + 1)
        self.count[number] = self.kept * self.count[number] + 1.0
        self.spent[number] = self.kept * self.spent[number] + units

    def _grow(
        self,
        least: int,
    ) -> None:
        have = len(self.count)
        more = max(least, 2 * have) - have
        self.count = np.pad(self.count, (0, more))
        self.spent = np.pad(self.spent, (0, more))

    def mean(
        self,
        number: int,
        prior: float,
    ) -> float:
        if number >= len(self.count):
            return prior
        count = float(self.count[number])
        spent = float(self.spent[number])
        return (spent + _TRUST * prior) / (count + _TRUST)

    def means(
        self,
        numbers: int,
        prior: float,
    ) -> Floats:
        """Of the first so many."""
        means = np.full(numbers, prior)
        known = min(numbers, len(self.count))
        spent = self.spent[:known] + _TRUST * prior
        means[:known] = spent / (self.count[:known] + _TRUST)
        return means

    def table(self) -> Floats:
        return np.stack((self.count, self.spent))

    def restore(self, table: NDArray[np.generic]) -> None:
        self.count, self.spent = np.array(table, np.float64)


class VisitCosts:
    def __init__(
        self,
        kind: CostKind,
    ) -> None:
        self.kind = kind
        self._all = _Sums(_ALL)
        self._hosts = _Sums(_HOST)
        self._pages = _Sums(_PAGE)

    @property
    def counts(self) -> bool:
        """Whether visits differ in cost."""
        return self.kind is not CostKind.VISITS

    def units(
        self,
        took_s: float,
        received: int,
    ) -> float:
        """What a visit has cost that took so long and brought so many bytes."""
        if not self.counts:
            return 1.0
        spent = took_s
        if self.kind is CostKind.BYTES:
            spent = float(received)
        return max(LEAST, spent / UNIT[self.kind])

    def learn(
        self,
        page: int,
        host: int,
        units: float,
    ) -> None:
        """A visit has cost so much."""
        self._all.add(0, units)
        self._hosts.add(host, units)
        self._pages.add(page, units)

    @property
    def usual(self) -> float:
        """Of a visit anywhere."""
        return self._all.mean(0, 1.0)

    def of_host(
        self,
        host: int,
    ) -> float:
        """Of a visit to a page that was never visited."""
        return self._hosts.mean(host, self.usual)

    def of_hosts(
        self,
        hosts: int,
    ) -> Floats:
        return self._hosts.means(hosts, self.usual)

    def of_page(
        self,
        page: int,
        host: int,
    ) -> float:
        prior = self.of_host(host)
        return self._pages.mean(page, prior)

    def known_visits(
        self,
        page: int,
    ) -> float:
        """How many of a page's own visits its cost is known from; they fade."""
        if page >= len(self._pages.count):
            return 0.0
        return float(self._pages.count[page])

    def save(self) -> Arrays:
        if not self.counts:
            return {}
        sums = {"all": self._all, "hosts": self._hosts, "pages": self._pages}
        saved = {name: one.table() for name, one in sums.items()}
        return {"kind": np.array([str(self.kind)]), **saved}

    def load(
        self,
        saved: Arrays,
    ) -> bool:
        """False = visits were counted in another unit, and nothing is known of this one."""
        kind = "visits"
        if "kind" in saved:
            [kind] = np.asarray(saved["kind"]).tolist()
        if kind != self.kind:
            return False
        if self.counts:
            self._all.restore(saved["all"])
            self._hosts.restore(saved["hosts"])
            self._pages.restore(saved["pages"])
        return True
