"""Text stays text: signs that mean something to Markdown get a stroke before them.

No more of them than necessary: people and language models read it as it stands. The rules are those
of CommonMark, and of tables in GitHub's.
"""

from __future__ import annotations

import re
from typing import Final

# a stroke before a sign; code; emphasis, but not within a word or between spaces; tags; entities;
# deleted text; the second half of a link
_INSIDE: Final = re.compile(
    r"\\(?=[!-/:-@\[-`{-~]|$)|`|\*(?! )|(?<! )\*|(?<![^\W_])_|_(?![^\W_])"
    r"|<(?=[A-Za-z/!?])|&(?=#?\w{1,32};)|~(?=~)|(?<=~)~|(?<=\])\("
)
# a heading; an item; a rule; a quote, a table or the target of a link; code
_BEGIN: Final = re.compile(
    r"#{1,6}(?= |$)|[-+](?= |$)|[-=](?=[-= ]*$)|[>|\[]|~(?=~~)|:(?=-)"
)
_NUMBER: Final = re.compile(r"\A(\d{1,9})([.)])(?= |$)")
_BRACKETS: Final = re.compile(r"[\[\]]")


def escape_inside(text: str) -> str:
    r"""Text somewhere in a line.

    >>> escape_inside("2 * 3 is *not* a_b, see [x](y) & <b>")
    '2 * 3 is \\*not\\* a_b, see [x]\\(y) & \\<b>'
    """
    return _INSIDE.sub(r"\\\g<0>", text)


def escape_begin(line: str) -> str:
    r"""A line that is escaped already, whose first signs must not make it something else.

    >>> escape_begin("# no heading"), escape_begin("1. no item"), escape_begin("#3 --x")
    ('\\# no heading', '1\\. no item', '#3 --x')
    """
    line = _NUMBER.sub(r"\1\\\2", line)
    return f"\\{line}" if _BEGIN.match(line) else line


def escape_link(text: str) -> str:
    r"""Words of a link.

    >>> escape_link("a[0]")
    'a\\[0\\]'
    """
    return _BRACKETS.sub(r"\\\g<0>", escape_inside(text))


def code_span(code: str) -> str:
    """
    >>> code_span("a"), code_span("`b`")
    ('`a`', '`` `b` ``')
    """
    fence = "`" * (_longest_run(code) + 1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{fence}{pad}{code}{pad}{fence}"


def code_fence(code: str) -> str:
    """The line before and after code, whatever stands in it."""
    return "`" * max(3, _longest_run(code) + 1)


def _longest_run(code: str) -> int:
    return max(map(len, re.findall("`+", code)), default=0)
