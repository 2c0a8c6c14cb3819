"""Activity clocks of groups of pages: what `posterior` learns from pages about others.

The mathematics is in theory/change_rate/activity.py. Each group keeps a ring of BINS bins of time;
a bin is about a tenth of a round of all pages, a power of two of seconds, and a group's ring is
recast when that has changed. How much each kind of group tells (its weight, from 0 to 1) is learnt
by how well it predicts what visits find; one that does not predict is dropped.

A visit that moves a clock by a bin or more *stirs* the group: the offers of its pages are rewritten
by the new age, a few with each visit, in turn with other stirred groups.

A page that never joined a group has no clock, and ages as it always did.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from trapline.core.cards import BY_DUE, Cards
from trapline.core.page_groups import NO_GROUPS
from trapline.core.ports import Pages
from trapline.policies.mind import Records
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.change_rate.activity import (
    activity,
    chance_of_change,
    fit_hazard,
    on_group_time,
    predictive_step,
)
from trapline.theory.kernel import bare_kernel

KINDS: Final = len(NO_GROUPS)
BINS: Final = 32
_BINS_A_ROUND: Final = 10.0
_DOUBTED: Final = 5.0  # information on a weight that the first guess has
_REMEMBERED: Final = 300.0  # and at most: weights may change
_STEP: Final = 0.05  # of a weight at a visit, at most
_STIRRED: Final = (
    1.0  # bins by which a clock moved since its pages' offers were written
)
_LOOKS: Final = 16  # pages of a stirred group looked at, at most, at a visit
_LATEST_S: Final = 3e8  # ten years
_SAME: Final = 0.02  # in ages that need no new offer, relative

# of all clocks: bins are counted from `origin_s`; queue of stirred groups, as rows + 1
CLOCK: Final = np.dtype(
    [
        ("width_s", np.float64),  # of a bin; 0 = there was no round yet
        ("origin_s", np.float64),
        ("weight", np.float64, (KINDS,)),
        ("information", np.float64, (KINDS,)),  # on the weights
        ("rows", np.float64),  # groups that there are
        ("first", np.float64),
        ("last", np.float64),
    ]
)
PAGE_CLOCK: Final = np.dtype(
    [
        ("joined", np.float64),  # 1 = it was told its groups
        ("met_s", np.float64),
        ("group", np.float64, (KINDS,)),  # row + 1; 0 = none
        ("next", np.float64, (KINDS,)),  # page of the group, in a ring
        ("worth", np.float64),  # its offer, by its groups' clock
        ("rate", np.float64),
        # Y at about the age at which it is visited next, and how it grows from there
        ("hazard", np.float64),
        ("power", np.float64),
        ("age_s", np.float64),
    ]
)
GROUP: Final = np.dtype(
    [
        ("width_s", np.float64),  # of its bins
        ("newest", np.float64),  # number of its last bin; bin n is at n % BINS
        ("members", np.float64),
        ("cursor", np.float64),  # page whose offer was rewritten last
        ("waiting", np.float64),  # offers to rewrite; 0 = it is not stirred
        ("following", np.float64),  # in the queue of stirred groups, as row + 1
        ("drift", np.float64),  # bins by which its clock moved since it was stirred
        ("found", np.float64, (BINS,)),
        ("expected", np.float64, (BINS,)),
    ]
)


class Clocks(NamedTuple):
    state: Records  # one CLOCK
    pages: Records
    groups: Records
    # the gap at hand: its bins' lengths, activity in each by kind of group, and spare rows
    spans: Floats
    activities: Floats
    spare: Floats


def new_clocks() -> Clocks:
    state = np.zeros(1, CLOCK)
    state["weight"] = 0.5
    return Clocks(
        state,
        np.zeros(0, PAGE_CLOCK),
        np.zeros(0, GROUP),
        np.zeros(BINS),
        np.ones((KINDS, BINS)),
        np.zeros((2, BINS)),
    )


@bare_kernel
def has_clock(clocks: Clocks, page: int) -> bool:
    known = page < len(clocks.pages) and clocks.pages["joined"][page] > 0.0
    return known and clocks.state["width_s"][0] > 0.0


@bare_kernel
def keep_width(clocks: Clocks, round_s: float, now_s: float) -> None:
    """Bins as wide as a round of all pages asks for, to within a factor of two."""
    state = clocks.state
    wanted_s = round_s / _BINS_A_ROUND
    if wanted_s <= 0.0:
        return
    width_s = state["width_s"][0]
    if width_s == 0.0:
        state["origin_s"][0] = now_s
    if width_s == 0.0 or wanted_s > 2.0 * width_s or wanted_s < 0.5 * width_s:
        state["width_s"][0] = 2.0 ** math.floor(math.log2(wanted_s) + 0.5)


@bare_kernel
def _recast(clocks: Clocks, row: int, width_s: float, latest: int) -> None:
    """A group's ring with bins of another width, up to the `latest`: old ones are joined, or split
    evenly.
    """
    groups = clocks.groups
    spare = clocks.spare
    old_s = groups["width_s"][row]
    wider = max(1, int(width_s / old_s + 0.5))
    finer = max(1, int(old_s / width_s + 0.5))
    old_newest = int(groups["newest"][row])
    newest = min((old_newest * finer + finer - 1) // wider, latest)
    for i in range(BINS):
        spare[0, i] = 0.0
        spare[1, i] = 0.0
    for number in range(max(newest - BINS + 1, 0), newest + 1):
        # of the old bins that lie in this one (or in which it lies), those that are still known
        first = max(number * wider // finer, old_newest - BINS + 1)
        last = min((number * wider + wider - 1) // finer, old_newest)
        for old in range(first, last + 1):
            spare[0, number % BINS] += groups["found"][row, old % BINS] / finer
            spare[1, number % BINS] += groups["expected"][row, old % BINS] / finer
    for i in range(BINS):
        groups["found"][row, i] = spare[0, i]
        groups["expected"][row, i] = spare[1, i]
    groups["newest"][row] = float(newest)
    groups["width_s"][row] = width_s


@bare_kernel
def _bring_up(clocks: Clocks, row: int, newest: int) -> None:
    """A group's ring as of now."""
    groups = clocks.groups
    width_s = clocks.state["width_s"][0]
    if groups["width_s"][row] == 0.0:
        groups["width_s"][row] = width_s
        groups["newest"][row] = float(newest)
    elif groups["width_s"][row] != width_s:
        _recast(clocks, row, width_s, newest)
    passed = newest - int(groups["newest"][row])
    if passed <= 0:
        return
    for number in range(newest - min(passed, BINS) + 1, newest + 1):
        groups["found"][row, number % BINS] = 0.0
        groups["expected"][row, number % BINS] = 0.0
    groups["newest"][row] = float(newest)


@bare_kernel
def _lay_out(
    clocks: Clocks, page: int, since_s: float, now_s: float
) -> tuple[int, int, float]:
    """The bins of a gap, their lengths and activities: (number of the first one, how many they are,
    seconds before them of which nothing is remembered).
    """
    state = clocks.state
    width_s = state["width_s"][0]
    origin_s = state["origin_s"][0]
    newest = max(math.floor((now_s - origin_s) / width_s), 0)
    first = max(math.floor((since_s - origin_s) / width_s), newest - BINS + 1, 0)
    starts_s = origin_s + first * width_s
    count = newest - first + 1
    for i in range(count):
        low_s = max(since_s, starts_s + i * width_s)
        high_s = min(now_s, starts_s + (i + 1) * width_s)
        clocks.spans[i] = max(high_s - low_s, 0.0)
    for kind in range(KINDS):
        row = int(clocks.pages["group"][page, kind]) - 1
        if row < 0:
            for i in range(count):
                clocks.activities[kind, i] = 1.0
            continue
        _bring_up(clocks, row, newest)
        for i in range(count):
            at = (first + i) % BINS
            clocks.activities[kind, i] = activity(
                clocks.groups["found"][row, at], clocks.groups["expected"][row, at]
            )
    return first, count, max(starts_s - since_s, 0.0)


@bare_kernel
def _weigh_activity(clocks: Clocks, kind: int, i: int) -> float:
    """A kind's activity in a bin, as far as that kind is believed."""
    weight = float(clocks.state["weight"][0, kind])
    return 1.0 + weight * (float(clocks.activities[kind, i]) - 1.0)


@bare_kernel
def _without(clocks: Clocks, kind: int, i: int) -> float:
    """Length of a bin by the clocks of the other kinds; of all kinds, for −1."""
    length = clocks.spans[i]
    for other in range(KINDS):
        if other != kind:
            length *= _weigh_activity(clocks, other, i)
    return float(length)


@bare_kernel
def group_age(clocks: Clocks, page: int, since_s: float, now_s: float) -> float:
    """How old a page is by its groups' clocks."""
    _, count, age_s = _lay_out(clocks, page, since_s, now_s)
    for i in range(count):
        age_s += _without(clocks, -1, i)
    return float(age_s)


@bare_kernel
def learn_activity(
    clocks: Clocks, page: int, since_s: float, now_s: float, changed: bool
) -> None:
    """What a visit shows of the groups' activity since the one before."""
    if clocks.pages["age_s"][page] <= 0.0:
        return
    first, count, older_s = _lay_out(clocks, page, since_s, now_s)
    age_s = older_s
    for i in range(count):
        age_s += _without(clocks, -1, i)
    if age_s <= 0.0:
        return
    for kind in range(KINDS):
        row = int(clocks.pages["group"][page, kind]) - 1
        if row >= 0:
            _tell_group(clocks, page, kind, row, first, count, older_s, age_s, changed)
    hazard = _hazard_at(clocks, page, age_s)
    for kind in range(KINDS):
        if clocks.pages["group"][page, kind] > 0.0:
            growth = clocks.pages["power"][page] * hazard / age_s
            _reweigh(clocks, kind, count, hazard, growth, changed)


@bare_kernel
def _hazard_at(clocks: Clocks, page: int, age_s: float) -> float:
    """What is expected of a page of an age."""
    relative = age_s / clocks.pages["age_s"][page]
    return float(clocks.pages["hazard"][page] * relative ** clocks.pages["power"][page])


@bare_kernel
def _tell_group(
    clocks: Clocks,
    page: int,
    kind: int,
    row: int,
    first: int,
    count: int,
    older_s: float,
    age_s: float,
    changed: bool,
) -> None:
    """What was expected without this group's word, and what was found, go to its bins."""
    groups = clocks.groups
    base_s = older_s
    for i in range(count):
        base_s += _without(clocks, kind, i)
    if base_s <= 0.0:
        return
    expected = chance_of_change(_hazard_at(clocks, page, base_s)) / base_s
    drift = 0.0
    for i in range(count):
        at = (first + i) % BINS
        length_s = _without(clocks, kind, i)
        groups["expected"][row, at] += expected * length_s
        if changed:
            groups["found"][row, at] += (
                length_s * _weigh_activity(clocks, kind, i) / age_s
            )
        now = activity(groups["found"][row, at], groups["expected"][row, at])
        drift += now - clocks.activities[kind, i]
    groups["drift"][row] += drift * clocks.state["weight"][0, kind]
    if groups["drift"][row] >= _STIRRED:
        _stir(clocks, row, True)
    elif groups["drift"][row] <= -_STIRRED:
        _stir(clocks, row, False)


@bare_kernel
def _reweigh(
    clocks: Clocks, kind: int, count: int, hazard: float, growth: float, changed: bool
) -> None:
    """A step of Fisher scoring: a kind that predicts is believed, another is not."""
    lean_s = 0.0
    for i in range(count):
        lean_s += _without(clocks, kind, i) * (clocks.activities[kind, i] - 1.0)
    score, more = predictive_step(hazard, growth * lean_s, changed)
    state = clocks.state
    information = min(state["information"][0, kind] + more, _REMEMBERED)
    state["information"][0, kind] = information
    step = min(max(score / (information + _DOUBTED), -_STEP), _STEP)
    weight = state["weight"][0, kind] + step
    state["weight"][0, kind] = min(max(weight, 0.0), 1.0)


@bare_kernel
def _stir(clocks: Clocks, row: int, sooner: bool) -> None:
    """All its pages' offers are to be rewritten; the group queues up for that, in front if its
    pages are due sooner.
    """
    groups = clocks.groups
    state = clocks.state
    groups["drift"][row] = 0.0
    if groups["waiting"][row] == 0.0:
        groups["following"][row] = 0.0
        if state["first"][0] == 0.0:
            state["first"][0] = row + 1.0
            state["last"][0] = row + 1.0
        elif sooner:
            groups["following"][row] = state["first"][0]
            state["first"][0] = row + 1.0
        else:
            groups["following"][int(state["last"][0]) - 1] = row + 1.0
            state["last"][0] = row + 1.0
    groups["waiting"][row] = groups["members"][row]


@bare_kernel
def note_offer(
    cards: Cards,
    clocks: Clocks,
    page: int,
    rates: Floats,
    weights: Floats,
    price: float,
) -> None:
    """Keep a page's offer as it is by its groups' clock, and what the posterior that it was made of
    expects of a visit at this price.
    """
    pages = clocks.pages
    pages["worth"][page] = cards["worth"][page, 0]
    pages["rate"][page] = cards["rate"][page, 0]
    age_s = min(
        _due_age(cards["worth"][page, 0], cards["rate"][page, 0], price), _LATEST_S
    )
    hazard, power = fit_hazard(rates, weights, age_s)
    pages["age_s"][page] = age_s
    pages["hazard"][page] = hazard
    pages["power"][page] = power


@bare_kernel
def offer_by_clock(
    cards: Cards, clocks: Clocks, page: int, now_s: float, market: float
) -> None:
    """Write a waiting page's offer by the age that its groups' clocks give it."""
    last_s = cards["last"][page]
    worth = clocks.pages["worth"][page]
    rate = clocks.pages["rate"][page]
    if worth <= 0.0 or rate <= 0.0 or not -math.inf < last_s < now_s:
        return
    aged_s = group_age(clocks, page, last_s, now_s)
    price = market * cards["cost"][page]
    worth, rate = on_group_time(worth, rate, now_s - last_s, aged_s, price)
    cards["worth"][page, 0] = worth
    cards["rate"][page, 0] = rate


@bare_kernel
def rewrite_stirred(
    cards: Cards,
    clocks: Clocks,
    now_s: float,
    market: float,
    others: Pages,
    written: int,
) -> int:
    """Rewrite offers of the stirred group whose turn it is, as many as `others` has room for; the
    next visit is the next group's turn.
    """
    state = clocks.state
    groups = clocks.groups
    row = int(state["first"][0]) - 1
    if row < 0:
        return written
    kind = _kind_of(clocks, row)
    page = int(groups["cursor"][row])
    looks = min(_LOOKS, int(groups["waiting"][row]))
    seen = 0
    while seen < looks and written < len(others):
        page = int(clocks.pages["next"][page, kind])
        seen += 1
        if page >= len(cards) or cards["filed"][page] != BY_DUE:
            continue
        if _is_moved(cards, clocks, page, now_s, market):
            others[written] = page
            written += 1
    groups["cursor"][row] = page
    groups["waiting"][row] -= seen
    _rotate(clocks, row)
    return written


@bare_kernel
def _kind_of(clocks: Clocks, row: int) -> int:
    """Which of its groups a member says that this one is."""
    page = int(clocks.groups["cursor"][row])
    for kind in range(KINDS):
        if clocks.pages["group"][page, kind] == row + 1.0:
            return kind
    return 0


@bare_kernel
def _is_moved(
    cards: Cards, clocks: Clocks, page: int, now_s: float, market: float
) -> bool:
    """Write a page's offer anew; False = it is worth as much as before, and stays as it is."""
    worth = cards["worth"][page, 0]
    rate = cards["rate"][page, 0]
    offer_by_clock(cards, clocks, page, now_s, market)
    wanted = market * cards["cost"][page]
    before = _due_age(worth, rate, wanted)
    later = _due_age(cards["worth"][page, 0], cards["rate"][page, 0], wanted)
    if abs(later - before) > _SAME * before:
        return True
    cards["worth"][page, 0] = worth
    cards["rate"][page, 0] = rate
    return False


@bare_kernel
def _due_age(worth: float, rate: float, price: float) -> float:
    """The age at which an offer of shape 1 reaches a price; never is longer than any age."""
    if rate <= 0.0 or worth <= price:
        return 1e300
    root = math.sqrt(price / worth)
    return root / ((1.0 - root) * rate)


@bare_kernel
def _rotate(clocks: Clocks, row: int) -> None:
    """The first group of the queue goes to its end, or leaves it."""
    groups = clocks.groups
    state = clocks.state
    following = groups["following"][row]
    groups["following"][row] = 0.0
    if groups["waiting"][row] > 0.0 and following > 0.0:
        groups["following"][int(state["last"][0]) - 1] = row + 1.0
        state["last"][0] = row + 1.0
    elif groups["waiting"][row] > 0.0:
        return
    state["first"][0] = following
    if following == 0.0:
        state["last"][0] = 0.0
