"""What elements of HTML are to a reader: blocks, links, headings, frames, things without words.

Elements that are not known begin a block, as most elements do.
"""

from __future__ import annotations

from typing import Final

from trapline.reading.html.element_kinds import DIGITS, Bytes, kind_of, kind_tables
from trapline.theory.kernel import bare_kernel

INLINE: Final = 1 << 0  # goes on in the same line
VOID: Final = 1 << 1
RAW: Final = 1 << 2  # what is in it is no markup
SKIPPED: Final = 1 << 3  # has no words for a reader
LINK: Final = 1 << 4
STRONG: Final = 1 << 5
BREAK: Final = 1 << 6
PARAGRAPH: Final = 1 << 7
HEADING: Final = 1 << 8
ITEM: Final = 1 << 9
TERM: Final = 1 << 10
CELL: Final = 1 << 11
PREFORMATTED: Final = 1 << 12
QUOTE: Final = 1 << 13
CAPTION: Final = 1 << 14
BUTTON: Final = 1 << 15
LIST: Final = 1 << 16
TABLE: Final = 1 << 17
NAVIGATION: Final = 1 << 18
HEADER: Final = 1 << 19
FOOTER: Final = 1 << 20
ASIDE: Final = 1 << 21
FORM: Final = 1 << 22
MAIN: Final = 1 << 23
ARTICLE: Final = 1 << 24
SECTION: Final = 1 << 25
FIGURE: Final = 1 << 26
ADDRESS: Final = 1 << 27
NOSCRIPT: Final = 1 << 28
ROW: Final = 1 << 30
FOREIGN: Final = 1 << 31  # its rules are others: a stroke closes an element
UNSEEN: Final = 1 << 32  # parts of a table that only group others
APART: Final = 1 << 29  # two of them side by side are two words
ORDERED: Final = 1 << 33
CODE: Final = 1 << 34
DEFINITION: Final = 1 << 35
HEAD_CELL: Final = 1 << 36
RANK: Final = 37  # from this bit on: which heading it is, 1 to 6

_KINDS: Final = {
    "a": INLINE | APART | LINK,
    "span time small cite": INLINE | APART,
    "b strong em i u mark": INLINE | STRONG,
    "code kbd samp tt": INLINE | CODE,
    "abbr acronym bdi bdo big data del dfn font ins": INLINE,
    "nobr q s strike sub sup var ruby": INLINE,
    "math mi mo mn mrow msup msub mfrac mtext": INLINE,
    "img input embed wbr": INLINE | VOID,
    "br": INLINE | VOID | BREAK,
    "hr area base col link param source track meta": VOID,
    "script style title textarea xmp iframe noembed noframes": RAW | SKIPPED,
    "template object select audio video canvas rt rp": SKIPPED,
    "svg": SKIPPED | FOREIGN,
    "tr": ROW,
    "tbody thead tfoot html head body": UNSEEN,
    "p": PARAGRAPH,
    **{f"h{rank}": HEADING | rank << RANK for rank in range(1, 7)},
    "li": ITEM,
    "dt": TERM,
    "dd": TERM | DEFINITION,
    "td": CELL,
    "th": CELL | HEAD_CELL,
    "pre": PREFORMATTED,
    "blockquote": QUOTE,
    "figcaption caption": CAPTION,
    "button label legend summary": BUTTON,
    "ul dl": LIST,
    "ol": LIST | ORDERED,
    "table": TABLE,
    "nav": NAVIGATION,
    "header": HEADER,
    "footer": FOOTER,
    "aside": ASIDE,
    "form fieldset": FORM,
    "main": MAIN,
    "article": ARTICLE,
    "section": SECTION,
    "figure": FIGURE,
    "address": ADDRESS,
    "noscript": NOSCRIPT,
}
_ROLES: Final = {
    "navigation": NAVIGATION,
    "banner": HEADER,
    "contentinfo": FOOTER,
    "complementary": ASIDE,
    "main": MAIN,
    "article": ARTICLE,
}
_KNOWN, _TRAITS = kind_tables(_KINDS)
_KNOWN_ROLES, _ROLE_TRAITS = kind_tables(_ROLES)


@bare_kernel
def traits_of(html: Bytes, begin: int, end: int) -> int:
    """The traits of the element whose name stands there."""
    return kind_of(html, begin, end, _KNOWN, _TRAITS, DIGITS)


@bare_kernel
def role_traits(html: Bytes, begin: int, end: int) -> int:
    """The traits that an element has by its role."""
    return kind_of(html, begin, end, _KNOWN_ROLES, _ROLE_TRAITS, DIGITS)
