"""A rate that may drift: events by time, remembered until what is new contradicts what is old.

Adaptive windowing (Bifet & Gavaldà, "Learning from time-changing data with adaptive windowing",
2007) for rates: what was seen is kept in blocks, the old ones merged to twice the size, so that
some 20 of them hold 10^5 events. At each seam the rate after it is compared with the rate before;
if they differ by more than six standard deviations of Poisson counts, what lies before is
forgotten. Times that scatter more than exponential ones widen the deviation. So a long memory and a
quick change of mind go together: a rate that doubles is noticed after some 80 events, one that
moves by a tenth after some 4,000.

>>> rate = DriftingRate()
>>> for _ in range(100):
...     rate.add(count=32, time=16.0)
>>> rate.rate, rate.changes
(2.0, 0)
>>> for _ in range(4):
...     rate.add(count=32, time=4.0)
>>> rate.rate, rate.changes
(8.0, 1)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

# squared deviations: six standard ones, because many seams are looked at many times
_SURE: Final = 36.0
_LEAST: Final = 16  # events that can contradict
# blocks of one size; when there is one more, the two oldest are merged
_ALIKE: Final = 2
_MEMORY: Final = 1e5  # events; the oldest block beyond them is forgotten
_LESSON: Final = 0.02  # of the dispersion, from each part that was not contradicted


@dataclass(frozen=True, slots=True)
class _Block:
    count: float
    time: float
    doublings: int = 0
    # squared deviation of the count from what was expected, in units of what was expected
    scatter: float = 1.0

    def __add__(self, other: _Block) -> _Block:
        return _Block(
            self.count + other.count, self.time + other.time, self.doublings + 1
        )


class DriftingRate:
    def __init__(self) -> None:
        self._blocks: list[_Block] = []  # oldest first
        self._dispersion = 1.0
        self.count = 0.0  # events remembered
        self._time = 0.0
        self.changes = 0  # times that it forgot

    @property
    def rate(self) -> float:
        """NaN before any time has passed."""
        return self.rate_with(0, 0.0)

    def rate_with(self, count: int, time: float) -> float:
        """The rate if this, too new to be judged, were added."""
        time += self._time
        return (self.count + count) / time if time > 0.0 else math.nan

    def add(self, count: int, time: float) -> None:
        """So many events in so much time."""
        if not count and not time:
            return
        expected = self.count / self._time * time if self._time > 0.0 else 0.0
        scatter = (count - expected) ** 2 / expected if expected > 1.0 else 1.0
        self._blocks.append(_Block(count, time, 0, scatter))
        self.count += count
        self._time += time
        self._merge()
        if seam := self._contradiction():
            self.changes += 1
            self._forget(seam)
        elif self.count - self._blocks[0].count >= _MEMORY:
            self._forget(1)

    def _merge(self) -> None:
        """Sizes never grow from old to young; the two oldest of a size that has become common are
        merged.
        """
        blocks = self._blocks
        end = len(self._blocks)
        while (
            end > _ALIKE
            and blocks[end - _ALIKE - 1].doublings == blocks[end - 1].doublings
        ):
            end -= _ALIKE
            old = blocks[end - 1]
            young = blocks[end]
            if not old.doublings:
                self._note_scatter((old.scatter + young.scatter) / 2)
            blocks[end - 1 : end + 1] = [old + young]

    def _note_scatter(self, scatter: float) -> None:
        """Learnt late, when what scattered has not been contradicted: a change is no reason to
        doubt the next one.
        """
        self._dispersion = max(
            1.0, self._dispersion + _LESSON * (scatter - self._dispersion)
        )

    def _contradiction(self) -> int:
        """The seam, counted from the oldest block, whose two sides differ too much; 0 = none."""
        new_count = new_time = 0.0
        doubt = _SURE * self._dispersion
        for seam in range(len(self._blocks) - 1, 0, -1):
            new_count += self._blocks[seam].count
            new_time += self._blocks[seam].time
            old_count = self.count - new_count
            old_time = self._time - new_time
            if (
                new_count < _LEAST
                or old_count < _LEAST
                or new_time <= 0.0
                or old_time <= 0.0
            ):
                continue
            apart = math.log(new_count / new_time * old_time / old_count)
            if apart * apart > doubt * (1 / new_count + 1 / old_count):
                return seam
        return 0

    def _forget(self, seam: int) -> None:
        del self._blocks[:seam]
        self.count = sum(block.count for block in self._blocks)
        self._time = sum(block.time for block in self._blocks)
