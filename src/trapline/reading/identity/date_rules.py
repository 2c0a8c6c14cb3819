"""Judges of dates, times, ages and durations: which of them change by themselves.

Each is shown a number and answers how many of the words before it are cut with it, or `KEEP`, or
`LINE`.
"""

from __future__ import annotations

import re
from typing import Final

from trapline.reading.identity.calendar_words import DAYS, MONTHS, TODAY
from trapline.reading.identity.counter_words import (
    AGO,
    AGO_BEFORE,
    SECONDS,
    SINCE_THEN,
)
from trapline.reading.identity.number_sight import (
    KEEP,
    LINE,
    Sight,
    go_back,
    has_word,
    is_date_word,
)
from trapline.reading.identity.stamp_words import (
    BY,
    GENERATED,
    LATE_STAMPS,
    LIMITS,
    MADE,
    NOW,
    PLANNED,
    RESULTS,
    STAMPS,
)

_LONGEST_LINE: Final = 120  # letters of a line that a machine writes of itself
_LONGEST_NAME: Final = 3  # words between "by" and a date
_TODAY_OR_NOW: Final = TODAY | NOW
_NUMBER_END: Final = re.compile(r"[\d.,\s]")
_COPYRIGHT_MARK: Final = re.compile(
    r"(?:©|\(c\)|copyright)[^.!?]{0,40}$", re.IGNORECASE
)


def judge_ago(sight: Sight) -> int:
    return 0 if sight.found["ago"].lower() in AGO else KEEP


def judge_age(sight: Sight) -> int:
    before = sight.before
    if before[-3:] == ["il", "y", "a"]:
        return 3
    if before[-2:] in (["πριν", "από"], ["πριν", "απο"]):
        return 2
    if not before or before[-1] not in AGO_BEFORE:
        return KEEP
    late = before[-1] not in ("för", "for") or sight.has_after(SINCE_THEN, 1)
    return 1 if late else KEEP


def judge_duration(sight: Sight) -> int:
    unit = _NUMBER_END.split(sight.found[0])[-1].lower()
    if unit not in SECONDS:
        return KEEP
    made = sight.found[1] or sight.has_before(MADE, 4) or sight.has_after(MADE, 8)
    if made:
        line = len(sight.left) + len(sight.found[0]) + len(sight.right)
        return LINE if line <= _LONGEST_LINE else 0
    bracket = sight.left[-1:] == "("
    return 0 if bracket and sight.has_before(RESULTS, 4) else KEEP


def judge_copyright(sight: Sight) -> int:
    marked = sight.found[1] or _COPYRIGHT_MARK.search(sight.left)
    return 0 if marked else KEEP


def judge_generator(sight: Sight) -> int:
    """The version of the program that wrote a page."""
    return 0 if sight.has_before(GENERATED, 4) else KEEP


def judge_time(sight: Sight) -> int:
    """A time alone: introduced as a stamp, or to the second, or beside nothing but *today*."""
    found = sight.found
    exact = found["seconds"] is not None and len(found[0]) > 7
    today = has_word(sight.before, TODAY)
    stamp = exact or _is_introduced(sight) or sight.has_before(NOW, 4)
    return _count_date_words(sight.before) if stamp or (today and sight.alone) else KEEP


def judge_date(sight: Sight) -> int:
    """A date, perhaps with a time: introduced as a stamp, to the second, or first or last thing of
    a text.
    """
    month = sight.found["month"]
    if month is not None and month.lower() not in MONTHS:
        return KEEP
    return _judge_day(sight)


def judge_day_after_month(sight: Sight) -> int:
    known = bool(sight.before) and sight.before[-1] in MONTHS
    return _judge_day(sight) if known else KEEP


def _judge_day(sight: Sight) -> int:
    found = sight.found
    words = _count_date_words(sight.before)
    weekday = not DAYS.isdisjoint(sight.before[len(sight.before) - words :])
    first = go_back(found.string, found.start(), words) == 0
    edge = weekday and (first or found.end() >= len(found.string) - 1)
    stamp = (
        edge
        or found["seconds"]
        or _is_introduced(sight)
        or _follows(sight.before, _TODAY_OR_NOW)
    )
    return words if stamp else KEEP


def _count_date_words(before: list[str]) -> int:
    """How many of the last words belong to a date."""
    words = 0
    for word in reversed(before):
        if not word or not (is_date_word(word) or word in TODAY):
            break
        words += 1
    return words


def _is_introduced(sight: Sight) -> bool:
    """Whether a word makes a stamp of what follows; not so *will be published*, *updated to*."""
    before = sight.before
    if has_word(before[-6:], PLANNED) or (before and before[-1] in LIMITS):
        return False
    if sight.has_after(LATE_STAMPS, 4):
        return True
    if _follows(before, STAMPS):
        return True
    names = range(max(0, len(before) - 2 - _LONGEST_NAME), len(before))
    return any(before[at] in BY and _follows(before[:at], STAMPS) for at in names)


def _follows(before: list[str], vocabulary: frozenset[str]) -> bool:
    """Whether only words of dates stand behind one of a vocabulary, or behind two as one-two."""
    for at in range(len(before) - 1, -1, -1):
        pair = "-".join(before[max(0, at - 1) : at + 1])
        if before[at] in vocabulary or pair in vocabulary:
            return True
        if not _is_between(before[at]):
            return False
    return False


def _is_between(word: str) -> bool:
    """Whether a word may stand between the one that makes a stamp and its date."""
    return is_date_word(word) or word in TODAY or word[0].isdigit()
