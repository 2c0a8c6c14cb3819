"""What of a page is steady: its text without what changes by itself, so that "changed" means
changed.

A reader calls it a change when a word, a price, a version, a quantity or the day of an event is
another. Not so:

- stamps: a date or time that a word like *updated*, *generated*, *printed*, *today*, *Stand* or
  *mis à jour* introduces (at most four words before it, in the same sentence), one given to the
  second, and a date with its weekday that a text begins or ends with. Every other date belongs to
  what is said, and counts: a concert may be moved;
- ages ("3 minutes ago", "vor 2 Stunden"), and how long a page took to make ("generated in 0.034
  s");
- counters: numbers of views, visitors, comments, likes, downloads, people online ("1,234 views",
  "Besucher: 17");
- years of a copyright, marks of sessions and requests (long mixtures of letters and digits), the
  "(3)" before a title.

Nearly all of these have digits, so only numbers are looked at, and most numbers only once: a few
letters of the words beside them tell that they are plain (suspects.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from trapline.core.session_urls import without_session
from trapline.reading.identity.fingerprint import text_hash
from trapline.reading.identity.number_screen import (
    LONG,
    screen_numbers,
    suspect_numbers,
    table_of,
)
from trapline.reading.identity.timestamp_words import (
    ABBREVIATED,
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

# Of the words before a number in its sentence and the match: how many of them belong to a cut; −1 =
# no cut.
Judge = Callable[[list[str], re.Match[str]], int]
Rule = tuple[re.Pattern[str], Judge]

_NUMBER: Final = r"\d+(?:[.,'’\u202f ]\d{3})*(?:[.,]\d+)?"
_MONTH: Final = rf"(?:{'|'.join(sorted(MONTHS))})[a-zéûä]{{0,6}}\b\.?"
_CLOCK: Final = (
    r"\d{1,2}(?:[:h]\d{2}|\.\d{2}(?=\s?uhr))(?P<seconds>:\d{2}(?:[.,]\d+)?)?(?![\d:.]*\d)(?:\s?[ap]\.?m\b\.?)?(?:\s?(?:uhr|h)\b)?"
    r"(?:\s?(?:utc|gmt|ce?s?t|[ecmp][sd]t|z)\b)?(?:\s?\(?[+-]\d{2}:?\d{2}\)?)?"
)
_DATE: Final = (
    r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.|º|°)?[\s-](?:(?:of|de|di)\s)?{_MONTH}(?:,?[\s-](?:del?\s)?\d{{4}})?"
    # (May) 3, 2024
    r"|(?P<day>\d{1,2}(?:st|nd|rd|th)?(?:,?\s\d{4})?))(?!(?!t\d)\w|[.:/-]\d)"
)
_UNIT: Final = rf"(?:{'|'.join(sorted(UNITS))})"
_SHORT_TIME: Final = rf"(?:{'|'.join(sorted(SECONDS))})\b"
_PEOPLE: Final = rf"(?:(?:{'|'.join(sorted(CROWD))})\s)"
_HERE: Final = r"(?:online|en ligne|en línea|in linea)\b"
_WORDED: Final = re.compile(
    # what the words below begin with: most places are passed by at once
    r"\b(?=[aofvijm])"
    rf"(?:(?:an?|one|a few|few)\s{_UNIT}\sago|vor\s(?:eine[mr]|wenigen)\s{_UNIT}"
    rf"|il y a\s(?:une?|quelques)\s{_UNIT}|just now|moments ago)\b",
    re.IGNORECASE,
)
_UNREAD: Final = re.compile(r"^\(\d+\+?\)\s")
_RUN: Final = re.compile(r"[\w-]{16,}")
_HEX: Final = re.compile(r"[\da-f-]+|[\dA-F-]+")
_LASTING: Final = re.compile(
    r"(?:sha|md5|checksum|hash|digest|fingerprint|commit|revision|key)[^.!?]{0,14}$",
    re.IGNORECASE,
)
_FILE: Final = re.compile(r"\s\*?[\w.+-]*[a-zA-Z][\w.+-]*\.[a-z]\w{0,4}\b")

_PUNCTUATION: Final = " .,:;()[]#–—-"
_NEAR: Final = 60  # characters before a number that may explain it
_TOKEN: Final = re.compile(r"(\d\S*)(?:\s(\S+))?")
_SHAPE: Final = re.compile(  # a date or day of a month, a time, a few seconds, a year
    r"(\d{1,4}[-/.]\d{1,2}[-/.]\d|\d+(?:st|nd|rd|th)\b)|(\d{1,2}[:h]\d\d)|([\d.,]+m?s\b)|((?:19|20)\d\d(?:\W|\Z))"
)
_DIGITS: Final = re.compile(_NUMBER)
_BUSTERS: Final = words_of(
    "_ cb cachebust cachebuster nocache rnd rand random ts timestamp"
)


def steady_text(title: str, text: str) -> str:
    """Title and text without what changes by itself.

    >>> steady_text("(3) Prices", "Tea 4.50 € Updated: 3 May 2024, 12:04 1,234 views Next sale on 5 May")
    'Prices\\nTea 4.50 € Updated:   Next sale on 5 May'
    """
    return f"{_steady(_UNREAD.sub('', title))}\n{_steady(text)}"


def fingerprint(steady: str, targets: Iterable[str], url: str = "") -> int:
    """64 bits of what a reader would call the content of a page, signed as SQLite wants it: of its
    `steady_text`.

    Of the targets of links, those on the page's own host count (`url`; without it, all do), as a
    set: advertisements lead elsewhere, and a link that is only moved or doubled is no news. Session
    marks and cache busters are taken off.

    >>> tea, later = steady_text("Tea", "4.50 € 17 views"), steady_text("Tea", "4.50 € 18 views")
    >>> one = fingerprint(tea, ["http://a/tea?sid=1f00d1f00d1f00d1", "http://ads/7"], "http://a/")
    >>> one == fingerprint(later, ["http://a/tea", "http://ads/8"], "http://a/")
    True
    >>> one == fingerprint(steady_text("Tea", "4.60 € 17 views"), ["http://a/tea", "http://ads/7"], "http://a/")
    False
    """
    own = url[: url.find("/", 8) + 1]
    ours = {target for target in targets if target.startswith(own)}
    # one look at all of them: hardly any has a session mark
    if _may_pass("".join(ours)):
        ours = set(map(_lasting_part, ours))
    return text_hash("\n".join((steady, *sorted(ours))))


def _may_pass(target: str) -> bool:
    return "?" in target or ";" in target or "(" in target


def _lasting_part(target: str) -> str:
    if not _may_pass(target):
        return target
    place, _, query = without_session(target).partition("?")
    kept = [
        parameter
        for parameter in query.split("&")
        if parameter.partition("=")[0].lower() not in _BUSTERS
    ]
    return f"{place}?{'&'.join(kept)}" if any(kept) else place


def _steady(text: str) -> str:
    aged, numbers = screen_numbers(text, _TABLE_NEXT, _TABLE_LAST)
    if aged and (
        " ago" in text or "ust now" in text or " vor " in text or " il y a " in text
    ):
        text = _WORDED.sub("", text)
        numbers = suspect_numbers(text, _TABLE_NEXT, _TABLE_LAST)
    kept: list[str] = []
    kept_to = done = 0
    for at in numbers:
        if at >= done:
            start, done = _classify(text, at)
            if start >= 0:
                kept.append(text[kept_to : max(start, kept_to)])
                kept_to = done
    return "".join((*kept, text[kept_to:]))


def _classify(text: str, at: int) -> tuple[int, int]:
    """(where the cut that a number calls for begins, where it ends); (−1, where to look on) = the
    number counts.
    """
    token = _TOKEN.match(text, at)
    assert token is not None  # a digit stands there
    begins = text.rfind(" ", 0, at) + 1
    ends = token.end(1)
    if (
        ends - begins >= LONG
        and (run := _RUN.search(text, begins, ends))
        and _is_mark(run[0])
    ):
        return (-1, run.end()) if _stays(text, run) else run.span()
    if begins < at and text[at - 1] not in "([#":
        return -1, ends  # a number within a word
    rules = _BY_NEXT.get(_bare(token[2] or ""), ()) + _BY_LAST.get(
        _last(text, begins or at), ()
    )
    if (shape := _SHAPE.match(text, at, ends)) and shape.lastindex:
        rules += _BY_SHAPE[shape.lastindex - 1]
    return _closer(text, at, rules) if rules else (-1, ends)


def _bare(word: str) -> str:
    """A word as the rules know it; a month by its first letters."""
    word = word.lower().strip(_PUNCTUATION)
    return word[:3] if word[:3] in MONTHS and len(word) <= 9 else word


def _last(text: str, at: int) -> str:
    return _bare(text[text.rfind(" ", 0, max(at - 1, 0)) + 1 : at])


def _is_mark(run: str) -> bool:
    """Whether a long run of letters and digits is no word of any language or program.

    >>> _is_mark("3f2a90c1d4e5b677"), _is_mark("QAbstractItemModel2"), _is_mark("dGhpcyBpcyBh0IHRv7a2V9uLg")
    (True, False, True)
    """
    digits = sum(map(str.isdigit, run))
    if _HEX.fullmatch(run):
        return digits > 0 and not run.replace("-", "").isdigit()
    return len(run) >= 24 and digits >= 3 and not run.islower() and not run.isupper()


def _stays(text: str, mark: re.Match[str]) -> bool:
    """Checksums and commits are what people look for."""
    before = text[max(0, mark.start() - 30) : mark.start()]
    return (
        _LASTING.search(before) is not None or _FILE.match(text, mark.end()) is not None
    )


def _closer(text: str, at: int, rules: tuple[Rule, ...]) -> tuple[int, int]:
    before: list[str] | None = None
    for pattern, judge in rules:
        if found := pattern.match(text, at):
            before = _before(text, at) if before is None else before
            if (words := judge(before, found)) >= 0:
                return _words_back(text, at, words), found.end()
    number = _DIGITS.match(text, at)
    return -1, number.end() if number else at + 1


def _before(text: str, at: int) -> list[str]:
    """The words before a number in its sentence, bare and small."""
    words = text[max(0, at - _NEAR) : at].rstrip("([# ").lower().split()
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        if (
            word[-1] in ".!?|•"
            and word not in ABBREVIATED
            and not _of_date(word.rstrip("."))
        ):
            words = words[index + 1 :]
            break
    return [word.strip(_PUNCTUATION) for word in words]


def _words_back(text: str, at: int, words: int) -> int:
    for _ in range(words):
        at = text.rfind(" ", 0, max(at - 1, 0)) + 1
    return at


def _of_date(word: str) -> bool:
    return word in DAYS or (word[:3] in MONTHS and len(word) <= 9) or word in SMALL


def _says(before: list[str], vocabulary: frozenset[str], reach: int) -> bool:
    """Whether one of the last words is in a vocabulary, or two of them as one-two."""
    last = before[-reach:]
    return not vocabulary.isdisjoint(last) or not vocabulary.isdisjoint(
        map("-".join, pairwise(last))
    )


def _always(before: list[str], found: re.Match[str]) -> int:
    return 0


def _is_age(before: list[str], found: re.Match[str]) -> int:
    if before[-3:] == ["il", "y", "a"]:
        return 3
    return 1 if before and before[-1] in ("vor", "hace") else -1


def _is_made_in(before: list[str], found: re.Match[str]) -> int:
    bracket = found.string[found.start() - 1 : found.start()] == "("
    return (
        0
        if found[1] or _says(before, MADE, 4) or (bracket and _says(before, RESULTS, 4))
        else -1
    )


def _copyright(before: list[str], found: re.Match[str]) -> int:
    return 0 if found[1] or not {"©", "c", "copyright"}.isdisjoint(before[-3:]) else -1


def _is_count(before: list[str], found: re.Match[str]) -> int:
    """Only where a colon or bracket, or a word like *total*, makes a number of it: "likes 3 sugars"
    is none.
    """
    mark = found.string[max(0, found.start() - 2) : found.start()].strip()[-1:]
    last = -1 if before and before[-1] not in SO_FAR else -2
    counts = len(before) >= -last and before[last] in COUNTED | {"online"}
    return 0 if counts and (mark in "(#:" or last == -2) and mark else -1


def _time_stamp(before: list[str], found: re.Match[str]) -> int:
    """A time alone: introduced as a stamp, or to the second."""
    exact = found["seconds"] is not None and len(found[0]) > 7
    return _is_dated(before) if exact or _is_introduced(before) else -1


def _date_stamp(before: list[str], found: re.Match[str]) -> int:
    """A date, perhaps with a time: introduced as a stamp, to the second, or first or last thing of
    a text.
    """
    if found["day"] and not (before and before[-1][:3] in MONTHS):
        return -1  # a number
    words = _is_dated(before)
    weekday = not DAYS.isdisjoint(before[len(before) - words :])
    first = _words_back(found.string, found.start(), words) == 0
    edge = weekday and (first or found.end() >= len(found.string) - 1)
    return (
        words
        if edge or found["seconds"] or _is_introduced(before[: len(before) - words])
        else -1
    )


def _is_dated(before: list[str]) -> int:
    """How many of the last words belong to a date: weekday, month, *on*, *the*."""
    words = 0
    while words < len(before) and _of_date(before[-1 - words]):
        words += 1
    return words


def _is_introduced(before: list[str]) -> bool:
    """Whether one of the last words makes a stamp of what follows; not so *will be published*,
    *updated to*.
    """
    if not before or before[-1] in LIMITS or not _says(before, STAMPS, 4):
        return False
    last = before[-5:]
    return not any(
        word in PLANNED and after in STAMPS for word, after in pairwise(last)
    )


def _rule(pattern: str, judge: Judge) -> Rule:
    return re.compile(pattern, re.IGNORECASE), judge


# The tables below see to it that the word after a number is a unit, or something that is counted.
_AGE: Final = _rule(rf"{_NUMBER}\s?[^\W\d]+\s(?:ago|fa)\b", _always)
_AGED: Final = _rule(rf"{_NUMBER}\s[^\W\d]+", _is_age)
_COUNT: Final = _rule(rf"{_NUMBER}\s?[km]?\s[^\W\d]+(?:\s{_HERE})?", _always)
_COUNTER: Final = _rule(
    rf"{_NUMBER}\s?(?:[km]\b|tsd\b\.?|mio\b\.?)?\s?(?:(?:unique|new|total|neue|active)\s)?"
    rf"(?:(?:{'|'.join(sorted(COUNTED))})\b|{_PEOPLE}(?:(?:are|is|currently|sind|now)\s){{0,2}}{_HERE}|{_HERE}(?!\s(?-i:[a-zäöüéèñ])))",
    _always,
)
_TAKEN: Final = _rule(
    rf"(\d+\s(?:\w+\s)?queries\W{{1,3}}(?:in\s)?)?\d+(?:[.,]\d+)?\s?{_SHORT_TIME}",
    _is_made_in,
)
_RIGHTS: Final = _rule(
    r"(?:19|20)\d\d(?:\s?[-–—,]\s?(?:19|20)\d\d)*(?![\d.:/-]\d)(\s?(?:©|\(c\)))?",
    _copyright,
)
_DATED: Final = _rule(
    rf"{_DATE}(?:(?:t|,?\s(?:(?:at|um|à|a las|alle|[-–|])\s)?){_CLOCK})?", _date_stamp
)
_TIMED: Final = _rule(_CLOCK, _time_stamp)
_NUMBERED: Final = _rule(rf"{_NUMBER}\b", _is_count)

# Which rules may speak of a number: by the word after it, by the word before it, by its own shape.
_BY_NEXT: Final[dict[str, tuple[Rule, ...]]] = {
    **dict.fromkeys(
        CROWD | words_of("online unique new total neue active k tsd mio en is are"),
        (_COUNTER,),
    ),
    **dict.fromkeys(COUNTED, (_COUNT,)),
    **dict.fromkeys(UNITS, (_AGE, _AGED)),
    **dict.fromkeys(SECONDS, (_AGE, _AGED, _TAKEN)),
    "m": (_AGE, _AGED, _COUNTER),
    **dict.fromkeys(words_of("queries database"), (_TAKEN,)),
    **dict.fromkeys(MONTHS | words_of("of de di"), (_DATED,)),
    **dict.fromkeys(words_of("© c"), (_RIGHTS,)),
    "uhr": (_TIMED,),
    "fa": (_AGE,),
    "ago": (_AGE, _DATED),  # and agosto
}
_BY_LAST: Final[dict[str, tuple[Rule, ...]]] = {
    **dict.fromkeys(COUNTED | SO_FAR, (_NUMBERED,)),
    **dict.fromkeys(MONTHS, (_DATED,)),
}
_BY_SHAPE: Final = ((_DATED,), (_TIMED,), (_TAKEN,), (_RIGHTS, _DATED))
_TABLE_NEXT: Final = table_of(_BY_NEXT)
_TABLE_LAST: Final = table_of(_BY_LAST)
