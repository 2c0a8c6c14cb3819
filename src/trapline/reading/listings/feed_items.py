"""The items of a feed in XML (RSS, Atom, RDF), read as a stream: no tree is built.

What an item is about is its link, resolved against the `xml:base` that holds there; a <guid>
that does not deny being a link stands in for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from lxml import etree

from trapline.reading.listings.entries import resolve_link
from trapline.reading.listings.xml_repair import mend_entities, recode_xml

MOST_TAGS: Final = 100_000
MOST_ITEMS: Final = 1_000  # the newest come first
LONGEST_FIELD: Final = 2_100
CHUNK: Final = 64 * 1024

_XML_BASE: Final = "{http://www.w3.org/XML/1998/namespace}base"
_ITEMS: Final = frozenset(("item", "entry"))
_ROOTS: Final = frozenset(("rss", "feed", "rdf", "channel"))
# of pictures and broadcasts, not of the item
_FOREIGN: Final = ("search.yahoo.com/mrss", "itunes", "media:")
_TEXTS: Final = {
    "title": "title",
    "description": "description",
    "summary": "description",
    "encoded": "content",
    "content": "content",
    "updated": "updated",
    "modified": "updated",
    "pubdate": "published",
    "published": "published",
    "issued": "published",
    "date": "published",
}
_LINKS: Final = frozenset(("link", "guid", "origlink"))
_PAGES: Final = frozenset(("", "text/html", "application/xhtml+xml"))
_ALTERNATE: Final = frozenset(("", "alternate"))

# How sure a link is that of the item's page: the least comes first.
_ORIGINAL: Final = 0  # what a service that counts readers stands in for
_LINK: Final = 1
_OTHER_FORMAT: Final = 2
_PERMALINK: Final = 3
_ABOUT: Final = 4


@dataclass(slots=True)
class Item:
    """What a feed says of one page."""

    # (how sure, where it leads), in the order met
    targets: list[tuple[int, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    @property
    def target(self) -> str:
        """The page that it is about; "" = none."""
        return min(self.targets, key=lambda one: one[0], default=(0, ""))[1]


def read_items(body: bytes, url: str) -> list[Item] | None:
    """The items of the feed at `url`; None = it is no feed."""
    reader = _ItemReader(url)
    parser = etree.XMLParser(
        target=reader,
        encoding="utf-8",
        # with False, libxml2 leaves "&#38;" in attributes; no entity but XML's own is left
        resolve_entities="internal",
        load_dtd=False,
        no_network=True,
        huge_tree=False,
        recover=True,
    )
    xml = mend_entities(recode_xml(body.lstrip()))
    try:
        for begin in range(0, len(xml), CHUNK):
            parser.feed(xml[begin : begin + CHUNK])
            if reader.enough:
                break
        else:
            parser.close()
    except etree.LxmlError:
        pass  # what was read until then is read
    return reader.items if reader.root in _ROOTS else None


class _ItemReader:
    """A parser's target: gathers items."""

    def __init__(self, url: str) -> None:
        self.items: list[Item] = []
        self.root = ""
        self._tags = 0
        self._depth = 0
        self._bases = [url]
        self._item: Item | None = None
        self._item_depth = 0
        self._name = ""  # of the field that is being read
        self._sure = _LINK
        self._text = ""

    @property
    def enough(self) -> bool:
        return self._tags > MOST_TAGS or len(self.items) >= MOST_ITEMS

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        name = _local_name(tag)
        self.root = self.root or name
        self._tags += 1
        self._depth += 1
        base = self._bases[-1]
        if said := attributes.get(_XML_BASE):
            base = resolve_link(said, base) or base
        self._bases.append(base)
        if self.enough:
            return
        if self._item is None and name in _ITEMS:
            self._open_item(attributes)
        elif self._item is not None and self._depth == self._item_depth + 1:
            self._open_field(tag, name, attributes)

    def data(self, text: str) -> None:
        if self._name and len(self._text) < LONGEST_FIELD:
            self._text += text

    def end(self, tag: str) -> None:
        if self._item is not None:
            if self._depth == self._item_depth + 1:
                self._close_field(self._item)
            elif self._depth == self._item_depth:
                self.items.append(self._item)
                self._item = None
        self._depth -= 1
        if len(self._bases) > 1:
            self._bases.pop()

    def close(self) -> None:
        """The parser wants one."""

    def _open_item(self, attributes: Mapping[str, str]) -> None:
        self._item = Item()
        self._item_depth = self._depth
        for name, value in attributes.items():
            if _local_name(name) == "about":
                self._add_target(_ABOUT, value)

    def _open_field(self, tag: str, name: str, attributes: Mapping[str, str]) -> None:
        self._text = ""
        self._name = ""
        if any(mark in tag for mark in _FOREIGN):
            return
        said = {_local_name(key): value.strip() for key, value in attributes.items()}
        if name in _LINKS:
            self._open_link(name, said)
        elif said.get("mode") != "base64":
            self._name = _TEXTS.get(name, "")

    def _open_link(self, name: str, said: dict[str, str]) -> None:
        relation = said.get("rel", "").lower().rpartition("/")[2]
        if name == "guid":
            denied = said.get("ispermalink", "").lower() == "false"
            self._sure = _PERMALINK
            self._name = "" if denied else name
        elif name == "origlink":
            self._sure = _ORIGINAL
            self._name = name
        elif relation in _ALTERNATE:
            plain = said.get("type", "").lower().partition(";")[0] in _PAGES
            self._sure = _LINK if plain else _OTHER_FORMAT
            self._name = name
            self._add_target(self._sure, said.get("href", ""))

    def _close_field(self, item: Item) -> None:
        text = self._text.strip()
        if self._name in _LINKS:
            # numbers and names are told apart from addresses by their scheme
            address = self._name != "guid" or text.lower().startswith("http")
            self._add_target(self._sure, text if address else "")
        elif self._name and text:
            item.texts.setdefault(self._name, text)
        self._name = ""

    def _add_target(self, sure: int, href: str) -> None:
        target = resolve_link(href, self._bases[-1]) if href.strip() else None
        if target and self._item is not None:
            self._item.targets.append((sure, target))


def _local_name(tag: str) -> str:
    """
    >>> _local_name("{http://www.w3.org/2005/Atom}Link"), _local_name("atom:link")
    ('link', 'link')
    """
    return tag.rpartition("}")[2].rpartition(":")[2].lower()
