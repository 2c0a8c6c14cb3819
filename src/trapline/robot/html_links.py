"""The links of a page, and what surrounds each of them: words of the link, words around it, tags above it."""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from zlib import crc32

from selectolax.lexbor import LexborHTMLParser, LexborNode

from trapline.core.errors import BadUrl
from trapline.core.urls import canonical

MOST_LINKS: Final = 5_000
MOST_NODES: Final = 50_000  # of a page that says the same link over and over
MOST_TEXTS: Final = 3  # a page that links to another more often than this says nothing new
LONGEST_ANCHOR: Final = 200
REACH: Final = 80  # characters of the surrounding text on either side: some twelve words
MOST_STEPS: Final = 6  # from a link to its neighbours on either side

_LINKS: Final = "a[href]:not([href^='#']), area[href]"
_OTHER_SCHEME: Final = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_DIGITS: Final = re.compile(r"\d+")
# Everything else begins a block, and the text around a link ends there.
_INLINE: Final = frozenset(
    re.findall(
        r"\w+",
        "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q s samp small span "
        "strike strong sub sup time tt u var",
    )
)


class Anchor(NamedTuple):
    url: str  # canonical
    text: str  # of the link: its words, else of its image; and its title
    around: str = ""  # the words before and after it
    path: int = 0  # 31 bits for the tags above it


def read_links(tree: LexborHTMLParser, url: str) -> tuple[Anchor, ...]:
    """Every link in the order of the page, under each of its first few texts."""
    base = _base(tree, url)
    found: dict[str, dict[str, Anchor]] = {}  # target → text → anchor
    known: dict[str, str | None] = {}  # href → its canonical URL: pages repeat themselves, and resolving costs
    said: dict[str, int] = {}  # target → how often
    paths = _Paths()
    for node in tree.css(_LINKS)[:MOST_NODES]:
        attributes = node.attrs
        href = attributes.sget("href").partition("#")[0].strip()
        if not href or ((rel := attributes.sget("rel")) and "nofollow" in rel.lower().split()):
            continue
        target = known[href] if href in known else known.setdefault(href, _resolved(href, base))
        if target and (times := said.get(target, 0)) < MOST_TEXTS:
            said[target] = times + 1
            texts = found.setdefault(target, {})
            text = _text(node, attributes.sget("title"))
            if text not in texts:
                texts[text] = Anchor(target, text, _around(node), paths.of(node, attributes.sget("class")))
        if len(known) >= MOST_LINKS:
            break
    # An image without words is no second way to say a link that has some.
    return tuple(anchor for texts in found.values() for text, anchor in texts.items() if text or len(texts) == 1)


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.head and tree.head.css_first("base[href]")
    return _resolved(node.attrs.sget("href"), url) or url if node else url


def _resolved(href: str, base: str) -> str | None:
    if _OTHER_SCHEME.match(href):  # mailto:, javascript:, data: …
        return None
    try:
        return canonical(href, base)
    except BadUrl:
        return None


def _text(node: LexborNode, title: str) -> str:
    """What a link says: its words, or the words of its image, and its title if that says something else."""
    text = " ".join(node.text(separator=" ").split()) or _pictured(node)
    if title and title not in text:
        text = " ".join(f"{text} {title}".split())
    return text[:LONGEST_ANCHOR]


def _pictured(node: LexborNode) -> str:
    picture = node if node.tag == "area" else node.css_first("img[alt]")
    return " ".join(picture.attrs.sget("alt").split()) if picture else ""


def _around(node: LexborNode) -> str:
    """The words before and after a link, within its block."""
    before, after = _side(node, forward=False), _side(node, forward=True)
    return f"{before} {after}" if before and after else before or after


def _side(node: LexborNode, *, forward: bool) -> str:
    """The words on one side of a link, out of inline elements but not out of the block."""
    text = ""
    for _ in range(MOST_STEPS):
        beside = node.next if forward else node.prev
        if beside is None:
            above = node.parent
            if above is None or above.tag not in _INLINE:
                break
            node = above
            continue
        node = beside
        piece = _words(node, forward)
        if piece is None:
            break
        text = f"{text} {piece}" if forward else f"{piece} {text}"
        if len(text) >= REACH:
            break
    return _clipped(" ".join(text.split()), forward)


def _words(node: LexborNode, forward: bool) -> str | None:
    """The near end of a neighbour's text; None = a block begins."""
    if node.is_text_node:
        text = node.text_content or ""
    elif node.is_comment_node:
        return ""
    elif node.tag in _INLINE:
        text = node.text(separator=" ")
    else:
        return None
    return text[: 2 * REACH] if forward else text[-2 * REACH :]


def _clipped(text: str, forward: bool) -> str:
    """Whole words only, as many as the reach allows.

    >>> _clipped("word " * 40, forward=True) == ("word " * 16).strip()
    True
    """
    if len(text) <= REACH:
        return text
    return text[:REACH].rpartition(" ")[0] if forward else text[-REACH:].partition(" ")[2]


class _Level(NamedTuple):
    """What is to be known of an element above a link."""

    tags: int  # hash of the tags from the root to it
    style: str  # its class
    above: str  # the class of its parent


_ROOT: Final = _Level(0, "", "")


class _Paths:
    """Hashes of the tags above links. Elements are remembered: most links need a look at their parent only."""

    def __init__(self) -> None:
        self._levels: dict[int, _Level] = {}

    def of(self, node: LexborNode, style: str) -> int:
        """31 bits for the tags above a link and the classes of the last ones."""
        parent = node.parent
        level = _ROOT if parent is None else self._levels.get(parent.mem_id) or self._level(parent)
        mark = f"{node.tag} {_plain(style)} {level.style} {level.above}"
        return (crc32(mark.encode("utf-8", "replace"), level.tags) & 0x7FFFFFFF) or 1

    def _level(self, element: LexborNode) -> _Level:
        climbed: list[LexborNode] = []
        one: LexborNode | None = element
        while one is not None and one.is_element_node and one.mem_id not in self._levels:
            climbed.append(one)
            one = one.parent
        level = self._levels.get(one.mem_id, _ROOT) if one is not None else _ROOT
        for one in reversed(climbed):
            style = _plain(one.attrs.sget("class"))
            level = self._levels[one.mem_id] = _Level(crc32((one.tag or "").encode(), level.tags), style, level.style)
        return level


def _plain(style: str) -> str:
    """The first class without its digits: `item-17` and `item-18` look alike.

    >>> _plain("toctree-l2 current"), _plain("")
    ('toctree-l', '')
    """
    return _DIGITS.sub("", first[0]) if style and (first := style.split(None, 1)) else ""
