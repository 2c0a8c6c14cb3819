"""What of a page is steady: its text without what changes by itself, so that "changed" means
changed.

A reader calls it a change when a word, a price, a version, a quantity or the day of an event is
another. Not so:

- stamps: a date or time that a word like *updated*, *generated*, *printed*, *Stand* or *mis à jour*
  introduces (nothing but small words stand between, or a name), today's date, a time to the second,
  and a date with its weekday that a text begins or ends with. Every other date belongs to what is
  said, and counts: a concert may be moved;
- ages ("3 minutes ago", "vor 2 Stunden"), and how long a page took to make ("generated in 0.034
  s");
- counters: numbers of views, visitors, comments, likes, downloads, people online ("1,234 views",
  "Besucher: 17"), where they stand by themselves: in a sentence ("at most 30 visitors") they count;
- years of a copyright, marks of sessions and requests (long mixtures of letters and digits that are
  named so), the "(3)" before a title, the versions of the site behind it and of the program that
  wrote the page.

Nearly all of these have digits, so only numbers are looked at. Of most numbers the letters beside
them tell that they are plain (number_screen.py); the others are tried with rules (number_rules.py).
Texts without spaces between words have patterns of their own (ideograph_stamps.py).
"""

from __future__ import annotations

import re
from typing import Final

from trapline.reading.identity.ideograph_stamps import without_stamps
from trapline.reading.identity.number_patterns import AGE_IN_WORDS, NUMBER, SHAPE
from trapline.reading.identity.number_rules import (
    RULES_BY_SHAPE,
    RULES_BY_WORD_AFTER,
    RULES_BY_WORD_BEFORE,
    Rule,
)
from trapline.reading.identity.number_screen import (
    LONG,
    beginnings_of,
    find_candidates,
    screen_text,
)
from trapline.reading.identity.number_sight import (
    KEEP,
    LINE,
    Sight,
    go_back,
    has_word,
    words_of_sentence,
)
from trapline.reading.identity.stamp_words import SESSION

_AGE_IN_WORDS: Final = re.compile(AGE_IN_WORDS, re.IGNORECASE)
_AGE_MARKS: Final = (
    " ago",
    "ust now",
    " vor ein",
    " vor wenig",
    " il y a un",
    " il y a quel",
)
_NUMBER: Final = re.compile(NUMBER)
_SHAPE: Final = re.compile(SHAPE)
_UNREAD: Final = re.compile(r"^\(\d+\+?\)\s")
_SITE: Final = re.compile(r"\s[—–|·«-]\s(?!.*\s[—–|·«-]\s)")
_VERSION: Final = re.compile(r"\bv?\d+(?:\.\d+)+\b")
_RUN: Final = re.compile(r"[\w-]{16,}")
_HEX: Final = re.compile(r"[\da-f-]+|[\dA-F-]+")
_NUMBER_AND_WORD: Final = re.compile(r"(\d\S*)(?:\s(\S+))?")

_PUNCTUATION: Final = " .,:;()[]#–—-"
_NEAR: Final = 40  # characters before a mark that may name it
_BEGINNINGS_AFTER: Final = beginnings_of(RULES_BY_WORD_AFTER)
_BEGINNINGS_BEFORE: Final = beginnings_of(RULES_BY_WORD_BEFORE)


def steady_text(title: str, text: str) -> str:
    """Title and text without what changes by itself, line by line.

    >>> text = "Tea 4.50 €\\nUpdated: 3 May 2024, 12:04\\n1,234 views\\nNext sale on 5 May"
    >>> steady_text("(3) Prices", text)
    'Prices\\nTea 4.50 €\\nUpdated: \\n\\nNext sale on 5 May'
    """
    return f"{_without_changing(_page_name(title))}\n{_without_changing(text)}"


def _page_name(title: str) -> str:
    """A title without the number of unread things, and without the version of the site.

    >>> _page_name("(3) Tea 2.0 — Example 2.1 documentation")
    'Tea 2.0 — Example  documentation'
    """
    title = _UNREAD.sub("", title)
    site = _SITE.search(title)
    if site is None:
        return title
    return title[: site.end()] + _VERSION.sub("", title[site.end() :])


def _without_changing(lines: str) -> str:
    text = lines.replace("\n", " ")
    screened = screen_text(text, _BEGINNINGS_AFTER, _BEGINNINGS_BEFORE)
    numbers = screened.candidates
    if screened.ideographs:
        lines = without_stamps(lines)
    if screened.aged and _has_age(text):
        lines = _AGE_IN_WORDS.sub("", lines)
    if screened.ideographs or len(lines) != len(text):
        text = lines.replace("\n", " ")
        numbers = find_candidates(text, _BEGINNINGS_AFTER, _BEGINNINGS_BEFORE)
    kept: list[str] = []
    kept_to = 0
    done = 0
    for at in numbers:
        if at >= done:
            start, done = _find_cut(text, at, lines)
            if start >= 0:
                kept.append(lines[kept_to : max(start, kept_to)])
                kept.append("\n" * lines.count("\n", max(start, kept_to), done))
                kept_to = done
    return "".join((*kept, lines[kept_to:]))


def _has_age(text: str) -> bool:
    return any(mark in text for mark in _AGE_MARKS)


def _find_cut(text: str, at: int, lines: str) -> tuple[int, int]:
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
        return run.span() if _is_session(text, run.start()) else (KEEP, run.end())
    if begins < at and text[at - 1] not in "([#":
        return KEEP, ends  # a number within a word
    rules = RULES_BY_WORD_AFTER.get(_rule_word(token[2] or ""), ())
    rules += RULES_BY_WORD_BEFORE.get(_word_before(text, begins or at), ())
    if (shape := _SHAPE.match(text, at, ends)) and shape.lastindex:
        rules += RULES_BY_SHAPE[shape.lastindex - 1]
    return _apply_rules(text, at, rules, lines) if rules else (KEEP, ends)


def _rule_word(word: str) -> str:
    """A word as the rules know it."""
    return word.lower().strip(_PUNCTUATION)


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


def _is_session(text: str, at: int) -> bool:
    """Whether a mark is named as one of a session or request; serial numbers, checksums and commits
    are what people look for.
    """
    return has_word(words_of_sentence(text[max(0, at - _NEAR) : at])[-4:], SESSION)


def _apply_rules(
    text: str, at: int, rules: tuple[Rule, ...], lines: str
) -> tuple[int, int]:
    """The cut of the first rule that calls for one, as `_find_cut`."""
    sight = Sight(at, lines)
    for pattern, judge in rules:
        found = pattern.match(text, at)
        if found and not _is_torn(sight.focus(found)):
            words = judge(sight)
            if words == LINE:
                return _line_around(lines, at)
            if words >= 0:
                return go_back(text, at, words), found.end()
    number = _NUMBER.match(text, at)
    return KEEP, number.end() if number else at + 1


def _is_torn(sight: Sight) -> bool:
    """Whether what was found ends in another line than that in which other words stand."""
    begin, end = sight.found.span()
    return "\n" in sight.lines[begin:end] and bool(sight.left.strip())


def _line_around(lines: str, at: int) -> tuple[int, int]:
    end = lines.find("\n", at)
    return lines.rfind("\n", 0, at) + 1, end if end >= 0 else len(lines)
