"""Whether the clock can be trusted, by the dates that hosts send with their answers.

One host may be wrong, or lie. When several were heard, the middle one of what they say tells how
far our clock is from theirs. A clock that is far off is no judge of the dates that pages give.

>>> dates = HostDates()
>>> for host in range(SEVERAL):
...     dates.note(host, date_s=1000.0, now_s=1000.0 + 5 * 365 * 86400.0)
>>> dates.suspect, round(dates.off_s / 86400.0)
(True, -1825)
"""

from __future__ import annotations

import math
from statistics import median
from typing import Final

SEVERAL: Final = 3  # hosts that are heard before their dates count
MOST: Final = 100  # hosts that are heard
# A clock that is set to the wrong time zone is hours off; servers are minutes off at most.
FAR_S: Final = 3_600.0


class HostDates:
    def __init__(self, *, suspect: bool = False) -> None:
        """`suspect`: whether there is reason to distrust the clock before anybody was heard."""
        self.suspect = suspect
        self._off_s: dict[int, float] = {}  # host → its date less our time

    @property
    def off_s(self) -> float:
        """By how much hosts are ahead of our clock; nan = too few were heard."""
        heard = self._off_s.values()
        return median(heard) if len(heard) >= SEVERAL else math.nan

    def note(self, host: int, date_s: float, now_s: float) -> None:
        """What a host says that the time is (nan = nothing)."""
        if math.isnan(date_s) or host in self._off_s or len(self._off_s) >= MOST:
            return
        self._off_s[host] = date_s - now_s
        off_s = self.off_s
        if not math.isnan(off_s):
            self.suspect = abs(off_s) > FAR_S

    def start_over(self) -> None:
        """Our clock was set: what hosts said of it says nothing any more."""
        self._off_s.clear()
