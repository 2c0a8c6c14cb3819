"""How deep elements are nested, by regular expressions and a plain stack: slow, and easy to follow.

The kernel of nesting.py must say the same of every document.
"""

from __future__ import annotations

import re
from typing import Final

# the rest, if it holds no mark
_TAG: Final = re.compile(r"<(/?[a-z][^\t\n\f\r />]*|!--|!\[cdata\[|[!?/])([^<>]*>)?")
# A tag to its true end. Possessive: it never goes back, so it takes no longer than it is long.
_SPACES: Final = r"[\t\n\f\r ]*+"
_UNQUOTED: Final = r"""[^\t\n\f\r >"'][^\t\n\f\r >]*+"""
_VALUE: Final = rf"""{_SPACES}={_SPACES}(?:"[^"]*+"|'[^']*+'|(?=>)|{_UNQUOTED})"""
_ATTRIBUTE: Final = rf"""[^\t\n\f\r />][^\t\n\f\r />=]*+(?:{_VALUE})?+"""
_WHOLE_TAG: Final = re.compile(
    rf"""</?[a-z][^\t\n\f\r />]*+(?:[\t\n\f\r /]++|{_ATTRIBUTE})*+>"""
)
# Written with care, it is closed by its stroke; in <path d=x/> the stroke belongs to the value, and
# it is open.
_SELF_CLOSED: Final = re.compile(
    r"""<[a-z]++(?:[\t\n\f\r ]++[\w:.-]++(?:="[^"]*+"|='[^']*+')?+)*+[\t\n\f\r ]*+/>"""
)
_COMMENT: Final = re.compile(r"<!--(?:-?>|.*?(?:--!?>|\Z))", re.DOTALL)
_VOID: Final = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    )
)
_FORMATTING: Final = frozenset(
    (
        "a",
        "b",
        "big",
        "code",
        "em",
        "font",
        "i",
        "nobr",
        "s",
        "small",
        "strike",
        "strong",
        "tt",
        "u",
    )
)
_CELLS: Final = frozenset(("td", "th", "tr", "tbody", "thead", "tfoot"))
_ITEMS: Final = frozenset(("p", "li"))
_TERMS: Final = frozenset(("p", "dt", "dd"))
_RAW: Final = frozenset(
    ("script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes")
)
_NO_ELEMENT: Final = frozenset(("!--", "![cdata[", "!", "?", "/"))
# While a drawing has nothing but these in it, `/>` ends an element there.
_DRAWN: Final = frozenset(
    re.findall(
        r"\w+",
        "g defs symbol use path rect circle ellipse line polyline polygon text tspan image "
        "marker mask pattern stop "
        "lineargradient radialgradient clippath filter",
    )
)
# Opening one of these ends those of its group that are open right above it: their end tags may be
# left out.
_ENDS: Final = {
    **dict.fromkeys(_CELLS, _CELLS | {"p"}),
    **dict.fromkeys(("dt", "dd"), _TERMS),
    "li": _ITEMS,
    "p": frozenset(("p",)),
    "option": frozenset(("option",)),
}
# What holds of these in drawings and formulas too, because they end them.
_VOID_ANYWHERE: Final = frozenset(("br", "embed", "hr", "img", "meta"))
_ENDS_ANYWHERE: Final = {name: _ENDS[name] for name in ("p", "li", "dt", "dd")}


def is_deeper_slowly(html: str, most_open: int, most_formatting: int) -> bool:
    """Whether more elements, or formatting elements, are open at once."""
    low = _lower(html)
    stack: list[str] = []
    formatting = hidden_to = 0
    drawing = unsure = False
    void = _VOID
    ends = _ENDS
    for tag in _TAG.finditer(low):
        name, rest = tag.groups()
        if tag.start() < hidden_to:
            if unsure and name[0].isalpha() and name not in void:
                most_open = most_open - 1
                most_formatting = most_formatting - (name in _FORMATTING)
        elif name in _NO_ELEMENT:
            hidden_to = _mark_end(low, tag, foreign=drawing or unsure)
        else:
            if rest is None or '"' in rest or "'" in rest:
                hidden_to = _tag_end(low, tag.start())
            unsure |= name == "math" or (
                drawing and name.strip("/") not in _DRAWN and name != "/svg"
            )
            drawing = (
                not unsure
                and name != "/svg"
                and (drawing or (name == "svg" and _draws(low, tag.start())))
            )
            if unsure:
                void = _VOID_ANYWHERE
                ends = _ENDS_ANYWHERE
            if name in _RAW:
                hidden_to = _raw_end(low, tag)
                most_open -= unsure
            elif name[0] == "/":
                top = stack and stack[-1] == name[1:]
                formatting -= (
                    stack.pop() in _FORMATTING if top else _close(stack, name[1:])
                )
            elif name not in void and not (
                drawing and _SELF_CLOSED.match(low, tag.start())
            ):
                while stack and stack[-1] in ends.get(name, ()):
                    stack.pop()
                stack.append(name)
                formatting += name in _FORMATTING
        if len(stack) > most_open or formatting > most_formatting:
            return True
    return False


def _lower(html: str) -> str:
    """In small letters, place for place: two foreign letters become ASCII when lowered, as HTML
    does not.
    """
    return html.replace("\u0130", "?").replace("\u212a", "?").lower()


def _draws(low: str, start: int) -> bool:
    return low[start + 4 : start + 5] != "/" and not _SELF_CLOSED.match(low, start)


def _mark_end(low: str, tag: re.Match[str], *, foreign: bool) -> int:
    """Where a comment ends, or what passes for one."""
    if tag[1] == "!--":
        comment = _COMMENT.match(low, tag.start())
        return comment.end() if comment else len(low)
    return _find(low, "]]>" if foreign and tag[1] == "![cdata[" else ">", tag.start())


def _raw_end(low: str, tag: re.Match[str]) -> int:
    """Where the text of a script, a style sheet … ends: after the mark of its end tag."""
    begin = _tag_end(low, tag.start())
    end_tag = re.compile(rf"</{tag[1]}[\t\n\f\r />]")
    end = _search(low, end_tag, begin)
    comment = low.find("<!--", begin, end) if tag[1] == "script" else -1
    # then not this end tag, but one after the comment
    if comment >= 0 and low.find("<script", comment, end) >= 0:
        end = _search(low, end_tag, _find(low, "-->", comment))
    return end


def _search(low: str, mark: re.Pattern[str], begin: int) -> int:
    found = mark.search(low, begin)
    return found.start() + 1 if found else len(low)


def _find(low: str, mark: str, begin: int) -> int:
    at = low.find(mark, begin)
    return at + len(mark) if at >= 0 else len(low)


def _tag_end(low: str, start: int) -> int:
    whole = _WHOLE_TAG.match(low, start)
    return whole.end() if whole else len(low)


def _close(stack: list[str], name: str) -> int:
    """Pop an element together with the items in it that nobody closed; 1 if it was a formatting
    one.
    """
    top = len(stack) - 1
    while top >= 0 and stack[top] != name and stack[top] in _ENDS:
        top -= 1
    if top < 0 or stack[top] != name:
        return 0
    del stack[top:]
    return name in _FORMATTING
