"""Selectors: which parts of a page are meant.

An expression that begins with `/` or `(` is XPath, any other is CSS. Parts go in and out as HTML,
so that both kinds can follow each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Any, Final

from trapline.core.errors import BadRule

LONGEST: Final = 1_000  # letters of an expression
MOST_PARTS: Final = 10_000  # of one page
_CELLS: Final = ("td", "th")
_ROWS: Final = ("tr", "tbody", "thead", "tfoot", "caption", "colgroup")
_TAG: Final = re.compile(r"<([a-z]+)", re.IGNORECASE)
_EXAMPLE: Final = b"<html><body><p class='a'>one</p></body></html>"


def is_xpath(selector: str) -> bool:
    return selector.startswith(("/", "("))


@lru_cache(maxsize=1024)
def check_selector(selector: str) -> None:
    """Raises BadRule for what is neither CSS nor XPath."""
    from lxml import etree
    from selectolax.lexbor import SelectolaxError

    if len(selector) > LONGEST:
        raise BadRule(selector, f"longer than {LONGEST} letters")
    try:
        if is_xpath(selector):
            _xpath_parts(_tree(_EXAMPLE), selector)
        else:
            _lexbor(_EXAMPLE).css(selector)
    except SelectolaxError:
        hint = f": write ({selector})" if _is_function(selector) else ""
        raise BadRule(
            selector, f"not a CSS selector (XPath begins with / or ({hint})"
        ) from None
    except (etree.XPathError, ValueError) as error:
        raise BadRule(selector, f"not an XPath expression ({error})") from None


def _is_function(selector: str) -> bool:
    """Whether it would be XPath in parentheses, like count(//li)."""
    from lxml import etree

    try:
        etree.XPath(f"({selector})")(_tree(_EXAMPLE))
    except (etree.XPathError, ValueError):
        return False
    return True


def select_parts(html: bytes, selector: str) -> list[str]:
    """The HTML of all parts that match, in the order of the page; none inside another.

    >>> select_parts(b"<p>one<b>two</b></p><p>three</p>", "p, b")
    ['<p>one<b>two</b></p>', '<p>three</p>']
    >>> select_parts(b"<p>one</p><img alt='a &amp; b'>", "//img/@alt")
    ['<p>a &amp; b</p>']
    """
    if is_xpath(selector):
        return [_as_html(part) for part in _xpath_parts(_tree(html), selector)]
    return [node.html or "" for node in _outermost(_lexbor(html).css(selector))]


def wrap_part(part: str) -> str:
    """A part of a table in a table of its own: elsewhere, no parser would know its tags.

    >>> wrap_part("<td>tea</td>"), wrap_part("<p>tea</p>")
    ('<table><tr><td>tea</td></tr></table>', '<p>tea</p>')
    """
    found = _TAG.match(part)
    tag = found[1].lower() if found else ""
    if tag in _CELLS:
        return f"<table><tr>{part}</tr></table>"
    return f"<table>{part}</table>" if tag in _ROWS else part


def remove_parts(html: bytes, selector: str) -> bytes:
    """The page without what matches.

    >>> remove_parts(b"<p>one</p><i>two</i>", "i")
    b'<html><head></head><body><p>one</p></body></html>'
    """
    if is_xpath(selector):
        return _remove_by_xpath(html, selector)
    tree = _lexbor(html)
    found = list(_outermost(tree.css(selector)))
    for node in found:
        node.decompose()
    return (tree.html or "").encode("utf-8", "replace") if found else html


def select_values(html: bytes, selector: str, attribute: str, most: int) -> list[str]:
    """Texts, or the values of an attribute, of the first parts that match.

    >>> page = b"<a href='/x'>one</a> <a href='/y'>two</a>"
    >>> select_values(page, "a", "href", 9), select_values(page, "//a", "", 1)
    (['/x', '/y'], ['one'])
    """
    if is_xpath(selector):
        found = _xpath_parts(_tree(html), selector)[:most]
        return [_value_of(part, attribute) for part in found]
    nodes = _lexbor(html).css(selector)[:most]
    if attribute:
        return [node.attributes.get(attribute) or "" for node in nodes]
    return [" ".join(node.text(separator=" ").split()) for node in nodes]


def _lexbor(html: bytes) -> Any:
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(html)


def _outermost(nodes: list[Any]) -> Iterator[Any]:
    """Of nodes inside each other only the outer ones: a part is read once, and removed once.

    One that two selectors of a list match is found twice.
    """
    chosen = {node.mem_id: node for node in nodes[:MOST_PARTS]}
    for node in chosen.values():
        above = node.parent
        while above is not None and above.mem_id not in chosen:
            above = above.parent
        if above is None:
            yield node


def _tree(html: bytes) -> Any:
    """None for a page without any element."""
    from lxml import etree
    from lxml import html as lxml_html

    parser = lxml_html.HTMLParser(encoding="utf-8", huge_tree=True)
    try:
        return lxml_html.document_fromstring(html, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return lxml_html.document_fromstring(b"<html/>", parser=parser)


def _xpath_parts(tree: Any, selector: str) -> list[Any]:
    """Elements, or strings; a number or a truth is one string."""
    from lxml import etree

    found = etree.XPath(selector, smart_strings=False)(tree)
    if not isinstance(found, list):
        return [f"{found:.12g}" if isinstance(found, float) else str(found)]
    elements = {part for part in found if not isinstance(part, str)}
    return [
        part
        for part in found[:MOST_PARTS]
        if isinstance(part, str) or elements.isdisjoint(part.iterancestors())
    ]


def _as_html(part: Any) -> str:
    from lxml import etree

    if isinstance(part, str):
        return f"<p>{escape(part, quote=False)}</p>"
    return str(etree.tostring(part, encoding="unicode", method="html", with_tail=False))


def _value_of(part: Any, attribute: str) -> str:
    if isinstance(part, str):
        return " ".join(part.split())
    if attribute:
        return str(part.get(attribute) or "")
    return " ".join("".join(part.itertext()).split())


def _remove_by_xpath(html: bytes, selector: str) -> bytes:
    from lxml import etree

    tree = _tree(html)
    for part in _xpath_parts(tree, selector):
        if not isinstance(part, str) and part.getparent() is not None:
            part.drop_tree()
    return bytes(etree.tostring(tree, encoding="utf-8", method="html"))
