"""mirror-sync: Microsoft's AsyncMirrorSync: visit rates by mirror descent, without a change rate.

A page of rate r is visited every 1/r. In a share ε of these intervals it is probed once more, at a
uniform moment; the probe and the visit that ends the interval give an estimate of the slope of
staleness, g = m·(stale at the probe − stale at the end)/(ε·r), others give 0. Once a round, pages
with estimates share their rates anew: 1/r' = 1/r + η·ḡ + ν (the log barrier), ν such that Σ r' =
Σ r, r' between 1/16 and 15 times the mean. (Source: Kolobov, Bubeck & Zimmert, "Online learning for
active cache synchronization", ICML 2020, and its code: ε = 0.05 and, for 100 pages, η = 1.3/100.)

Rates are multiples of the mean page's, importance of the mean importance: what a second is does not
matter. An offer is u²/(1 + u)² at u = age/wait, so that the most overdue page goes first.

>>> slope(1.0, 0.05, 2.0, hit=False, stale=True)
-10.0
>>> round(next_rate(1.0, -10.0, 0.013, 0.03), 4)  # 1/(1 − 0.13 + 0.03)
1.1111
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.core.cards import BY_DUE, HELD, Cards
from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays, Pages, Seen
from trapline.policies.mind import Records, as_records, as_table
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

_UNIT: Final = 1e-6  # a second: the rate on the card of a page of rate 1
_LEAST: Final = 0.0625
_MOST: Final = 15.0
_SAME: Final = 1e-6  # in rates that need no renewal, relative
_LOOKS: Final = 32  # cards looked at, at most, for the next one to write anew

LEARNT: Final = np.dtype(
    [(name, np.float64) for name in ("known", "importance", "turns", "cursor", "count")]
)
PAGE: Final = np.dtype(
    [
        ("importance", np.float64),
        ("rate", np.float64),
        ("probe", np.float64),  # when, as a share of the interval; 0 = none
        ("probed", np.float64),  # 1 = that visit was made,
        ("hit", np.float64),  # and found a change
        ("slopes", np.float64),
        ("ended", np.float64),  # intervals, since the rates were shared anew
        ("visits", np.float64),
    ]
)


class Mind(NamedTuple):
    probes: float
    step: float
    seed: int
    learnt: Records  # one
    pages: Records


@bare_kernel
def slope(
    importance: float, probes: float, rate: float, hit: bool, stale: bool
) -> float:
    """An estimate of d(staleness)/d(rate), from a probe that found a change or not and the visit
    at the end of its interval.
    """
    more = (1.0 if hit else 0.0) - (1.0 if stale else 0.0)
    return importance * more / (probes * rate)


@bare_kernel
def next_rate(rate: float, mean_slope: float, step: float, shift: float) -> float:
    """1/(1/r + η·ḡ + ν), between the bounds."""
    longer = 1.0 / rate + step * mean_slope + shift
    if longer <= 1.0 / _MOST:
        return _MOST
    return max(_LEAST, 1.0 / longer)


@bare_kernel
def _next_rate_of(cards: Cards, mind: Mind, page: int, shift: float) -> float:
    """The page's next rate; 0 = it has no estimate, or is gone."""
    pages = mind.pages
    if pages["ended"][page] <= 0.0 or cards["state"][page] != HELD:
        return 0.0
    mean = mind.learnt["importance"][0] / mind.learnt["known"][0]
    mean_slope = pages["slopes"][page] / pages["ended"][page] / max(1e-300, mean)
    return next_rate(pages["rate"][page], mean_slope, mind.step, shift)


@bare_kernel
def _share_rates(cards: Cards, mind: Mind, turns: int) -> None:
    """A step of mirror descent."""
    before = 0.0
    for page in range(turns):
        if _next_rate_of(cards, mind, page, 0.0) > 0.0:
            before += mind.pages["rate"][page]
    low = -1.0 / _LEAST - 1.0
    high = 1.0 / _LEAST + 1.0
    for _ in range(50):
        shift = 0.5 * (low + high)
        total = 0.0
        for page in range(turns):
            total += _next_rate_of(cards, mind, page, shift)
        if total > before:
            low = shift
        else:
            high = shift
    for page in range(turns):
        rate = _next_rate_of(cards, mind, page, 0.5 * (low + high))
        if rate > 0.0:
            mind.pages["rate"][page] = rate
            mind.pages["slopes"][page] = 0.0
            mind.pages["ended"][page] = 0.0


@bare_kernel
def _note_visit(mind: Mind, page: int, changed: bool) -> None:
    pages = mind.pages
    pages["visits"][page] += 1.0
    if pages["probe"][page] > 0.0 and pages["probed"][page] == 0.0:
        pages["probed"][page] = 1.0
        pages["hit"][page] = 1.0 if changed else 0.0
        return
    if pages["probe"][page] > 0.0:
        hit = pages["hit"][page] > 0.0
        importance = pages["importance"][page]
        rate = pages["rate"][page]
        stale = hit or changed
        pages["slopes"][page] += slope(importance, mind.probes, rate, hit, stale)
    pages["ended"][page] += 1.0
    _begin_interval(mind, page)


@bare_kernel
def _begin_interval(mind: Mind, page: int) -> None:
    pages = mind.pages
    drawn = mix_hash(mind.seed, page, int(pages["visits"][page]))
    # of those below ε, drawn/ε is uniform
    pages["probe"][page] = drawn / mind.probes if drawn < mind.probes else 0.0
    pages["probed"][page] = 0.0


@bare_kernel
def _card_rate(mind: Mind, page: int) -> float:
    pages = mind.pages
    part = 1.0
    if pages["probe"][page] > 0.0:
        probe = pages["probe"][page]
        part = probe if pages["probed"][page] == 0.0 else 1.0 - probe
    return float(_UNIT * pages["rate"][page] / part)


@bare_kernel
def _offer(cards: Cards, mind: Mind, page: int) -> None:
    cards["base"][page] = 0.0
    cards["worth"][page, 0] = 1.0
    cards["rate"][page, 0] = _card_rate(mind, page)
    cards["shape"][page, 0] = 1.0


@bare_kernel
def _meet(mind: Mind, page: int, importance: float) -> None:
    learnt = mind.learnt
    pages = mind.pages
    learnt["turns"][0] = max(learnt["turns"][0], page + 1.0)
    if pages["rate"][page] <= 0.0:
        learnt["known"][0] += 1.0
        pages["rate"][page] = 1.0
        _begin_interval(mind, page)
    learnt["importance"][0] += importance - pages["importance"][page]
    pages["importance"][page] = importance


@bare_kernel
def _renew_next(cards: Cards, mind: Mind, turns: int) -> int:
    """Write one waiting page's offer anew, in turn; −1 = none near, or its rate is the same."""
    for _ in range(min(_LOOKS, turns)):
        page = int(mind.learnt["cursor"][0]) % turns
        mind.learnt["cursor"][0] = page + 1.0
        waits = cards["filed"][page] == BY_DUE and mind.pages["rate"][page] > 0.0
        if waits and not 0.0 < cards["base"][page] < math.inf:
            before = cards["rate"][page, 0]
            is_ours = cards["base"][page] == 0.0
            if is_ours and abs(_card_rate(mind, page) - before) <= _SAME * before:
                return -1
            _offer(cards, mind, page)
            return page
    return -1


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    learnt = mind.learnt
    _meet(mind, page, seen.relevance)
    turns = min(int(learnt["turns"][0]), len(cards), len(mind.pages))
    if seen.age_s > 0.0 and not math.isinf(seen.age_s):
        _note_visit(mind, page, seen.changed)
        learnt["count"][0] += 1.0
        if learnt["count"][0] >= learnt["known"][0]:
            _share_rates(cards, mind, turns)
            learnt["count"][0] = 0.0
    _offer(cards, mind, page)
    others[0] = _renew_next(cards, mind, turns)
    return 1 if others[0] >= 0 else 0


class MirrorSync(CardPolicy):
    weighted = True
    page_record = PAGE
    settle_kernel = staticmethod(_settle)

    def __init__(
        self, probes: float = 0.05, step: float = 0.013, seed: float = 0
    ) -> None:
        if not 0.0 < probes <= 1.0:
            raise BadNumber("probes", probes, "above 0 and at most 1")
        if not 0.0 <= step < math.inf:
            raise BadNumber("step", step, "finite and at least 0")
        learnt = np.zeros(1, LEARNT)
        numbers = (float(probes), float(step), int(seed))
        self.mind = Mind(*numbers, learnt, np.zeros(0, PAGE))

    def state(self) -> Arrays:
        return {**super().state(), "learnt": as_table(self.mind.learnt)}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        learnt = as_records(np.asarray(state["learnt"]), LEARNT)
        self.mind = self.mind._replace(learnt=learnt)
