"""How long pages live: what visits show of it, and what that does to prices.

A visit finds a held page there, and it has lived on since the visit before; or it finds it gone,
and it has died in between, nobody saw when. At δ deaths a second a gap t is survived with e^(−δt).
The likeliest δ is learnt step by step, of all pages and of each host: with x = δt and
s = x/(e^x − 1), which is the part of a life that a death in the gap says was missing, ln δ moves

    by s/(1 + I) at a death, by −x/(1 + I) where the page lives, and at most by ½,

I = Σ x·s, the information on it (Fisher). Pages begin with δ = 1/horizon, a host with what all
pages have shown. What is taken for sure is one standard deviation less: δ·e^(−1/√(1 + I)). And only
what goes beyond 1/horizon counts (`leaving`): where pages outlive the horizon it is 0, and nothing
is priced in another way.

A page that leaves at rate δ is out of date at rate D + δ, with a chance of D/(D + δ) by a change:
only then there is something to find. So a visit at age t is worth

    V(t) = D/(D + δ) · φ((D + δ)·t)/(D + δ),

which is φ(D·t)/D where pages stay (theory/price.py), and a page that is found 1/(D + δ) seconds.

>>> lives = new_lives(hosts=1)
>>> for _ in range(100):  # looked at every hour, and gone at every fourth look
...     for _ in range(3):
...         note_life(lives, 0, 3600.0, False, 2_592_000.0)
...     note_life(lives, 0, 3600.0, True, 2_592_000.0)
>>> round(mean_life(lives, 0, 2_592_000.0) / 3600.0, 1)  # 3.5 by the likeliest rate
3.9
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.policies.mind import Records, as_records, as_table, grow_records
from trapline.policies.refresh.refresh_policy import Floats
from trapline.theory.kernel import bare_kernel

_STEP: Final = 0.5  # of ln δ at a visit, at most
_REMEMBERED: Final = 300.0  # information, at most: sites change their ways
_LONG: Final = (
    700.0  # lives in a gap that no page survives: e^x is too large for a number
)

LIFE: Final = np.dtype(
    [
        ("log", np.float64),  # of deaths in a horizon
        ("information", np.float64),
    ]
)


class Lives(NamedTuple):
    known: Records  # row 0 of all pages, row h + 1 of host h
    # of the page at hand, by change rate of the grid: it changes or goes at this rate,
    ends: Floats
    weights: Floats  # and the rate is right, and it changes before it goes


def new_lives(hosts: int = 0, rates: int = 0) -> Lives:
    return Lives(np.zeros(1 + hosts, LIFE), np.zeros(rates), np.zeros(rates))


def grow_lives(lives: Lives, hosts: int) -> Lives:
    return lives._replace(known=grow_records(lives.known, 1 + hosts))


def save_lives(lives: Lives) -> Floats:
    return as_table(lives.known)


def restore_lives(lives: Lives, table: NDArray[np.generic] | None, hosts: int) -> Lives:
    """What earlier versions saved has no lives: nobody had counted."""
    saved = np.zeros((1, 2)) if table is None else np.asarray(table)
    return grow_lives(lives._replace(known=as_records(saved, LIFE)), hosts)


@bare_kernel
def _row(lives: Lives, host: int) -> int:
    """Where a host is; that of all pages while nothing is known of it (−1 = any)."""
    row = host + 1
    if 0 < row < len(lives.known) and lives.known["information"][row] > 0.0:
        return row
    return 0


@bare_kernel
def leaving(lives: Lives, host: int, horizon_s: float) -> float:
    """How much faster than once in a horizon the pages of a host surely go."""
    known = lives.known
    row = _row(lives, host)
    doubt = 1.0 / math.sqrt(1.0 + known["information"][row])
    deaths = math.exp(known["log"][row] - doubt)
    return max(0.0, deaths - 1.0) / horizon_s


@bare_kernel
def mean_life(lives: Lives, host: int, horizon_s: float) -> float:
    """As it is believed; at most the horizon."""
    return 1.0 / (1.0 / horizon_s + leaving(lives, host, horizon_s))


@bare_kernel
def note_life(
    lives: Lives, host: int, gap_s: float, is_gone: bool, horizon_s: float
) -> None:
    """A visit found a page alive that was alive this long before, or gone."""
    known = lives.known
    row = host + 1
    if 0 < row < len(known):
        if known["information"][row] <= 0.0:
            known["log"][row] = known["log"][0]
        _learn(known, row, gap_s / horizon_s, is_gone)
    _learn(known, 0, gap_s / horizon_s, is_gone)


@bare_kernel
def _learn(known: Records, row: int, gap: float, is_gone: bool) -> None:
    x = math.exp(known["log"][row]) * gap
    missing = x / math.expm1(x) if x < _LONG else 0.0
    information = min(_REMEMBERED, known["information"][row] + x * missing)
    known["information"][row] = information
    step = (missing if is_gone else -x) / (1.0 + information)
    known["log"][row] += max(-_STEP, min(_STEP, step))
