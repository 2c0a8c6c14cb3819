"""Markup that a tree builder would choke on, found before it is handed one.

Building a tree costs (tags × open elements), and unclosed formatting elements are *copied* into every paragraph that
follows: 27 KB of `<p><b a=1><p><b a=2>…` become two million nodes and 900 MB. Browsers stop at 512 levels; lexbor
does not stop. So a document that is deeper, or carries more along, than any honest one is first made flat: only what
we read of it (links, title, base, robots) stays marked up.

This is a screen, not a proof: markup that hides end tags in comments or attributes can fool it.
"""

from __future__ import annotations

import re
from typing import Final

FEW_TAGS: Final = 2_000  # so few cannot hurt, whatever they are (100 MB, 0.2 s at the worst)
MOST_TAGS: Final = 200_000
DEEPEST: Final = 500
MOST_COPIES: Final = 3_000_000  # open formatting elements × tags
MOST_ATTRIBUTES: Final = 10_000  # of one tag: each is compared with all before it
LONGEST_TAG: Final = 2_000  # of those that a flat document keeps

_TAG: Final = re.compile(r"<(/?[a-z][^\s/>]*)")
_ANY_TAG: Final = re.compile(r"<(/?[a-zA-Z!?][^<>]*)>?")
_KEPT: Final = re.compile(r"/?(?:a|title|base|meta)\b", re.IGNORECASE)
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr")
)
_FORMATTING: Final = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
_CELLS: Final = frozenset(("td", "th", "tr", "tbody", "thead", "tfoot"))
_ITEMS: Final = frozenset(("p", "li"))
_TERMS: Final = frozenset(("p", "dt", "dd"))
# Opening one of these ends those of its group that are open right above it: their end tags may be left out.
_ENDS: Final = {
    **dict.fromkeys(_CELLS, _CELLS | {"p"}),
    **dict.fromkeys(("dt", "dd"), _TERMS),
    "li": _ITEMS,
    "p": frozenset(("p",)),
    "option": frozenset(("option",)),
}


def untangled(html: str) -> str:
    """The same document, or a flat one if building its tree could take too long.

    >>> untangled("<p>One <b>two</b>") == "<p>One <b>two</b>"
    True
    >>> untangled("<div>" * 2000 + "<a href=x>one</a>").strip()
    '<a href=x>one</a>'
    """
    return _flat(html) if _too_wide(html) or _too_deep(html) else html


def _too_wide(html: str) -> bool:
    """Whether some tag might have too many attributes (or a text has no tag for very long: then flat is as good)."""
    stretches = html.split(">")
    if max(map(len, stretches)) <= 2 * MOST_ATTRIBUTES:  # the rule, and every page is asked
        return False
    stretches = [stretch for stretch in stretches if len(stretch) > 2 * MOST_ATTRIBUTES]
    return any(sum(map(stretch.count, " \t\n\f\r/")) > MOST_ATTRIBUTES for stretch in stretches)


def _too_deep(html: str) -> bool:
    tags = html.count("<")
    if tags <= FEW_TAGS:
        return False
    return tags > MOST_TAGS or _deeper(_visible(html, most_hidden=FEW_TAGS), DEEPEST, MOST_COPIES // tags)


def _deeper(html: str, most_open: int, most_formatting: int) -> bool:
    """Whether more elements, or formatting elements, are open at once. One flat loop: every tag of a page runs it.

    Wrongly nested end tags close nothing: whether the tree builder would honour them is its secret.
    """
    stack: list[str] = []
    formatting = 0
    for tag in _TAG.findall(html.lower()):
        if tag[0] == "/":
            formatting -= _close(stack, tag[1:]) if not stack or stack[-1] != tag[1:] else stack.pop() in _FORMATTING
        elif tag not in _VOID:
            while stack and stack[-1] in _ENDS.get(tag, ()):
                stack.pop()
            stack.append(tag)
            formatting += tag in _FORMATTING
            if len(stack) > most_open or formatting > most_formatting:
                return True
    return False


def _close(stack: list[str], name: str) -> int:
    """Pop an element together with the items in it that nobody closed; 1 if it was a formatting one."""
    top = len(stack) - 1
    while top >= 0 and stack[top] != name and stack[top] in _ENDS:
        top -= 1
    if top < 0 or stack[top] != name:
        return 0
    del stack[top:]
    return name in _FORMATTING


def _visible(html: str, most_hidden: float = float("inf")) -> str:
    """Cut out scripts, styles and drawings, whose tags build no tree; not if they hide many, for some of those may."""
    kept, hidden, at = [], 0, 0
    for begin, end in _raw_stretches(html):
        if begin >= at:
            kept.append(html[at:begin])
            hidden, at = hidden + html.count("<", begin, end), end
    return html if hidden > most_hidden else " ".join((*kept, html[at:]))


def _raw_stretches(html: str) -> list[tuple[int, int]]:
    low = html.lower()
    if len(low) != len(html):  # a few letters grow when lowered; places must stay places
        low = html
    found = []
    for name in ("script", "style", "svg"):
        begin = low.find(f"<{name}")
        while begin >= 0 and (end := low.find(f"</{name}", begin)) >= 0:
            found.append((begin, end))
            begin = low.find(f"<{name}", end)
    return sorted(found)


def _flat(html: str) -> str:
    def kept(match: re.Match[str]) -> str:
        return f"<{match[1]}>" if len(match[1]) <= LONGEST_TAG and _KEPT.match(match[1]) else " "

    return _ANY_TAG.sub(kept, _visible(html))
