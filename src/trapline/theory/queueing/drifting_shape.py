"""How much measured times vary: spread and tail by the sums of their powers, with a prior.

A few times say little about rare long ones. So, as long as little is known, as many exponential
times as `_PRIOR` are believed to have been seen beside them; and from `_MEMORY` times on, the old
ones count less and less.

>>> shape = DriftingShape()
>>> shape.add(count=1600, sums=(1600.0, 1600.0, 1600.0))  # all took one second
>>> round(shape.moments.spread, 3), round(shape.moments.tail, 3)
(0.01, 0.686)
"""

from __future__ import annotations

from typing import Final

from trapline.theory.queueing.coxian_fits import Moments

_PRIOR: Final = 16.0
_MEMORY: Final = 20_000.0

Sums = tuple[float, float, float]


class DriftingShape:
    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._count = 0.0
        self._sums: Sums = (0.0, 0.0, 0.0)

    def add(
        self,
        count: int,
        sums: Sums,
    ) -> None:
        """So many times, with the sums of their first, second and third powers."""
        kept = 0.5 if self._count > _MEMORY else 1.0
        first, second, third = self._sums
        self._count = kept * self._count + count
        self._sums = (
            kept * first + sums[0],
            kept * second + sums[1],
            kept * third + sums[2],
        )

    @property
    def moments(self) -> Moments:
        """Those of an exponential law before anything is known."""
        first, second, third = self._sums
        if not (self._count and first > 0.0):
            return Moments(1.0, 1.0, 1.0)
        mean = first / self._count
        return Moments.of_sums(
            self._count + _PRIOR,
            first + _PRIOR * mean,
            second + _PRIOR * 2.0 * mean**2,
            third + _PRIOR * 6.0 * mean**3,
        )
