"""What allocations share: offers by how often each page is to be visited (`budget_share`).

A page that is to be visited f times as often as the mean page offers u²/(1 + u)² at u = f·age: who
is most overdue goes first, whatever the budget turns out to be. *Evenly spaced* visits are 1/f
apart. *Poisson-timed* visits are apart by 1/f times a draw from the exponential law, the same draw
however often the offer is written anew. With each visit one other page's offer is written anew, in
turn.
"""

from __future__ import annotations

import math
from typing import Final, Self

import numpy as np

from trapline.core.cards import BY_DUE, Cards
from trapline.core.errors import BadNumber, UnknownName, check_rate
from trapline.core.ports import NOTHING_TO_SAY, Arrays, Explanation, Pages, Seen
from trapline.policies.mind import as_records, as_table
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.peers.budget_share import (
    DAY_S,
    LEARNT,
    LIKELIEST,
    PAGE,
    Mind,
    Settings,
    estimate_rate,
    is_time,
    note_visit,
    relative_rate,
    share_budget,
    unsignalled_rate,
)
from trapline.policies.refresh.peers.visit_rates import NO_RATE
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.policies.wording import say_rate
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

TIMINGS: Final = ("even", "poisson")

_UNIT: Final = 1e-6  # a second: the rate on the card of the mean page
_LOOKS: Final = 32  # cards looked at, at most, for the next one to write anew
_SAME: Final = 0.02  # in rates that need no renewal, relative


@bare_kernel
def _card_rate(mind: Mind, page: int) -> float:
    if mind.settings.rule == NO_RATE:
        return unsignalled_rate(mind, page)
    rate = _UNIT * relative_rate(mind, page)
    if mind.settings.poisson:
        drawn = mix_hash(mind.settings.seed, page, int(mind.pages["visits"][page]))
        rate /= -math.log(drawn)
    return rate


@bare_kernel
def _offer(cards: Cards, mind: Mind, page: int) -> None:
    cards["base"][page] = 0.0
    cards["rate"][page, 0] = _card_rate(mind, page)
    if mind.settings.rule == NO_RATE:
        rate = mind.pages["rate"][page]
        cards["worth"][page, 0] = mind.pages["importance"][page] / rate
        cards["shape"][page, 0] = math.inf
    else:
        cards["worth"][page, 0] = 1.0
        cards["shape"][page, 0] = 1.0


@bare_kernel
def _renew(cards: Cards, mind: Mind, page: int) -> bool:
    """Write a waiting page's offer anew; False = it stays as it is."""
    # nothing is known of it, or something was announced
    if mind.pages["importance"][page] <= 0.0 or 0.0 < cards["base"][page] < math.inf:
        return False
    mind.pages["rate"][page] = estimate_rate(mind, page)
    before = cards["rate"][page, 0]
    is_ours = cards["base"][page] == 0.0
    if is_ours and abs(_card_rate(mind, page) - before) <= _SAME * before:
        return False
    _offer(cards, mind, page)
    return True


@bare_kernel
def _next_waiting(cards: Cards, mind: Mind, pages: int) -> int:
    """The next page that waits for its time, in turn; −1 = none near."""
    for _ in range(min(_LOOKS, pages)):
        page = int(mind.learnt["cursor"][0]) % pages
        mind.learnt["cursor"][0] = page + 1.0
        if cards["filed"][page] == BY_DUE:
            return page
    return -1


@bare_kernel
def settle_allocation(
    cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages
) -> int:
    learnt = mind.learnt
    note_visit(cards, mind, page, seen)
    mind.pages["rate"][page] = estimate_rate(mind, page)
    if mind.settings.rule != NO_RATE and is_time(mind, seen.now_s):
        share_budget(cards, mind, seen.now_s)
    _offer(cards, mind, page)
    if mind.settings.closed_s > 0.0:
        cards["not_before"][page] = seen.now_s + mind.settings.closed_s
    turns = min(int(learnt["turns"][0]), len(cards), len(mind.pages))
    other = _next_waiting(cards, mind, turns)
    if other < 0 or not _renew(cards, mind, other):
        return 0
    others[0] = other
    return 1


class Allocation(CardPolicy):
    page_record = PAGE
    settle_kernel = staticmethod(settle_allocation)

    def _keep(
        self,
        rule: int,
        estimator: int = LIKELIEST,
        *,
        timing: str = "even",
        signalled: float = 0,
        imaginary_s: float = 0.0,
        slowest_s: float = 315_360_000.0,
        fastest_s: float = 10.0,
        closed_s: float = 0.0,
        fades_s: float = DAY_S,
        seed: float = 0,
    ) -> None:
        if timing not in TIMINGS:
            raise UnknownName("timing", timing, list(TIMINGS))
        if signalled not in (0, 1):
            raise BadNumber("signalled", signalled, "0 or 1")
        for name, seconds in (("imaginary_s", imaginary_s), ("closed_s", closed_s)):
            if not 0.0 <= seconds < math.inf:
                raise BadNumber(name, seconds, "a finite number of seconds, at least 0")
        check_rate("fades_s", fades_s, "seconds")
        check_rate("fastest_s", fastest_s, "seconds between changes of the fastest")
        if not fastest_s < slowest_s < math.inf:
            raise BadNumber("slowest_s", slowest_s, f"finite and above {fastest_s}")
        settings = Settings(
            rule,
            estimator,
            timing == "poisson",
            signalled == 1,
            float(imaginary_s),
            1.0 / slowest_s,
            1.0 / fastest_s,
            float(closed_s),
            float(fades_s),
            int(seed),
        )
        self.mind = Mind(settings, np.zeros(1, LEARNT), np.zeros(0, PAGE))

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls()

    def explain(self, page: int, host: int) -> Explanation:
        mind = self.mind
        if page >= len(mind.pages) or mind.pages["rate"][page] <= 0.0:
            return NOTHING_TO_SAY
        rate = float(mind.pages["rate"][page])
        values = {"change_rate": rate}
        lines = [("estimated changes", say_rate(rate))]
        if mind.settings.rule != NO_RATE:
            share = float(relative_rate(mind, page))
            values["share"] = share
            lines.append(("is visited", f"{share:.3g} times as often as the mean page"))
        return Explanation(values, lines)

    def move_times(self, by_s: float) -> None:
        self.mind.learnt["since"] += by_s

    def state(self) -> Arrays:
        return {
            "memory": as_table(self.mind.pages),
            "learnt": as_table(self.mind.learnt),
        }

    def restore(self, state: Arrays) -> None:
        self.mind = self.mind._replace(
            learnt=as_records(np.asarray(state["learnt"]), LEARNT),
            pages=as_records(np.asarray(state["memory"]), PAGE),
        )
