"""The links of a page, and what surrounds each of them: words of the link, words around it, tags
above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from trapline.core.urls import Folder
from trapline.reading.html.tag_paths import LONGEST_NAME, TagPaths
from trapline.reading.listings.entries import resolve_link

MOST_LINKS: Final = 5_000
MOST_NODES: Final = 50_000  # of a page that says the same link over and over
# a page that links to another more often than this says nothing new
MOST_TEXTS: Final = 3
MOST_LABELS: Final = 32  # but may call it by many names, those of its sections
LONGEST_ANCHOR: Final = 200
# characters of the surrounding text on either side: some twelve words
REACH: Final = 80
MOST_STEPS: Final = 6  # from a link to its neighbours on either side

_OTHER_SCHEME: Final = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
# of rel: a link that nobody vouches for
_DENIED: Final = frozenset(("nofollow", "ugc", "sponsored"))
# Everything else begins a block, and the text around a link ends there. Tags are told by numbers:
# names cost.
_INLINE: Final = frozenset(
    LexborHTMLParser("").create_node(tag).tag_id
    for tag in re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark "
        "nobr q s samp small span "
        "strike strong sub sup time tt u var",
    )
)


class Anchor(NamedTuple):
    url: str  # canonical
    text: str  # of the link: its words, else of its image; and its title
    around: str = ""  # the words before and after it
    path: int = 0  # 31 bits for the tags above it
    # what one sees of it: its words, else of its image; several have tabs between
    label: str = ""


def read_links(
    tree: LexborHTMLParser, base: str, *, areas: bool = True
) -> tuple[Anchor, ...]:
    """Every link in the order of the page, under each of its first few texts.

    No `areas`: there are no image maps.
    """
    folder = Folder(base)
    found: dict[str, dict[str, Anchor]] = {}  # target → text → anchor
    # href → its canonical URL: pages repeat themselves, and resolving costs
    known: dict[str, str | None] = {}
    said: dict[str, int] = {}  # target → how often
    more: dict[str, dict[str, None]] = {}  # target → further labels
    paths = TagPaths(tree)
    for node in (tree.css("a, area") if areas else tree.tags("a"))[:MOST_NODES]:
        attributes = node.attributes
        href = (attributes.get("href") or "").partition("#")[0].strip()
        if not href or (
            (rel := attributes.get("rel"))
            and not _DENIED.isdisjoint(rel.lower().split())
        ):
            continue
        if href in known:
            target = known[href]
        else:
            target = known[href] = folder.resolve(href) or _resolve(href, base)
        if target and (times := said.get(target, 0)) < MOST_LABELS:
            said[target] = times + 1
            label = _label(node)
            if times >= MOST_TEXTS:
                more.setdefault(target, {})[label] = None
                continue
            texts = found.setdefault(target, {})
            text = _with_title(label, attributes.get("title"))
            if text not in texts:
                parent = node.parent
                path = paths.of(node, parent, attributes.get("class") or "")
                around = _words_around(node, parent)
                texts[text] = Anchor(target, text, around, path, label)
        if len(known) >= MOST_LINKS:
            break
    # An image without words is no second way to say a link that has some.
    anchors = (
        anchor
        for texts in found.values()
        for text, anchor in texts.items()
        if text or len(texts) == 1
    )
    return tuple(_with_labels(anchor, more.pop(anchor.url, ())) for anchor in anchors)


def _resolve(href: str, base: str) -> str | None:
    if href.startswith(("http://", "https://")) and len(href) <= LONGEST_NAME:
        return _resolve_cached(href, "")
    # mailto:, javascript:, data: …
    return None if _OTHER_SCHEME.match(href) else resolve_link(href, base)


# all pages of a site name the same few others
_resolve_cached = lru_cache(4096)(resolve_link)


def _label(node: LexborNode) -> str:
    """What one sees of a link: its words, or the words of its image."""
    only = node.first_child
    # as in most links, and this way is quicker
    if only is not None and only.is_text_node and only.next is None:
        words = only.text_content or ""
    else:
        words = node.text(separator=" ")
    return (" ".join(words.split()) or _picture_text(node))[:LONGEST_ANCHOR]


def _with_labels(anchor: Anchor, labels: Iterable[str]) -> Anchor:
    """The first anchor of a target carries what else its page calls it."""
    if not labels:
        return anchor
    return anchor._replace(label="\t".join((anchor.label, *labels)))


def _with_title(text: str, title: str | None) -> str:
    """What a link says: what one sees of it, and its title if that says something else."""
    if title and title not in text:
        text = " ".join(f"{text} {title}".split())
    return text[:LONGEST_ANCHOR]


def _picture_text(node: LexborNode) -> str:
    picture = node if node.tag == "area" else node.css_first("img[alt]")
    return " ".join(picture.attrs.sget("alt").split()) if picture else ""


def _words_around(node: LexborNode, parent: LexborNode | None) -> str:
    """The words before and after a link, within its block."""
    before = node.prev
    after = node.next
    # then its block goes on beyond its parent
    enclosed = parent is not None and parent.tag_id in _INLINE
    text_before = (
        _words_beside(node, before, forward=False)
        if enclosed or before is not None
        else ""
    )
    text_after = (
        _words_beside(node, after, forward=True)
        if enclosed or after is not None
        else ""
    )
    return (
        f"{text_before} {text_after}"
        if text_before and text_after
        else text_before or text_after
    )


def _words_beside(node: LexborNode, beside: LexborNode | None, *, forward: bool) -> str:
    """The words on one side of a link, out of inline elements but not out of the block.

    `beside` is its neighbour.
    """
    text = ""
    for _ in range(MOST_STEPS):
        if beside is None:
            above = node.parent
            if above is None or above.tag_id not in _INLINE:
                break
            node = above
        else:
            node = beside
            if node.is_text_node:
                piece = node.text_content or ""
            elif node.tag_id in _INLINE:
                piece = node.text(separator=" ")
            elif node.is_comment_node:
                piece = ""
            else:  # a block begins
                break
            text = (
                f"{text} {piece[: 2 * REACH]}"
                if forward
                else f"{piece[-2 * REACH :]} {text}"
            )
            if len(text) >= REACH:
                break
        beside = node.next if forward else node.prev
    return _clip(" ".join(text.split()), forward) if text else ""


def _clip(text: str, forward: bool) -> str:
    """Whole words only, as many as the reach allows.

    >>> _clip("word " * 40, forward=True) == ("word " * 16).strip()
    True
    """
    if len(text) <= REACH:
        return text
    return (
        text[:REACH].rpartition(" ")[0] if forward else text[-REACH:].partition(" ")[2]
    )
