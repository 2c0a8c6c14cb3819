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

Nearly all of these have digits, so only numbers are looked at. Of most numbers the letters beside
them tell that they are plain (number_screen.py); the others are tried with rules (number_rules.py).
"""

from __future__ import annotations

import re
from typing import Final

from trapline.reading.identity.number_patterns import AGE_IN_WORDS, NUMBER, SHAPE
from trapline.reading.identity.number_rules import (
    KEEP,
    RULES_BY_SHAPE,
    RULES_BY_WORD_AFTER,
    RULES_BY_WORD_BEFORE,
    Rule,
    go_back,
    is_date_word,
)
from trapline.reading.identity.number_screen import (
    LONG,
    beginnings_of,
    find_candidates,
    screen_text,
)
from trapline.reading.identity.timestamp_words import ABBREVIATED, MONTHS

_AGE_IN_WORDS: Final = re.compile(AGE_IN_WORDS, re.IGNORECASE)
_NUMBER: Final = re.compile(NUMBER)
_SHAPE: Final = re.compile(SHAPE)
_UNREAD: Final = re.compile(r"^\(\d+\+?\)\s")
_RUN: Final = re.compile(r"[\w-]{16,}")
_HEX: Final = re.compile(r"[\da-f-]+|[\dA-F-]+")
_CHECKSUM_WORD: Final = re.compile(
    r"(?:sha|md5|checksum|hash|digest|fingerprint|commit|revision|key)[^.!?]{0,14}$",
    re.IGNORECASE,
)
_FILE_NAME: Final = re.compile(r"\s\*?[\w.+-]*[a-zA-Z][\w.+-]*\.[a-z]\w{0,4}\b")
_NUMBER_AND_WORD: Final = re.compile(r"(\d\S*)(?:\s(\S+))?")

_PUNCTUATION: Final = " .,:;()[]#–—-"
_NEAR: Final = 60  # characters before a number that may explain it
_BEGINNINGS_AFTER: Final = beginnings_of(RULES_BY_WORD_AFTER)
_BEGINNINGS_BEFORE: Final = beginnings_of(RULES_BY_WORD_BEFORE)


def steady_text(title: str, text: str) -> str:
    """Title and text without what changes by itself.

    >>> text = "Tea 4.50 € Updated: 3 May 2024, 12:04 1,234 views Next sale on 5 May"
    >>> steady_text("(3) Prices", text)
    'Prices\\nTea 4.50 € Updated:   Next sale on 5 May'
    """
    # a word may introduce a date in the next cell of a table
    line = text.replace("\n", " ")
    return f"{_without_changing(_UNREAD.sub('', title))}\n{_without_changing(line)}"


def _without_changing(text: str) -> str:
    aged, numbers = screen_text(text, _BEGINNINGS_AFTER, _BEGINNINGS_BEFORE)
    if aged and (
        " ago" in text or "ust now" in text or " vor " in text or " il y a " in text
    ):
        text = _AGE_IN_WORDS.sub("", text)
        numbers = find_candidates(text, _BEGINNINGS_AFTER, _BEGINNINGS_BEFORE)
    kept: list[str] = []
    kept_to = 0
    done = 0
    for at in numbers:
        if at >= done:
            start, done = _find_cut(text, at)
            if start >= 0:
                kept.append(text[kept_to : max(start, kept_to)])
                kept_to = done
    return "".join((*kept, text[kept_to:]))


def _find_cut(text: str, at: int) -> tuple[int, int]:
    """(where the cut that a number calls for begins, where it ends); (KEEP, where to look on) = the
    number counts.
    """
    token = _NUMBER_AND_WORD.match(text, at)
    assert token is not None  # a digit stands there
    begins = text.rfind(" ", 0, at) + 1
    ends = token.end(1)
    if (
        ends - begins >= LONG
        and (run := _RUN.search(text, begins, ends))
        and _is_random(run[0])
    ):
        return (KEEP, run.end()) if _is_checksum(text, run) else run.span()
    if begins < at and text[at - 1] not in "([#":
        return KEEP, ends  # a number within a word
    rules = RULES_BY_WORD_AFTER.get(_rule_word(token[2] or ""), ())
    rules += RULES_BY_WORD_BEFORE.get(_word_before(text, begins or at), ())
    if (shape := _SHAPE.match(text, at, ends)) and shape.lastindex:
        rules += RULES_BY_SHAPE[shape.lastindex - 1]
    return _apply_rules(text, at, rules) if rules else (KEEP, ends)


def _rule_word(word: str) -> str:
    """A word as the rules know it; a month by its first letters."""
    word = word.lower().strip(_PUNCTUATION)
    return word[:3] if word[:3] in MONTHS and len(word) <= 9 else word


def _word_before(text: str, at: int) -> str:
    return _rule_word(text[text.rfind(" ", 0, max(at - 1, 0)) + 1 : at])


def _is_random(run: str) -> bool:
    """Whether a long run of letters and digits is no word of any language or program.

    >>> _is_random("3f2a90c1d4e5b677"), _is_random("QAbstractItemModel2")
    (True, False)
    >>> _is_random("dGhpcyBpcyBh0IHRv7a2V9uLg")
    True
    """
    digits = sum(map(str.isdigit, run))
    if _HEX.fullmatch(run):
        return digits > 0 and not run.replace("-", "").isdigit()
    return len(run) >= 24 and digits >= 3 and not run.islower() and not run.isupper()


def _is_checksum(text: str, run: re.Match[str]) -> bool:
    """Checksums and commits are what people look for."""
    before = text[max(0, run.start() - 30) : run.start()]
    named = _CHECKSUM_WORD.search(before) is not None
    return named or _FILE_NAME.match(text, run.end()) is not None


def _apply_rules(text: str, at: int, rules: tuple[Rule, ...]) -> tuple[int, int]:
    """The cut of the first rule that calls for one, as `_find_cut`."""
    before: list[str] | None = None
    for pattern, judge in rules:
        if found := pattern.match(text, at):
            before = _words_before(text, at) if before is None else before
            if (words := judge(before, found)) >= 0:
                return go_back(text, at, words), found.end()
    number = _NUMBER.match(text, at)
    return KEEP, number.end() if number else at + 1


def _words_before(text: str, at: int) -> list[str]:
    """The words before a number in its sentence, small and without punctuation."""
    words = text[max(0, at - _NEAR) : at].rstrip("([# ").lower().split()
    for index in range(len(words) - 1, -1, -1):
        if _ends_sentence(words[index]):
            words = words[index + 1 :]
            break
    return [word.strip(_PUNCTUATION) for word in words]


def _ends_sentence(word: str) -> bool:
    return (
        word[-1] in ".!?|•"
        and word not in ABBREVIATED
        and not is_date_word(word.rstrip("."))
    )
