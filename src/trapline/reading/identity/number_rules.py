"""Rules for numbers that change by themselves: which text is cut together with a number.

A rule is a pattern and a judge. The judge is given what is seen of the number (number_sight.py). It
answers how many of the words before it belong to the cut, or `KEEP`, or `LINE`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from trapline.reading.identity import number_patterns as patterns
from trapline.reading.identity.calendar_words import DAYS, MONTHS, TODAY, words_of
from trapline.reading.identity.counter_words import (
    AGO,
    AGO_BEFORE,
    COUNTED,
    CROWD,
    LIKED,
    OF_PAGES,
    ONLINE,
    QUANTIFIERS,
    READ,
    SECONDS,
    SINCE_THEN,
    SO_FAR,
    STARRED,
    TIMES,
    UNITS,
)
from trapline.reading.identity.number_sight import (
    Sight,
    begins_anew,
    has_word,
    is_date_word,
)
from trapline.reading.identity.stamp_words import (
    BY,
    LATE_STAMPS,
    LIMITS,
    MADE,
    NOW,
    PLANNED,
    RESULTS,
    STAMPS,
)

Judge = Callable[[Sight], int]
Rule = tuple[re.Pattern[str], Judge]

KEEP: Final = -1  # the number counts
LINE: Final = -2  # nothing of its line does

_LONGEST_LINE: Final = 120  # letters of a line that a machine writes of itself
_BEFORE_OF: Final = 3  # words between "by" and a date: a name
_COPYRIGHT_MARK: Final = re.compile(
    r"(?:©|\(c\)|copyright)[^.!?]{0,40}$", re.IGNORECASE
)


def go_back(text: str, at: int, words: int) -> int:
    """Where the last words before a place begin."""
    for _ in range(words):
        at = text.rfind(" ", 0, max(at - 1, 0)) + 1
    return at


def _judge_ago(sight: Sight) -> int:
    return 0 if sight.found["ago"].lower() in AGO else KEEP


def _judge_age(sight: Sight) -> int:
    before = sight.before
    if before[-3:] == ["il", "y", "a"]:
        return 3
    if before[-2:] in (["πριν", "από"], ["πριν", "απο"]):
        return 2
    if not before or before[-1] not in AGO_BEFORE:
        return KEEP
    late = before[-1] not in ("för", "for") or sight.has_after(SINCE_THEN, 1)
    return 1 if late else KEEP


def _judge_duration(sight: Sight) -> int:
    unit = re.split(r"[\d.,\s]", sight.found[0])[-1].lower()
    if unit not in SECONDS:
        return KEEP
    made = sight.found[1] or sight.has_before(MADE, 4) or sight.has_after(MADE, 8)
    if made:
        line = len(sight.left) + len(sight.found[0]) + len(sight.right)
        return LINE if line <= _LONGEST_LINE else 0
    bracket = sight.left[-1:] == "("
    return 0 if bracket and sight.has_before(RESULTS, 4) else KEEP


def _judge_copyright(sight: Sight) -> int:
    marked = sight.found[1] or _COPYRIGHT_MARK.search(sight.left)
    return 0 if marked else KEEP


def _judge_count(sight: Sight) -> int:
    """A number of views and the like: on a label, not in a sentence."""
    counted = sight.found["counted"].lower()
    starred = counted in STARRED and sight.found["thousands"]
    if not (counted in COUNTED or starred) or sight.has_before(QUANTIFIERS, 3):
        return KEEP
    sure = counted in OF_PAGES and sight.ends_label
    return 0 if sure or sight.is_label else KEEP


def _judge_counter(sight: Sight) -> int:
    """Only where a colon or bracket, or a word like *total*, makes a number of it: "likes 3 sugars"
    is none.
    """
    before = sight.before
    mark = sight.left.rstrip()[-1:]
    if not before or sight.has_before(QUANTIFIERS, 3) or not sight.ends_label:
        return KEEP
    last = before[-1]
    if last in SO_FAR:
        return 0 if has_word(before[-7:-1], COUNTED) else KEEP
    named = has_word(before[-2:], COUNTED | ONLINE | READ)
    first = len(sight.left.split()) == 1 and not sight.right.strip(" |·•")
    return 0 if named and mark and (mark in "(#:" or first) else KEEP


def _judge_button(sight: Sight) -> int:
    """What stands on a button behind *Star*, *Fork*, *Subscribe*."""
    others = sight.has_before(STARRED, 5) and sight.has_after(STARRED, 1)
    beside = has_word(sight.before[:-1], STARRED)
    bracket = sight.left[-1:] == "("
    counts = sight.found["thousands"] or others or beside or bracket
    return 0 if counts and sight.ends_label else KEEP


def _judge_times(sight: Sight) -> int:
    """*read 512 times*, *512 Mal gelesen*; not so *must be read 3 times a day*."""
    unit = re.split(r"[\d.,\s]", sight.found[0])[-1].lower().strip("×")
    after = sight.right.lstrip()
    if (unit and unit not in TIMES) or sight.has_before(PLANNED | QUANTIFIERS, 4):
        return KEEP
    if sight.has_after(READ, 1):
        after = after.partition(" ")[2]
    elif not sight.has_before(READ, 2):
        return KEEP
    return 0 if begins_anew(after) else KEEP


def _judge_people(sight: Sight) -> int:
    """Who is there now, or likes it."""
    if sight.found["crowd"].lower() not in CROWD or sight.has_before(QUANTIFIERS, 3):
        return KEEP
    present = sight.has_before(ONLINE, 6) or sight.has_after(ONLINE, 5)
    may = sight.has_after(words_of("may can could must dürfen können"), 2)
    return 0 if sight.has_after(LIKED, 1) or (present and not may) else KEEP


def _judge_nothing(sight: Sight) -> int:
    return KEEP if sight.has_before(QUANTIFIERS, 3) else 0


def _judge_time(sight: Sight) -> int:
    """A time alone: introduced as a stamp, or to the second, or beside nothing but *today*."""
    found = sight.found
    exact = found["seconds"] is not None and len(found[0]) > 7
    today = has_word(sight.before, TODAY)
    stamp = exact or _is_introduced(sight) or sight.has_before(NOW, 4)
    return _count_date_words(sight.before) if stamp or (today and sight.alone) else KEEP


def _judge_date(sight: Sight) -> int:
    """A date, perhaps with a time: introduced as a stamp, to the second, or first or last thing of
    a text.
    """
    month = sight.found["month"]
    if month is not None and month.lower() not in MONTHS:
        return KEEP
    return _judge_day(sight)


def _judge_day_after_month(sight: Sight) -> int:
    known = bool(sight.before) and sight.before[-1] in MONTHS
    return _judge_day(sight) if known else KEEP


def _judge_day(sight: Sight) -> int:
    found = sight.found
    words = _count_date_words(sight.before)
    weekday = not DAYS.isdisjoint(sight.before[len(sight.before) - words :])
    first = go_back(found.string, found.start(), words) == 0
    edge = weekday and (first or found.end() >= len(found.string) - 1)
    stamp = edge or found["seconds"] or _is_introduced(sight) or _follows(sight.before, TODAY | NOW)
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
    names = range(max(0, len(before) - 2 - _BEFORE_OF), len(before))
    return any(before[at] in BY and _follows(before[:at], STAMPS) for at in names)


def _follows(before: list[str], vocabulary: frozenset[str]) -> bool:
    """Whether only words of dates stand behind one of a vocabulary, or behind two as one-two."""
    for at in range(len(before) - 1, -1, -1):
        pair = "-".join(before[max(0, at - 1) : at + 1])
        if before[at] in vocabulary or pair in vocabulary:
            return True
        if not is_date_word(before[at]) and not before[at][0].isdigit():
            return False
    return False


def _rule(pattern: str, judge: Judge) -> Rule:
    return re.compile(pattern, re.IGNORECASE), judge


_AGE_BEFORE_AGO: Final = _rule(patterns.AGE_BEFORE_AGO, _judge_ago)
_AGE: Final = _rule(patterns.AGE, _judge_age)
_COUNT: Final = _rule(patterns.COUNT, _judge_count)
_PEOPLE: Final = _rule(patterns.PEOPLE, _judge_people)
_ONLINE: Final = _rule(patterns.ONLINE, _judge_nothing)
_TIMES: Final = _rule(patterns.TIMES, _judge_times)
_BUTTON: Final = _rule(patterns.COUNTER, _judge_button)
_DURATION: Final = _rule(patterns.DURATION, _judge_duration)
_COPYRIGHT: Final = _rule(patterns.COPYRIGHT_YEARS, _judge_copyright)
_DATE: Final = _rule(patterns.DATE_AND_TIME, _judge_date)
_DAY: Final = _rule(patterns.DAY_AND_TIME, _judge_day_after_month)
_TIME: Final = _rule(patterns.CLOCK, _judge_time)
_COUNTER: Final = _rule(patterns.COUNTER, _judge_counter)


def _table(*rows: tuple[frozenset[str], tuple[Rule, ...]]) -> dict[str, tuple[Rule, ...]]:
    """Of each word the rules of all rows that have it."""
    table: dict[str, tuple[Rule, ...]] = {}
    for words, rules in rows:
        for word in words:
            table[word] = table.get(word, ()) + rules
    return table


# Which rules may apply to a number: by the word after it, by the word before it, by its own shape.
RULES_BY_WORD_AFTER: Final = _table(
    (COUNTED | words_of("stars unique new total neue page k m tsd mio тыс"), (_COUNT,)),
    (CROWD | words_of("active registered other k m"), (_PEOPLE,)),
    (words_of("online k m"), (_ONLINE,)),
    (TIMES | words_of("×"), (_TIMES,)),
    (UNITS | AGO, (_AGE_BEFORE_AGO, _AGE)),
    (SECONDS | words_of("queries database"), (_DURATION,)),
    (MONTHS | words_of("of de di"), (_DATE,)),
    (words_of("© c"), (_COPYRIGHT,)),
    (words_of("uhr"), (_TIME,)),
)
RULES_BY_WORD_BEFORE: Final = _table(
    (COUNTED | SO_FAR | READ | words_of("online"), (_COUNTER,)),
    (READ, (_TIMES,)),
    (STARRED, (_BUTTON,)),
    (MONTHS, (_DAY,)),
)
# In the order of the groups of `patterns.SHAPE`.
RULES_BY_SHAPE: Final = ((_DATE, _DAY), (_TIME,), (_DURATION,), (_COPYRIGHT, _DATE))
