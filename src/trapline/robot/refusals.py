"""Pages that robots.txt forbids, found out when they were about to be visited.

To find out takes time, and a host may have rules that take much of it, and any number of pages that
they forbid. So a call refuses only so many; and a host pays for what it costs: it is not looked at
for `PAY` times as long, times the number of hosts that pay meanwhile. All of them together thus
have one part in `PAY` of the processor, and other hosts the rest.

>>> refusals = Refusals()
>>> refusals.begin()
>>> refusals.refuse(7, host=0, cost_s=1e-3, now_s=10.0)
10.051
>>> refusals.pages, refusals.is_enough()
([(7, 10.051)], False)
"""

from __future__ import annotations

from typing import Final

PAY: Final = 50.0
LEAST_S: Final = 20e-6  # of processor, that a refusal costs whatever the rules
MOST_S: Final = 5e-3  # of processor, that one call spends on judging pages
MOST: Final = 32  # refusals in one call


class Refusals:
    def __init__(self) -> None:
        # (page, when its host may be looked at again): of the call under way
        self.pages: list[tuple[int, float]] = []
        self._spent_s = 0.0
        self._paying: dict[int, float] = {}  # host → until when

    def begin(self) -> None:
        self.pages = []
        self._spent_s = 0.0

    def is_enough(self) -> bool:
        """Whether the call under way should end here."""
        return self._spent_s > MOST_S or len(self.pages) >= MOST

    def spend(self, cost_s: float) -> None:
        """A page was judged."""
        self._spent_s += cost_s

    def refuse(self, page: int, host: int, cost_s: float, now_s: float) -> float:
        """Returns until when the host pays for it."""
        paying = self._paying
        for other in [one for one, until_s in paying.items() if until_s <= now_s]:
            del paying[other]
        until_s = now_s + PAY * (cost_s + LEAST_S) * (len(paying) + 1)
        until_s = round(until_s, 6)
        paying[host] = until_s
        self.pages.append((page, until_s))
        return until_s
