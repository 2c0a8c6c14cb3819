"""Times in phases: a page is done after a phase, or goes on to the next one (Cox 1955).

Phases are exponential, so a queue with such times is still a Markov process: its state says in
which phase the page in hand is. Every law can be approached by them, those that vary less than an
exponential one (Erlang) and those that vary more (two kinds of pages: most short, some long).

>>> reading = Coxian(rates=(4.0, 0.5), goes_on=(0.25, 0.0))  # one page in four takes long
>>> reading.mean, round(reading.spread, 3)
(0.75, 3.222)
>>> Coxian.erlang(mean=2.0, phases=4).spread
0.25
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from trapline.core.errors import BadNumber, check_count, check_rate


@dataclass(frozen=True, slots=True)
class Coxian:
    """Phase i has rate `rates[i]` and is followed by the next one with chance `goes_on[i]`."""

    rates: tuple[float, ...]
    goes_on: tuple[float, ...]  # the last is 0

    def __post_init__(self) -> None:
        if not self.rates or len(self.rates) != len(self.goes_on):
            raise BadNumber(
                "the number of chances to go on",
                len(self.goes_on),
                f"that of the phases ({len(self.rates)}), at least 1",
            )
        for rate in self.rates:
            check_rate("the rate of a phase", rate, "each phase ends")
        if not all(0.0 <= chance <= 1.0 for chance in self.goes_on):
            raise BadNumber("a chance to go on", self.goes_on, "between 0 and 1")
        if self.goes_on[-1]:
            raise BadNumber("the last chance to go on", self.goes_on[-1], "0")

    @classmethod
    def exponential(
        cls,
        rate: float,
    ) -> Coxian:
        return cls((rate,), (0.0,))

    @classmethod
    def erlang(
        cls,
        mean: float,
        phases: int,
    ) -> Coxian:
        """A sum of so many exponential phases of equal length."""
        check_rate("the mean time", mean, "what takes no time needs no queue")
        check_count("the number of phases", phases, "each takes its time")
        return cls((phases / mean,) * phases, (1.0,) * (phases - 1) + (0.0,))

    @property
    def phases(self) -> int:
        return len(self.rates)

    def moment(
        self,
        order: int,
    ) -> float:
        """E[T^order], from the last phase back: what is still to come from each on.

        >>> Coxian.exponential(rate=2.0).moment(3)  # 3!/2³
        0.75
        """
        rest = [1.0] * self.phases
        for power in range(1, order + 1):
            following = 0.0
            for phase in range(self.phases - 1, -1, -1):
                here = power * rest[phase] / self.rates[phase]
                following = here + self.goes_on[phase] * following
                rest[phase] = following
        return rest[0]

    @property
    def mean(self) -> float:
        return self.moment(1)

    @property
    def spread(self) -> float:
        """Variance by squared mean: 1 for exponential times, 0 for those that never vary."""
        return self.moment(2) / self.mean**2 - 1.0

    def with_mean(
        self,
        mean: float,
    ) -> Coxian:
        """The same law on another clock.

        >>> Coxian.exponential(rate=2.0).with_mean(4.0)
        Coxian(rates=(0.25,), goes_on=(0.0,))
        """
        check_rate("the mean time", mean, "what takes no time needs no queue")
        factor = self.mean / mean
        if not math.isfinite(factor):
            raise BadNumber("the mean time", mean, f"nearer to {self.mean:g}")
        return Coxian(tuple(rate * factor for rate in self.rates), self.goes_on)
