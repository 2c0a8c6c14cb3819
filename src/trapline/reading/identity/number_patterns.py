"""Regular expressions of numbers that may change by themselves: dates, times, ages, counters.

Of words only the places are told: which words they may be is for the judges (number_rules.py).
"""

from __future__ import annotations

from typing import Final

_WORD: Final = r"[^\W\d]+"
NUMBER: Final = r"\d+(?:[.,'’\u202f ]\d{3})*(?:[.,]\d+)?"
CLOCK: Final = (
    r"\d{1,2}(?:[:h]\d{2}|\.\d{2}(?=\s?uhr))(?P<seconds>:\d{2}(?:[.,]\d+)?)?(?![\d:.]*\d)"
    r"(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:uhr|h)\b)?"
    r"(?:\s?\(?(?:utc|gmt|ce?s?t|[ecmp][sd]t|bst|ist|jst|msk|aest|z)\b\)?)?"
    r"(?:\s?\(?[+-]\d{2}:?\d{2}\)?)?"
)
_DATE_END: Final = r"(?!(?!t\d)\w|[.:/-]\d)"
_NUMERIC_DATE: Final = (
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\.?|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?(?:\d{4}|\d{2})"
    r"|\d{1,2}[/.](?:19|20)\d\d"  # 05/2024
)
_NAMED_MONTH: Final = (
    r"\d{1,2}(?:st|nd|rd|th|er|\.|º|°|ª)?[\s-](?:(?:of|de|di)\s)?(?P<month>[^\W\d]{3,12})"
    r"\b\.?(?:,?[\s-](?:del?\s)?\d{4})?(?:\s(?:г|р)\b\.?)?"
)
# (May) 3, 2024; (May) 2024
_DAY: Final = r"(?:\d{1,2}(?:st|nd|rd|th)?(?:,?\s\d{4})?|(?:19|20)\d\d)"
YEAR_FIRST: Final = (  # 2024 May 3
    r"(?:19|20)\d\d\.?[\s-](?P<month>[^\W\d]{3,12})[\s-]\d{1,2}\b\.?(?P<seconds>\b\B)?"
)
_THEN_TIME: Final = (
    r"(?:(?:t|,?\s(?:(?:at|um|à|a las|alle|às|om|o|в|kl|klo|kell|[-–|])\.?\s)?)"
    rf"{CLOCK})?"
)
DATE_AND_TIME: Final = (
    rf"(?:{_NUMERIC_DATE}|{_NAMED_MONTH}){_DATE_END}{_THEN_TIME}(?:\suhr\b)?"
)
DAY_AND_TIME: Final = rf"{_DAY}{_DATE_END}{_THEN_TIME}"

AGE_IN_WORDS: Final = (
    # what the words below begin with: most places are passed by at once
    r"\b(?=[aofvijm])"
    r"(?:(?:an?|one|a few|few)\s(?:second|minute|hour|day|week|month|year)s?\sago"
    r"|vor\s(?:eine[mr]|wenigen)\s(?:sekunden?|minuten?|stunden?|tage?n?|wochen?"
    r"|monate?n?|jahre?n?)"
    r"|il y a\s(?:une?|quelques)\s(?:secondes?|minutes?|heures?|jours?|semaines?|mois"
    r"|ans?)|just now|moments ago)\b"
)
AGE_BEFORE_AGO: Final = rf"{NUMBER}\s?{_WORD}\s(?:yang\s)?(?P<ago>{_WORD})"
AGE: Final = rf"{NUMBER}\s{_WORD}"
DURATION: Final = (
    r"(\d+\s(?:\w+\s)?queries\W{1,3}(?:in\s)?)?" + rf"\d+(?:[.,]\d+)?\s?{_WORD}\b"
)

_THOUSANDS: Final = r"(?:\s?(?P<thousands>k|m|tsd\.?|mio\.?|mil|тыс\.?)(?!\w))?"
_ORDINAL: Final = r"(?P<ordinal>\.|e|er|ème|st|nd|rd|th|º|ª|o|a)?"
COUNT: Final = (
    rf"{NUMBER}{_ORDINAL}{_THOUSANDS}\s"
    rf"(?:(?:unique|new|total|neue|page)\s)?(?P<counted>{_WORD})"
)
COUNTER: Final = rf"{NUMBER}{_THOUSANDS}(?!\w)(?:\s?x\b)?"
TIMES: Final = rf"{NUMBER}\s?(?:×|{_WORD})"
PEOPLE: Final = (
    rf"{NUMBER}{_THOUSANDS}\s(?:(?:active|registered|other)\s)?(?P<crowd>{_WORD})"
)
ONLINE: Final = (
    rf"{NUMBER}{_THOUSANDS}\s(?:online|en ligne|en línea|in linea)\b"
    r"(?!\s(?-i:[a-zäöüéèñ]))"
)

VERSION: Final = r"\d+(?:\.\d+)*"
COPYRIGHT_YEARS: Final = (
    r"(?:19|20)\d\d(?:\s?[-–—,]\s?(?:19|20)\d\d)*(?![\d.:/-]\d)(\s?(?:©|\(c\)))?"
)
# One group each: a date or the day of a month, a time, a few seconds, a year.
SHAPE: Final = (
    r"(\d{1,4}[-/.]\d{1,2}[-/.]\d|\d+(?:st|nd|rd|th)\b|\d{1,2}-[^\W\d]{3})"
    r"|(\d{1,2}[:h]\d\d)|([\d.,]+m?s\b)"
    r"|((?:19|20)\d\d(?:\W|\Z))"
)
