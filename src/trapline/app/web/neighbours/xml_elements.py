"""XML that is written for others: names with their namespaces, and nothing that XML cannot hold."""

from __future__ import annotations

from typing import Any, Final

from lxml import etree

from trapline.app.output.changes import xml_text

ATOM: Final = "http://www.w3.org/2005/Atom"
OPENSEARCH: Final = "http://a9.com/-/spec/opensearch/1.1/"
RELEVANCE: Final = "http://a9.com/-/opensearch/extensions/relevance/1.0/"

Element = Any  # lxml has no types


def make_root(name: str, namespaces: dict[str | None, str]) -> Element:
    """`namespaces` by their prefixes; None is that of names without one."""
    return etree.Element(name, nsmap=namespaces)


def put(parent: Element, name: str, text: str = "", **attributes: str) -> Element:
    """A new element at the end of another; names are written {namespace}name.

    >>> put(make_root("a", {}), "b", "x\\x00]]>", c="\\x1by").attrib, write_xml(make_root("d", {}))
    ({'c': 'y'}, b"<?xml version='1.0' encoding='UTF-8'?>\\n<d/>\\n")
    """
    child = etree.SubElement(parent, name)
    for key, value in attributes.items():
        child.set(key, xml_text(value))
    child.text = xml_text(text) or None
    return child


def write_xml(root: Element) -> bytes:
    written = etree.tostring(
        root, encoding="UTF-8", xml_declaration=True, pretty_print=True
    )
    return bytes(written)
