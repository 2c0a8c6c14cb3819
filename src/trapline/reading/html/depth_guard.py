"""Markup that a tree builder would choke on, found before it is handed one.

Building a tree costs (tags × open elements), and unclosed formatting elements are *copied* into
every paragraph that follows: 27 KB of `<p><b a=1><p><b a=2>…` become two million nodes and 900 MB.
Browsers stop at 512 levels; lexbor does not stop. So a document that is deeper, or carries more
along, than any honest one is first made flat: only what we read of it (links, title, base, robots)
stays marked up.

Depth is counted without building a tree: tags are told from comments, attributes and scripts by the
rules of HTML, so that nothing can be hidden there. These rules are others within drawings and
formulas (a <style> in a drawing is no style sheet). After a drawing with anything unusual in it, or
a formula, nobody knows what is hidden: from there on every tag in a comment, an attribute or a
script counts if it opens something, and never if it ends something.
"""

from __future__ import annotations

import re
from typing import Final

from trapline.reading.html.depth_screen import is_shallow

# so few cannot hurt, whatever they are (100 MB, 0.2 s at the worst)
FEW_TAGS: Final = 2_000
MOST_TAGS: Final = 200_000
DEEPEST: Final = 500
MOST_COPIES: Final = 3_000_000  # open formatting elements × tags
# each is compared with all before it (<option>, <optgroup>)
MOST_OPTIONS: Final = 5_000
MOST_ATTRIBUTES: Final = 10_000  # of one tag: each is compared with all before it
MOST_MARKS: Final = 600_000  # that a flat document is made from, and …
MOST_KEPT: Final = 100_000  # … that it keeps
LONGEST_TAG: Final = 2_000  # of those that a flat document keeps

# the rest, if it holds no mark
_TAG: Final = re.compile(r"<(/?[a-z][^\t\n\f\r />]*|!--|!\[cdata\[|[!?/])([^<>]*>)?")
# A tag to its true end. Possessive: it never goes back, so it takes no longer than it is long.
_VALUE: Final = r"""[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"[^"]*+"|'[^']*+'|(?=>)|[^\t\n\f\r >"'][^\t\n\f\r >]*+)"""
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
_KEPT: Final = re.compile(
    r"<(/?(?:a|title|base|meta|link)\b[^<>]*)>?", re.IGNORECASE | re.ASCII
)
_DROPPED: Final = re.compile(
    r"<(?!/?(?:a|title|base|meta|link)\b)/?[a-z!?][^<>]*>?", re.IGNORECASE | re.ASCII
)
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


def flatten_if_deep(html: bytes) -> bytes:
    """The same document, or a flat one if building its tree could take too long.

    UTF-8: hardly any is ever decoded.

    >>> flatten_if_deep(b"<p>One <b>two</b>") == b"<p>One <b>two</b>"
    True
    >>> flatten_if_deep(b"<div>" * 2000 + b"<a href=x>one</a>").strip()
    b'<a href=x>one</a>'
    """
    return _flat(html.decode()).encode() if _too_wide(html) or _too_deep(html) else html


def _too_wide(html: bytes) -> bool:
    """Whether some tag might have too many attributes (or a text has no tag for very long: then
    flat is as good).
    """
    if not _has_stretch(html, 2 * MOST_ATTRIBUTES):  # the rule, and every page is asked
        return False
    stretches = [
        stretch
        for stretch in html.decode().split(">")
        if len(stretch) > 2 * MOST_ATTRIBUTES
    ]
    return any(
        sum(map(stretch.count, " \t\n\f\r/")) > MOST_ATTRIBUTES for stretch in stretches
    )


def _has_stretch(html: bytes, most: int) -> bool:
    """Whether there are more than so many bytes without ">". It leaps: few of them are looked at.

    >>> _has_stretch(b"<a>12345<b>", 6), _has_stretch(b"<a>12345<b>", 7)
    (True, False)
    """
    at = 0
    while len(html) - at > most:
        at = html.rfind(b">", at, at + most + 1) + 1
        if not at:
            return True
    return False


def _too_deep(html: bytes) -> bool:
    tags = html.count(b"<")
    if tags <= FEW_TAGS:
        return False
    if tags > MOST_TAGS:
        return True
    few_options = (
        tags <= MOST_OPTIONS or html.count(b"<o") + html.count(b"<O") <= MOST_OPTIONS
    )
    if few_options and is_shallow(html, DEEPEST, MOST_COPIES // tags):
        return False
    low = _lower(html.decode())
    return low.count("<opt") > MOST_OPTIONS or _deeper(
        low, DEEPEST, MOST_COPIES // tags
    )


def _deeper(low: str, most_open: int, most_formatting: int) -> bool:
    """Whether more elements, or formatting elements, are open at once.

    One flat loop: every tag of a page runs it.

    Wrongly nested end tags close nothing: whether the tree builder would honour them is its secret.
    """
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


def _visible(html: str) -> str:
    """Cut out scripts, styles and drawings."""
    kept = []
    at = 0
    for begin, end in _raw_stretches(html):
        if begin >= at:
            kept.append(html[at:begin])
            at = end
    return " ".join((*kept, html[at:]))


def _raw_stretches(html: str) -> list[tuple[int, int]]:
    low = _lower(html)
    found = []
    for name in ("script", "style", "svg"):
        begin = low.find(f"<{name}")
        while begin >= 0 and (end := low.find(f"</{name}", begin)) >= 0:
            found.append((begin, end))
            begin = low.find(f"<{name}", end)
    return sorted(found)


def _flat(html: str) -> str:
    """What is left of it: words, and marks of what is read. Beyond MOST_MARKS nothing is."""
    marks = html.split("<", MOST_MARKS)
    whole = html if len(marks) <= MOST_MARKS else html[: -len(marks[-1])]
    few = iter(range(MOST_KEPT))

    def kept(match: re.Match[str]) -> str:
        stays = len(match[1]) <= LONGEST_TAG and next(few, None) is not None
        return f"<{match[1]}>" if stays else " "

    return _KEPT.sub(kept, _DROPPED.sub(" ", _visible(whole)))
