"""Rules for numbers that change by themselves: which text is cut together with a number.

A rule is a pattern and a judge. The judge is given the words before the number in its sentence and
the match of the pattern. It answers how many of these words belong to the cut, or `KEEP`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from trapline.reading.identity import number_patterns as patterns
from trapline.reading.identity.timestamp_words import (
    COUNTED,
    CROWD,
    DAYS,
    LIMITS,
    MADE,
    MONTHS,
    PLANNED,
    RESULTS,
    SECONDS,
    SMALL,
    SO_FAR,
    STAMPS,
    UNITS,
    words_of,
)

Judge = Callable[[list[str], re.Match[str]], int]
Rule = tuple[re.Pattern[str], Judge]

KEEP: Final = -1  # the number counts


def is_date_word(word: str) -> bool:
    """Whether a word belongs to a date: weekday, month, *on*, *the*."""
    return word in DAYS or (word[:3] in MONTHS and len(word) <= 9) or word in SMALL


def go_back(text: str, at: int, words: int) -> int:
    """Where the last words before a place begin."""
    for _ in range(words):
        at = text.rfind(" ", 0, max(at - 1, 0)) + 1
    return at


def _has_word(before: list[str], vocabulary: frozenset[str], reach: int) -> bool:
    """Whether one of the last words is in a vocabulary, or two of them as one-two."""
    last = before[-reach:]
    return not vocabulary.isdisjoint(last) or not vocabulary.isdisjoint(
        map("-".join, pairwise(last))
    )


def _judge_nothing(before: list[str], found: re.Match[str]) -> int:
    """The pattern says it all."""
    return 0


def _judge_age(before: list[str], found: re.Match[str]) -> int:
    if before[-3:] == ["il", "y", "a"]:
        return 3
    return 1 if before and before[-1] in ("vor", "hace") else KEEP


def _judge_duration(before: list[str], found: re.Match[str]) -> int:
    bracket = found.string[found.start() - 1 : found.start()] == "("
    made_in = (
        found[1]
        or _has_word(before, MADE, 4)
        or (bracket and _has_word(before, RESULTS, 4))
    )
    return 0 if made_in else KEEP


def _judge_copyright(before: list[str], found: re.Match[str]) -> int:
    marked = found[1] or not {"©", "c", "copyright"}.isdisjoint(before[-3:])
    return 0 if marked else KEEP


def _judge_counter(before: list[str], found: re.Match[str]) -> int:
    """Only where a colon or bracket, or a word like *total*, makes a number of it: "likes 3 sugars"
    is none.
    """
    mark = found.string[max(0, found.start() - 2) : found.start()].strip()[-1:]
    last = -1 if before and before[-1] not in SO_FAR else -2
    counts = len(before) >= -last and before[last] in COUNTED | {"online"}
    return 0 if counts and (mark in "(#:" or last == -2) and mark else KEEP


def _judge_time(before: list[str], found: re.Match[str]) -> int:
    """A time alone: introduced as a stamp, or to the second."""
    exact = found["seconds"] is not None and len(found[0]) > 7
    return _count_date_words(before) if exact or _is_introduced(before) else KEEP


def _judge_date(before: list[str], found: re.Match[str]) -> int:
    """A date, perhaps with a time: introduced as a stamp, to the second, or first or last thing of
    a text.
    """
    if found["day"] and not (before and before[-1][:3] in MONTHS):
        return KEEP  # a number
    words = _count_date_words(before)
    weekday = not DAYS.isdisjoint(before[len(before) - words :])
    first = go_back(found.string, found.start(), words) == 0
    edge = weekday and (first or found.end() >= len(found.string) - 1)
    introduced = (
        edge or found["seconds"] or _is_introduced(before[: len(before) - words])
    )
    return words if introduced else KEEP


def _count_date_words(before: list[str]) -> int:
    """How many of the last words belong to a date."""
    words = 0
    while words < len(before) and is_date_word(before[-1 - words]):
        words += 1
    return words


def _is_introduced(before: list[str]) -> bool:
    """Whether one of the last words makes a stamp of what follows; not so *will be published*,
    *updated to*.
    """
    if not before or before[-1] in LIMITS or not _has_word(before, STAMPS, 4):
        return False
    last = before[-5:]
    return not any(
        word in PLANNED and after in STAMPS for word, after in pairwise(last)
    )


def _rule(pattern: str, judge: Judge) -> Rule:
    return re.compile(pattern, re.IGNORECASE), judge


# The tables below see to it that the word after a number is a unit, or something that is counted.
_AGE_BEFORE_AGO: Final = _rule(patterns.AGE_BEFORE_AGO, _judge_nothing)
_AGE: Final = _rule(patterns.AGE, _judge_age)
_COUNT: Final = _rule(patterns.COUNT, _judge_nothing)
_PEOPLE_ONLINE: Final = _rule(patterns.PEOPLE_ONLINE, _judge_nothing)
_DURATION: Final = _rule(patterns.DURATION, _judge_duration)
_COPYRIGHT: Final = _rule(patterns.COPYRIGHT_YEARS, _judge_copyright)
_DATE: Final = _rule(patterns.DATE_AND_TIME, _judge_date)
_TIME: Final = _rule(patterns.CLOCK, _judge_time)
_COUNTER: Final = _rule(patterns.COUNTER, _judge_counter)

# Which rules may apply to a number: by the word after it, by the word before it, by its own shape.
RULES_BY_WORD_AFTER: Final[dict[str, tuple[Rule, ...]]] = {
    **dict.fromkeys(
        CROWD | words_of("online unique new total neue active k tsd mio en is are"),
        (_PEOPLE_ONLINE,),
    ),
    **dict.fromkeys(COUNTED, (_COUNT,)),
    **dict.fromkeys(UNITS, (_AGE_BEFORE_AGO, _AGE)),
    **dict.fromkeys(SECONDS, (_AGE_BEFORE_AGO, _AGE, _DURATION)),
    "m": (_AGE_BEFORE_AGO, _AGE, _PEOPLE_ONLINE),
    **dict.fromkeys(words_of("queries database"), (_DURATION,)),
    **dict.fromkeys(MONTHS | words_of("of de di"), (_DATE,)),
    **dict.fromkeys(words_of("© c"), (_COPYRIGHT,)),
    "uhr": (_TIME,),
    "fa": (_AGE_BEFORE_AGO,),
    "ago": (_AGE_BEFORE_AGO, _DATE),  # and agosto
}
RULES_BY_WORD_BEFORE: Final[dict[str, tuple[Rule, ...]]] = {
    **dict.fromkeys(COUNTED | SO_FAR, (_COUNTER,)),
    **dict.fromkeys(MONTHS, (_DATE,)),
}
# In the order of the groups of `patterns.SHAPE`.
RULES_BY_SHAPE: Final = ((_DATE,), (_TIME,), (_DURATION,), (_COPYRIGHT, _DATE))
