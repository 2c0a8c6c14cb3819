"""One page, told by several: shown once, with everybody who told it.

Pages are the same under one canonical URL, or when title and snippet say the same. Where engines
tell a URL with different titles, the own index is right, then the majority; the score of whoever
tells another title does not count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from trapline.oasis.merging.engine_hits import EngineHit, EngineHits, Finding, Wrong

# simhash of a text; 0 = it is too short to tell
Mark = Callable[[str], int]

_NEAR: Final = 3  # bits of 64 in which marks of the same text may differ
_ALIKE: Final = 0.5  # share of words from which on two titles are taken for one
_WORD: Final = re.compile(r"\w+")
_ALL_BITS: Final = (1 << 64) - 1


class Telling(NamedTuple):
    """One engine tells one page."""

    answer: EngineHits
    hit: EngineHit
    rank: int  # from 1 on


@dataclass(frozen=True, slots=True)
class Folded:
    """A page as it is shown."""

    telling: Telling  # the one whose words are shown
    origins: tuple[Telling, ...]  # all, the one that is shown first
    believed: tuple[Telling, ...]  # those who tell the same


def fold(
    answers: Sequence[EngineHits], mark: Mark
) -> tuple[list[Folded], list[Finding]]:
    by_url: dict[str, list[Telling]] = {}
    for answer in answers:
        for rank, hit in enumerate(answer.hits, 1):
            by_url.setdefault(hit.url, []).append(Telling(answer, hit, rank))
    findings: list[Finding] = []
    pages = [_choose(tellings, findings) for tellings in by_url.values()]
    return _fold_copies(pages, mark), findings


def are_alike(one: str, other: str) -> bool:
    """Whether two titles may be of one page: engines cut them differently, and pages change.

    >>> are_alike("Orbits of the moon - Example", "Orbits of the Moon")
    True
    >>> are_alike("Orbits of the moon", "Cheap watches")
    False
    """
    mine = set(_WORD.findall(one.lower()))
    theirs = set(_WORD.findall(other.lower()))
    if not mine or not theirs:
        return True
    return len(mine & theirs) >= _ALIKE * min(len(mine), len(theirs))


def _choose(tellings: list[Telling], findings: list[Finding]) -> Folded:
    """Own first, then what most tell, then the engine that was worth most."""
    if len(tellings) == 1:
        return Folded(tellings[0], tuple(tellings), tuple(tellings))
    ordered = sorted(
        tellings,
        key=lambda t: (
            not t.answer.is_own,
            -_agreeing(t, tellings),
            -t.answer.worth,
            not t.answer.comparable,
        ),
    )
    first = ordered[0]
    believed = [t for t in ordered if are_alike(t.hit.title, first.hit.title)]
    others = [t for t in ordered if not are_alike(t.hit.title, first.hit.title)]
    if first.answer.is_own or len(believed) > len(others):
        findings += [_other_title(t, first) for t in others]
    return Folded(first, tuple(ordered), tuple(believed))


def _agreeing(telling: Telling, tellings: list[Telling]) -> int:
    return sum(are_alike(telling.hit.title, other.hit.title) for other in tellings)


def _other_title(telling: Telling, first: Telling) -> Finding:
    detail = (
        f"tells {telling.hit.url[:200]} as {telling.hit.title[:60]!r}, others as "
        f"{first.hit.title[:60]!r}"
    )
    return Finding(telling.answer.engine, Wrong.TITLES, detail)


def _fold_copies(pages: list[Folded], mark: Mark) -> list[Folded]:
    """Copies under other URLs join the page that was told first; the own index' own comes first."""
    kept: list[tuple[int, Folded]] = []
    for page in sorted(pages, key=lambda page: not page.telling.answer.is_own):
        hit = page.telling.hit
        own = mark(f"{hit.title}\n{hit.snippet_text}")
        place = next((n for n, (other, _) in enumerate(kept) if _near(own, other)), -1)
        if place < 0:
            kept.append((own, page))
            continue
        before = kept[place][1]
        joined = Folded(
            before.telling,
            (*before.origins, *page.origins),
            (*before.believed, *page.believed),
        )
        kept[place] = kept[place][0], joined
    return [page for _, page in kept]


def _near(one: int, other: int) -> bool:
    if not one or not other:
        return False
    return ((one ^ other) & _ALL_BITS).bit_count() <= _NEAR
