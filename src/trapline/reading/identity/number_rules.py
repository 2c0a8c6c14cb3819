"""Rules for numbers that change by themselves: a pattern, and a judge of what it finds.

Which rules may apply to a number is told by the word after it, the word before it, and its own
shape.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from trapline.reading.identity import count_rules as counts
from trapline.reading.identity import date_rules as dates
from trapline.reading.identity import number_patterns as patterns
from trapline.reading.identity.calendar_words import MONTHS, words_of
from trapline.reading.identity.counter_words import (
    AGO,
    COUNTED,
    CROWD,
    READ,
    SECONDS,
    SO_FAR,
    STARRED,
    TIMES,
    UNITS,
)
from trapline.reading.identity.number_sight import Sight
from trapline.reading.identity.stamp_words import GENERATORS, STAMPS

Judge = Callable[[Sight], int]
Rule = tuple[re.Pattern[str], Judge]


def _rule(pattern: str, judge: Judge) -> Rule:
    return re.compile(pattern, re.IGNORECASE), judge


_AGE_BEFORE_AGO: Final = _rule(patterns.AGE_BEFORE_AGO, dates.judge_ago)
_AGE: Final = _rule(patterns.AGE, dates.judge_age)
_COUNT: Final = _rule(patterns.COUNT, counts.judge_count)
_PEOPLE: Final = _rule(patterns.PEOPLE, counts.judge_people)
_ONLINE: Final = _rule(patterns.ONLINE, counts.judge_nothing)
_TIMES: Final = _rule(patterns.TIMES, counts.judge_times)
_BUTTON: Final = _rule(patterns.COUNTER, counts.judge_button)
_DURATION: Final = _rule(patterns.DURATION, dates.judge_duration)
_COPYRIGHT: Final = _rule(patterns.COPYRIGHT_YEARS, dates.judge_copyright)
_GENERATOR: Final = _rule(patterns.VERSION, dates.judge_generator)
_DATE: Final = _rule(patterns.DATE_AND_TIME, dates.judge_date)
_YEAR_FIRST: Final = _rule(patterns.YEAR_FIRST, dates.judge_date)
_DAY: Final = _rule(patterns.DAY_AND_TIME, dates.judge_day_after_month)
_TIME: Final = _rule(patterns.CLOCK, dates.judge_time)
_COUNTER: Final = _rule(patterns.COUNTER, counts.judge_counter)


def _table(
    *rows: tuple[frozenset[str], tuple[Rule, ...]],
) -> dict[str, tuple[Rule, ...]]:
    """Of each word the rules of all rows that have it."""
    table: dict[str, tuple[Rule, ...]] = {}
    for words, rules in rows:
        for word in words:
            table[word] = table.get(word, ()) + rules
    return table


# Which rules may apply to a number: by the word after it, by the word before it, by its own shape.
RULES_BY_WORD_AFTER: Final = _table(
    (
        COUNTED | words_of("stars unique new total neue page k m tsd mio mil тыс"),
        (_COUNT,),
    ),
    (CROWD | words_of("active registered other k m"), (_PEOPLE,)),
    (words_of("online k m"), (_ONLINE,)),
    (TIMES | words_of("×"), (_TIMES,)),
    (UNITS | AGO, (_AGE_BEFORE_AGO, _AGE)),
    (SECONDS | words_of("queries database"), (_DURATION,)),
    (MONTHS | words_of("of de di"), (_DATE, _YEAR_FIRST)),
    (words_of("© c"), (_COPYRIGHT,)),
    (words_of("uhr"), (_TIME,)),
)
RULES_BY_WORD_BEFORE: Final = _table(
    (COUNTED | SO_FAR | READ | words_of("online counter zähler"), (_COUNTER,)),
    (READ, (_TIMES,)),
    (STARRED, (_BUTTON,)),
    (MONTHS, (_DAY,)),
    (STAMPS, (_DATE,)),
    (GENERATORS, (_GENERATOR,)),
)
# In the order of the groups of `patterns.SHAPE`.
RULES_BY_SHAPE: Final = ((_DATE, _DAY), (_TIME,), (_DURATION,), (_COPYRIGHT, _DATE))
