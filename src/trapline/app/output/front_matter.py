"""Front matter: facts about a file of Markdown, as YAML before its text.

Titles come from strangers, so every text is quoted, and what YAML does not allow is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

# quotes and strokes; controls, separators and what is not seen; halves of characters
_ESCAPED: Final = re.compile(
    '["\\\\\x00-\x1f\x7f-\xa0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f'
    "\ud800-\udfff\ufeff\ufff0-\uffff\U000e0000-\U000e0fff]"
)


def front_matter(facts: Mapping[str, str | float | None]) -> str:
    """Facts in their order; what is not known is left out.

    >>> print(front_matter({"url": "http://a.org/", "language": None, "relevance": 0.5}), end="")
    ---
    url: "http://a.org/"
    relevance: 0.5
    ---
    """
    lines = [
        f"{name}: {_scalar(value)}"
        for name, value in facts.items()
        if value is not None
    ]
    return "\n".join(("---", *lines, "---", ""))


def _scalar(value: str | float) -> str:
    return f'"{_ESCAPED.sub(_escape, value)}"' if isinstance(value, str) else str(value)


def _escape(found: re.Match[str]) -> str:
    sign = found[0]
    if sign in '"\\':
        return f"\\{sign}"
    code = ord(sign)
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
