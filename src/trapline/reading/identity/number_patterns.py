"""Regular expressions of numbers that may change by themselves: dates, times, ages, counters."""

from __future__ import annotations

from typing import Final

from trapline.reading.identity.timestamp_words import (
    COUNTED,
    CROWD,
    MONTHS,
    SECONDS,
    UNITS,
)

NUMBER: Final = r"\d+(?:[.,'’\u202f ]\d{3})*(?:[.,]\d+)?"
CLOCK: Final = (
    r"\d{1,2}(?:[:h]\d{2}|\.\d{2}(?=\s?uhr))(?P<seconds>:\d{2}(?:[.,]\d+)?)?(?![\d:.]*\d)"
    r"(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:uhr|h)\b)?"
    r"(?:\s?(?:utc|gmt|ce?s?t|[ecmp][sd]t|z)\b)?(?:\s?\(?[+-]\d{2}:?\d{2}\)?)?"
)
_MONTH: Final = rf"(?:{'|'.join(sorted(MONTHS))})[a-zéûä]{{0,6}}\b\.?"
DATE: Final = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.|º|°)?[\s-](?:(?:of|de|di)\s)?{_MONTH}"
    r"(?:,?[\s-](?:del?\s)?\d{4})?"
    # (May) 3, 2024
    r"|(?P<day>\d{1,2}(?:st|nd|rd|th)?(?:,?\s\d{4})?))(?!(?!t\d)\w|[.:/-]\d)"
)
DATE_AND_TIME: Final = (
    rf"{DATE}(?:(?:t|,?\s(?:(?:at|um|à|a las|alle|[-–|])\s)?){CLOCK})?"
)

_UNIT: Final = rf"(?:{'|'.join(sorted(UNITS))})"
AGE_IN_WORDS: Final = (
    # what the words below begin with: most places are passed by at once
    r"\b(?=[aofvijm])"
    rf"(?:(?:an?|one|a few|few)\s{_UNIT}\sago|vor\s(?:eine[mr]|wenigen)\s{_UNIT}"
    rf"|il y a\s(?:une?|quelques)\s{_UNIT}|just now|moments ago)\b"
)
AGE_BEFORE_AGO: Final = rf"{NUMBER}\s?[^\W\d]+\s(?:ago|fa)\b"
AGE: Final = rf"{NUMBER}\s[^\W\d]+"
_SHORT_TIME: Final = rf"(?:{'|'.join(sorted(SECONDS))})\b"
DURATION: Final = (
    r"(\d+\s(?:\w+\s)?queries\W{1,3}(?:in\s)?)?" + rf"\d+(?:[.,]\d+)?\s?{_SHORT_TIME}"
)

_ONLINE: Final = r"(?:online|en ligne|en línea|in linea)\b"
_PEOPLE: Final = rf"(?:(?:{'|'.join(sorted(CROWD))})\s)"
COUNT: Final = rf"{NUMBER}\s?[km]?\s[^\W\d]+(?:\s{_ONLINE})?"
PEOPLE_ONLINE: Final = (
    rf"{NUMBER}\s?(?:[km]\b|tsd\b\.?|mio\b\.?)?\s?"
    r"(?:(?:unique|new|total|neue|active)\s)?"
    rf"(?:(?:{'|'.join(sorted(COUNTED))})\b"
    rf"|{_PEOPLE}(?:(?:are|is|currently|sind|now)\s){{0,2}}{_ONLINE}"
    rf"|{_ONLINE}(?!\s(?-i:[a-zäöüéèñ])))"
)
COUNTER: Final = rf"{NUMBER}\b"

COPYRIGHT_YEARS: Final = (
    r"(?:19|20)\d\d(?:\s?[-–—,]\s?(?:19|20)\d\d)*(?![\d.:/-]\d)(\s?(?:©|\(c\)))?"
)
# One group each: a date or the day of a month, a time, a few seconds, a year.
SHAPE: Final = (
    r"(\d{1,4}[-/.]\d{1,2}[-/.]\d|\d+(?:st|nd|rd|th)\b)|(\d{1,2}[:h]\d\d)|([\d.,]+m?s\b)"
    r"|((?:19|20)\d\d(?:\W|\Z))"
)
