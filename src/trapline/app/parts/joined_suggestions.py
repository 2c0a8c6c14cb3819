"""Suggestions of all parts as one list: what several offer early comes first.

>>> join_suggestions([["moon", "moon orbit"], ["Moon orbit", "moonlight"]], 3)
['moon orbit', 'moon', 'moonlight']
"""

from __future__ import annotations

from collections.abc import Iterable


def join_suggestions(lists: Iterable[list[str]], limit: int) -> list[str]:
    """Each once, in whatever letters."""
    worth: dict[str, float] = {}
    spelt: dict[str, str] = {}
    for offers in lists:
        for rank, offer in enumerate(offers, 1):
            key = offer.lower()
            spelt.setdefault(key, offer)
            worth[key] = worth.get(key, 0.0) + 1.0 / rank
    best = sorted(worth, key=lambda key: -worth[key])
    return [spelt[key] for key in best[:limit]]
