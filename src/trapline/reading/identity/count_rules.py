"""Judges of counters: which numbers of views, visitors or comments change by themselves.

Each is shown a number and answers how many of the words before it are cut with it, or `KEEP`.
"""

from __future__ import annotations

import re
from typing import Final

from trapline.reading.identity.calendar_words import words_of
from trapline.reading.identity.counter_words import (
    COUNTED,
    CROWD,
    LIKED,
    OF_PAGES,
    ONLINE,
    QUANTIFIERS,
    READ,
    SO_FAR,
    STARRED,
    TIMES,
)
from trapline.reading.identity.number_sight import KEEP, Sight, begins_anew, has_word
from trapline.reading.identity.stamp_words import PLANNED

_NAMES: Final = COUNTED | ONLINE | READ
_RULED: Final = PLANNED | QUANTIFIERS
_MAY: Final = words_of("may can could must dürfen können")
_YOU_ARE: Final = words_of("you're are sind êtes eres sei bent jesteś вы é")
_PEOPLE: Final = COUNTED | CROWD | SO_FAR
_NUMBER_END: Final = re.compile(r"[\d.,\s]")


def judge_count(sight: Sight) -> int:
    """A number of views and the like: on a label, not in a sentence."""
    counted = sight.found["counted"].lower()
    starred = counted in STARRED and sight.found["thousands"]
    if not (counted in COUNTED or starred) or sight.has_before(QUANTIFIERS, 3):
        return KEEP
    if sight.found["ordinal"]:
        return 0 if sight.has_before(_YOU_ARE, 3) else KEEP
    sure = counted in OF_PAGES and sight.ends_label
    return 0 if sure or sight.is_label else KEEP


def judge_counter(sight: Sight) -> int:
    """Only where a colon or bracket, or a word like *total*, makes a number of it: "likes 3 sugars"
    is none.
    """
    before = sight.before
    mark = sight.left.rstrip()[-1:]
    if not before or sight.has_before(QUANTIFIERS, 3) or not sight.ends_label:
        return KEEP
    last = before[-1]
    if last in SO_FAR:
        others = has_word(before[-7:-1], _PEOPLE) or sight.has_after(SO_FAR, 1)
        return 0 if others else KEEP
    named = has_word(before[-2:], _NAMES)
    first = len(sight.left.split()) == 1 and not sight.right.strip(" |·•")
    return 0 if named and mark and (mark in "(#:" or first) else KEEP


def judge_button(sight: Sight) -> int:
    """What stands on a button behind *Star*, *Fork*, *Subscribe*."""
    others = sight.has_before(STARRED, 5) and sight.has_after(STARRED, 1)
    beside = has_word(sight.before[:-1], STARRED)
    bracket = sight.left[-1:] == "("
    counts = sight.found["thousands"] or others or beside or bracket
    return 0 if counts and sight.ends_label else KEEP


def judge_times(sight: Sight) -> int:
    """*read 512 times*, *512 Mal gelesen*; not so *must be read 3 times a day*."""
    unit = _NUMBER_END.split(sight.found[0])[-1].lower().strip("×")
    after = sight.right.lstrip()
    if (unit and unit not in TIMES) or sight.has_before(_RULED, 4):
        return KEEP
    if sight.has_after(READ, 1):
        after = after.partition(" ")[2]
    elif not sight.has_before(READ, 2):
        return KEEP
    return 0 if begins_anew(after) else KEEP


def judge_people(sight: Sight) -> int:
    """Who is there now, or likes it."""
    if sight.found["crowd"].lower() not in CROWD or sight.has_before(QUANTIFIERS, 3):
        return KEEP
    present = sight.has_before(ONLINE, 6) or sight.has_after(ONLINE, 5)
    may = sight.has_after(_MAY, 2)
    return 0 if sight.has_after(LIKED, 1) or (present and not may) else KEEP


def judge_nothing(sight: Sight) -> int:
    return KEEP if sight.has_before(QUANTIFIERS, 3) else 0
