"""States of held pages for the table of `omeara`, and eq. (10) over them.

The paper lets a document's local state be features of it. That of a held page is how long it was
left, in its own changes (y = age·rate, in powers of two), and how often it was visited again: few
rows, shared by all pages, so that one page's lesson serves the next one. What a visit is worth to
a page is its own, though: Q(x,u) = w·A(x,u), w what its changes were worth so far (eq. 10 with each
change that is found, begun at its relevance), A a row of the table, in units of w. With g the
reward (11) and S what the visit lists beyond the market price,

    fetched in x:  A(x,1) += step·((g + γ·S)/w + γ·A(x₀,2) − A(x,1)),   x₀ = just visited
    left in x:     A(x,2) += step·(γ·A(x⁺,u⁺) − A(x,2)),   x⁺ the next state, in which it was left
                                                           again or fetched

A page decides once in each state. Steps fall as 1/(3 + lessons), to 1 %. A(x,1) begins at 1 −
e^(−y), what a page shows whose changes come by chance at the rate that it has shown; A(x,2) at 0.

>>> states = new_states()
>>> row = state_of(y=1.0, revisits=0)
>>> round(float(states["fetch"][row]), 3)
0.777
>>> learn_visit(states, row, revisits=0, share=0.0, gamma=0.1, learns_left=True)
>>> round(float(states["fetch"][row]), 3), round(float(states["leave"][row - 1]), 3)
(0.518, 0.026)
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from trapline.policies.mind import Records
from trapline.theory.kernel import bare_kernel

AGES: Final = 11  # classes of y: below 2⁻⁶, … from 2³ on
KNOWN: Final = 5  # classes of revisits: none, 1, 2 or 3, 4 to 7, more
_MIDDLE: Final = 7  # the class that begins at y = 1

STATE: Final = np.dtype(
    [
        ("fetch", np.float64),  # A(x,1),
        ("leave", np.float64),  # A(x,2),
        ("fetched", np.float64),  # and lessons of both
        ("left", np.float64),
    ]
)
HELD_PAGE: Final = np.dtype(
    [
        ("worth", np.float64),  # w
        ("relevance", np.float64),
        ("changes", np.float64),  # seen,
        ("watched_s", np.float64),  # in so many seconds
        ("visits", np.float64),  # 0 = nothing is known of it
    ]
)
ALL_PAGES: Final = np.dtype(
    [
        ("changes", np.float64),
        ("watched_s", np.float64),
        ("heard", np.float64),  # pages that it was told of
        ("turn", np.float64),  # the page whose offer was last written anew in turn
    ]
)

# what is expected of all pages before any was seen again
_CHANGES: Final = 0.5
_WATCHED_S: Final = 60.0
_PRIOR: Final = 0.5  # changes that the usual page adds to what one page has shown
_FIRST: Final = 3.0  # the start of a row counts as two lessons
_LEAST_STEP: Final = 0.01


def new_states() -> Records:
    states = np.zeros(AGES * KNOWN, STATE)
    for age in range(AGES):
        shown = 1.0 - math.exp(-_middle_of(age))
        states["fetch"][age::AGES] = shown
    return states


@bare_kernel
def _middle_of(age: int) -> float:
    """y in the middle of a class."""
    return 1.5 * 2.0 ** (age - _MIDDLE)


@bare_kernel
def _first_of(revisits: float) -> int:
    """The first state of a page visited again so often: it was visited just now."""
    if revisits <= 0.0:
        return 0
    known = math.floor(math.log2(revisits)) + 1
    return AGES * min(known, KNOWN - 1)


@bare_kernel
def state_of(y: float, revisits: float) -> int:
    age = 0
    if y > 0.0:
        age = min(max(math.floor(math.log2(y)) + _MIDDLE, 0), AGES - 1)
    return _first_of(revisits) + age


@bare_kernel
def rate_of(held: Records, all_held: Records, page: int) -> float:
    """Changes a second that a page has shown, beside what is usual; never 0."""
    usual = (_CHANGES + all_held["changes"][0]) / (
        _WATCHED_S + all_held["watched_s"][0]
    )
    changes = _PRIOR + held["changes"][page]
    return float(changes / (_PRIOR / usual + held["watched_s"][page]))


@bare_kernel
def _step(lessons: float) -> float:
    return max(1.0 / (_FIRST + lessons), _LEAST_STEP)


@bare_kernel
def learn_visit(
    states: Records,
    row: int,
    revisits: float,
    share: float,
    gamma: float,
    learns_left: bool,
) -> None:
    """Eq. (10): a page was left through all states before this one, then fetched."""
    first = _first_of(revisits)
    if learns_left:
        for at in range(first, row):
            after = states["fetch"][row] if at + 1 == row else states["leave"][at + 1]
            step = _step(states["left"][at])
            states["leave"][at] += step * (gamma * after - states["leave"][at])
            states["left"][at] += 1.0
    anew = states["leave"][_first_of(revisits + 1.0)]
    step = _step(states["fetched"][row])
    states["fetch"][row] += step * (share + gamma * anew - states["fetch"][row])
    states["fetched"][row] += 1.0


@bare_kernel
def index_at(states: Records, first: int, age: int) -> float:
    """The index (9) of a state, in units of what a change is worth."""
    return float(states["fetch"][first + age] - states["leave"][first + age])


@bare_kernel
def due_state(
    states: Records, revisits: float, wanted: float
) -> tuple[float, float, float]:
    """(y, index there, greatest index): the first state whose index is as high as wanted.

    If none is: where it is greatest. A wanted index of 0 is as yet unknown: y about 1.
    """
    first = _first_of(revisits)
    top = 0
    for age in range(1, AGES):
        if index_at(states, first, age) > index_at(states, first, top):
            top = age
    found = top if wanted > 0.0 else _MIDDLE
    for age in range(AGES):
        if wanted > 0.0 and index_at(states, first, age) >= wanted:
            found = age
            break
    index = index_at(states, first, found)
    return _middle_of(found), index, index_at(states, first, top)
