"""What the head of a page says about the page: its title and language, what robots may do with it,
where it belongs, where its feeds and sitemaps are.
"""

from __future__ import annotations

from itertools import islice
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from trapline.politeness.rule_packing import PRODUCT
from trapline.reading.html.links import Anchor
from trapline.reading.html.names import NameCounts
from trapline.reading.listings.entries import resolve_link

MOST_ELEMENTS: Final = 1_000  # elements of a head that are read
MOST_SOURCES: Final = 20
_FEED_TYPES: Final = frozenset(
    ("application/rss+xml", "application/atom+xml", "application/feed+json")
)

Attributes = dict[str, str | None]


class Head(NamedTuple):
    base: str  # what links are relative to
    language: str  # two letters, or none
    title: str | None
    robots: list[str]  # lines of orders for us
    canonical: str  # another URL, or none
    sources: tuple[Anchor, ...]  # feeds and sitemaps


def read_head(tree: LexborHTMLParser, url: str, names: NameCounts) -> Head:
    """What the head of the page at `url` says, if these are the `names` in the page."""
    elements, titles = _read_elements(tree.head, names)
    base = next(
        (
            resolve_link(one["href"] or "", url) or url
            for one in elements["base"]
            if "href" in one
        ),
        url,
    )
    metas = elements["meta"]
    # some are in the body, and orders are obeyed there, too
    if len(metas) < names.get("<meta", 0):
        metas = [
            node.attributes for node in tree.css("meta[name][content]")[:MOST_ELEMENTS]
        ]
    title = titles[0].text(separator=" ") if titles else None
    return Head(
        base,
        _language(tree),
        title,
        _robots_lines(metas),
        *_relations(elements["link"], base, url),
    )


def _read_elements(
    head: LexborNode | None, names: NameCounts
) -> tuple[dict[str | None, list[Attributes]], list[LexborNode]]:
    """The attributes of what is read of a head, by tag, and its titles."""
    elements: dict[str | None, list[Attributes]] = {"base": [], "link": [], "meta": []}
    titles = []
    if head is not None:
        # Nothing but a <noscript> has elements in it there: without one, it is enough to go from
        # child to child.
        nodes = (
            head.css("base, link, meta, title") if "<noscript" in names else head.iter()
        )
        for node in islice(nodes, MOST_ELEMENTS):
            tag = node.tag
            if tag in elements:
                elements[tag].append(node.attributes)
            elif tag == "title":
                titles.append(node)
    return elements, titles


def _robots_lines(metas: list[Attributes]) -> list[str]:
    lines = [(meta.get("name") or "", meta.get("content") or "") for meta in metas]
    return [
        content
        for name, content in lines
        if name.strip().lower() in ("robots", PRODUCT)
    ]


def _relations(
    links: list[Attributes], base: str, url: str
) -> tuple[str, tuple[Anchor, ...]]:
    """Where the page belongs, and the feeds and sitemaps that it names."""
    copy_of = None
    sources = dict[str, Anchor]()
    for link in links:
        if "href" not in link:
            continue
        rel = (link.get("rel") or "").lower().split()
        href = link["href"] or ""
        if "canonical" in rel and copy_of is None:
            copy_of = resolve_link(href, base) or ""
        elif _names_source(rel, link.get("type") or "") and len(sources) < MOST_SOURCES:
            target = resolve_link(href, base)
            if target and target != url:
                sources.setdefault(
                    target,
                    Anchor(target, " ".join((link.get("title") or "").split())[:200]),
                )
    elsewhere = copy_of if copy_of and copy_of != url else ""
    return elsewhere, tuple(sources.values())


def _names_source(rel: list[str], kind: str) -> bool:
    if "nofollow" in rel:
        return False
    return "sitemap" in rel or (
        "alternate" in rel and kind.partition(";")[0].strip().lower() in _FEED_TYPES
    )


def _language(tree: LexborHTMLParser) -> str:
    stated = tree.root.attrs.sget("lang").strip().lower() if tree.root else ""
    code = stated.replace("_", "-").partition("-")[0]
    return code if len(code) == 2 and code.isascii() and code.isalpha() else ""
