"""What reaches a terminal: nothing that moves its cursor, hides or reverses text.

Titles, URLs and remarks come from strangers. Characters that have no shape of their own are shown
as visible marks, in one place: `guard_standard_streams` for everything that is printed, warned of
or raised, `Terminal` (app/output/terminal.py) for tables and progress. JSON keeps them, as escapes.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from typing import Any, Final, TextIO

# Controls but for newline and tab, separators of lines, halves of characters, and what Unicode
# calls format: zero-width, bidirectional, tags.
_UNSEEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS: Final = "\u200c\u200d"  # some scripts and pictures need them
_PICTURES: Final = 0x2400  # of the 32 control characters that everybody knows
_DELETE: Final = 0x7F


def readable(text: str) -> str:
    """The same text, with marks for what would not be seen.

    >>> readable("News\\x1b[2J\\x9b5m \\u202egnp.exe"), readable("plain [text]\\n")
    ('News␛[2J<U+009B>5m <U+202E>gnp.exe', 'plain [text]\\n')
    """
    return _UNSEEN.sub(_mark, text)


def drop_unseen(text: str) -> str:
    """The same text without what a person would not see: nothing is hidden in it.

    >>> drop_unseen("a\\U000e0041\\u200b\\x1b b\\u200cc") == "a b\\u200cc"
    True
    """
    return _UNSEEN.sub(lambda sign: sign[0] if sign[0] in _JOINERS else "", text)


def _mark(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_PICTURES + code)
    return "␡" if code == _DELETE else f"<U+{code:04X}>"


def json_text(value: Any) -> str:
    """One line of JSON that says the same and holds nothing unseen.

    >>> json_text({"title": "Größe\\x9b\\u200b"})
    '{"title": "Größe\\\\u009b\\\\u200b"}'
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


class _ReadableStream:
    """A standard stream that shows what would not be seen."""

    def __init__(self, beneath: TextIO) -> None:
        self._beneath = beneath
        # rich asks for this name: `Terminal` writes its own control codes beneath
        self.rich_proxied_file = beneath

    def write(self, text: str) -> int:
        shown = readable(text)
        try:
            self._beneath.write(shown)
        except UnicodeEncodeError as poor:  # a terminal that knows few letters
            plain = shown.encode(poor.encoding, "backslashreplace")
            self._beneath.write(plain.decode(poor.encoding))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._beneath, name)


def guard_standard_streams() -> None:
    """From now on, all that is printed or raised is readable."""
    sys.stdout = _guard(sys.stdout)
    sys.stderr = _guard(sys.stderr)


def _guard(stream: TextIO) -> TextIO:
    if isinstance(stream, _ReadableStream) or stream is None:
        return stream
    guarded: Any = _ReadableStream(stream)
    return guarded  # type: ignore[no-any-return]
