"""How the relevance of a page drifts as the page changes.

A function of the page and the number of its changes alone (as in theory/chance.py): whoever asks,
in whatever order, gets the same. Mostly a page *sways*: a little with each change, around what it
was about at first. Rarely a stay of some 40 changes is spent *away*: a page on topic has left it,
another one has joined it. Chances are such that the topic gains about as many pages as it loses, if
a fifth of all are on it.

>>> [round(drift(0.7, drift=1.0, seed=1, page=5, changes=k), 3) for k in (0, 1, 2, 3)]
[0.7, 0.708, 0.715, 0.723]
>>> drift(0.7, drift=0.0, seed=1, page=5, changes=3)
0.7
"""

from __future__ import annotations

from typing import Final

from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

_SWAY: Final = 8  # changes from one turning point to the next
_STAY: Final = 40  # changes
_LEAVES: Final = 0.10  # chance of a stay away, of pages on topic
_JOINS: Final = 0.03  # and of others


@bare_kernel
def drift(relevance: float, drift: float, seed: int, page: int, changes: int) -> float:
    """What a page that began with this relevance has after so many changes."""
    if drift <= 0.0 or changes <= 0:
        return relevance
    base = _home_or_away(relevance, drift, seed, page, changes)
    # Pages that are plainly on or off the topic hardly sway, or noise would look like relevance.
    move = (
        drift
        * base
        * (1.0 - base)
        * (_sway(seed, page, changes) - _sway(seed, page, 0))
    )
    return min(max(base + move, 0.0), 1.0)


@bare_kernel
def _home_or_away(
    relevance: float, drift: float, seed: int, page: int, changes: int
) -> float:
    stay = (changes + int(mix_hash(seed + 2, page, 0) * _STAY)) // _STAY
    chance = drift * (_LEAVES if relevance >= 0.5 else _JOINS)
    if stay == 0 or mix_hash(seed + 2, page, stay) >= chance:
        return relevance
    where = mix_hash(seed + 3, page, stay)
    return 0.05 * where if relevance >= 0.5 else 0.55 + 0.4 * where


@bare_kernel
def _sway(seed: int, page: int, changes: int) -> float:
    """A broken line through random points."""
    turn = changes // _SWAY
    since = (changes % _SWAY) / _SWAY
    return (1.0 - since) * mix_hash(seed + 4, page, turn) + since * mix_hash(
        seed + 4, page, turn + 1
    )
