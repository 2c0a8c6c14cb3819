"""XML of strangers: nothing is fetched for it, nothing in it unfolds, nothing is repaired."""

from __future__ import annotations

from typing import Any

from lxml import etree


class XmlUnreadable(ValueError):
    """Says what is wrong with a document."""


def parse_xml(body: bytes) -> Any:
    """The root of a document without a DOCTYPE; XmlUnreadable for anything else.

    >>> parse_xml(b"<a>b</a>").text
    'b'
    """
    parser = etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,  # depth, names and texts stay within libxml2's limits
        remove_comments=True,
        remove_pis=True,
    )
    try:
        root = etree.fromstring(body, parser)
    except (etree.LxmlError, ValueError, LookupError):
        raise XmlUnreadable("it is not well-formed XML") from None
    # it could define texts that unfold
    if root.getroottree().docinfo.doctype:
        raise XmlUnreadable("its XML has a DOCTYPE")
    return root


def text_of(element: Any) -> str:
    """All text in an element; "" for none.

    >>> text_of(parse_xml(b"<a>red <b>moon</b></a>")), text_of(None)
    ('red moon', '')
    """
    return "" if element is None else "".join(element.itertext())


def text_of_html(markup: str) -> str:
    """The text of a piece of HTML.

    >>> text_of_html("a <b>red</b> moon &amp; more<script>x()</script>")
    'a red moon & more'
    """
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True)
    try:
        root = etree.fromstring(markup.encode("utf-8", "replace"), parser)
    except (etree.LxmlError, ValueError):  # nothing at all
        return ""
    if root is None:
        return ""
    etree.strip_elements(root, "script", "style", with_tail=False)
    return text_of(root)
