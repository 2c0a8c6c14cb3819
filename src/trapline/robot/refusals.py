"""Pages that robots.txt forbids, found out when they were about to be visited.

To find out takes time, and a host may have rules that take much of it, and any number of pages that
they forbid. So a call spends only so much on it; and a host that took up much of that pays: it is
not looked at for `PAY` times as long, times the number of hosts that pay meanwhile. All of them
together thus have one part in `PAY` of the processor, and other hosts the rest.

>>> refusals = Refusals()
>>> refusals.begin()
>>> refusals.refuse(7, 0, Judgement(False, 1e-3), now_s=10.0)
>>> refusals.refuse(8, 0, Judgement(False, 2e-3), now_s=10.0)
10.152
>>> refusals.pages, refusals.is_enough()
({7: None, 8: 10.152}, False)
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from trapline.core.records import Judgement

PAY: Final = 50.0
LEAST_S: Final = 20e-6  # of processor, that a refusal costs whatever the rules
FREE_S: Final = 2.5e-3  # of processor, that a host may take up in one call
LONGEST_S: Final = 3600.0  # that anybody pays
MOST_S: Final = 5e-3  # of processor, that one call spends on judging pages


class Refusals:
    def __init__(self) -> None:
        # of the call under way: page → when its host may be looked at again; None = at once
        self.pages: dict[int, float | None] = {}
        self._spent_s = 0.0
        self._spent_on: Counter[int] = Counter()  # microseconds, by host
        self._paying: dict[int, float] = {}  # host → until when

    def begin(self) -> None:
        self.pages = {}
        self._spent_s = 0.0
        self._spent_on.clear()

    def is_enough(self) -> bool:
        """Whether the call under way should end here."""
        return self._spent_s > MOST_S

    def spend(self, host: int, judgement: Judgement) -> None:
        """A page was judged, and may be visited."""
        cost_s = judgement.cost_s
        if host not in self._spent_on:
            cost_s += judgement.load_s
        self._spent_s += cost_s
        self._spent_on[host] += round(1e6 * cost_s)

    def refuse(
        self, page: int, host: int, judgement: Judgement, now_s: float
    ) -> float | None:
        """Returns until when the host pays for it, if it does."""
        cost_s = judgement.cost_s + LEAST_S
        self.spend(host, judgement._replace(cost_s=cost_s))
        spent_s = 1e-6 * self._spent_on[host]
        until_s = self._pay(host, spent_s, now_s) if spent_s > FREE_S else None
        self.pages[page] = until_s
        return until_s

    def _pay(self, host: int, spent_s: float, now_s: float) -> float:
        paying = self._paying
        over = [
            one
            for one, until_s in paying.items()
            # far away: the clock was set back
            if not now_s < until_s < now_s + LONGEST_S
        ]
        for other in over:
            del paying[other]
        paying.pop(host, None)
        pays_s = min(PAY * spent_s * (len(paying) + 1), LONGEST_S / 2)
        until_s = round(now_s + pays_s, 6)
        paying[host] = until_s
        return until_s
