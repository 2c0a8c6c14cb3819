"""The words of a page that a reader reads: of its main content where it marks that, else of all but
its frame.

Searching a tree costs, and most pages have little to search for. So first one look over the bytes
says which names a page has at all.
"""

from __future__ import annotations

import re
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from trapline.reading.html.tag_scan import WordScanner
from trapline.reading.html.whitespace import tidy_whitespace

MOST_NOISE: Final = 30  # pieces that are taken out

# What nobody reads, and what every page of a site repeats.
_NO_WORDS: Final = ("<script", "<style")
_NOT_TEXT: Final = (
    "<noscript",
    "<template",
    "<svg",
    "<iframe",
    "<object",
    "<select",
    "<textarea",
)
_FRAME: Final = ("<nav", "<header", "<footer", "<aside")
_NOISE: Final = {
    "adsbygoogle": "ins.adsbygoogle",
    "advert": "[class*=advert]",
    "sponsor": "[class*=sponsor]",
    "cookie-": "[class*=cookie-b], [class*=cookie-c], [class*=cookie-n]",
    "consent": "[class*=consent]",
    "newsletter": "[class*=newsletter]",
    "breadcrumb": "[class*=breadcrumb]",
    "navigation": "[role=navigation]",
    "contentinfo": "[role=contentinfo]",
}
_ROLES: Final = frozenset(("role", "navigation", "contentinfo"))
_OTHERS: Final = ("<main", "<article", "<meta", "<area", "role", "role=")
_SCANNER: Final = WordScanner((*_NO_WORDS, *_NOT_TEXT, *_FRAME, *_OTHERS, *_NOISE))
_ROLE: Final = re.compile(rb"role\s*=")
# characters: a <main> with less is filled by a script, or no main content at all
_MAIN_LEAST: Final = 200

NameCounts = dict[str, int]  # marks and words of a page → how often


def scan_names(html: bytes) -> NameCounts:
    """What there may be to search for.

    Roles only where the page gives some: many speak of them, or of navigation.

    >>> scan_names(b"<NAV role = x>Roles"), scan_names(b"<navy><p>The role of navigation")
    ({'<nav': 1, 'role': 2}, {'<nav': 1})
    """
    found = _SCANNER.count(html)
    if "role=" in found or ("role" in found and _ROLE.search(html.lower())):
        return found
    return {name: times for name, times in found.items() if name not in _ROLES}


def remove_scripts(tree: LexborHTMLParser, names: NameCounts) -> None:
    """Take out what has letters, but no words."""
    tree.strip_tags(_tags_among(_NO_WORDS, names), recursive=True)


def text_of(tree: LexborHTMLParser, names: NameCounts) -> str:
    """The words, one space between them. Prunes the tree."""
    root = tree.body
    if root is None:
        return ""
    root.strip_tags(_tags_among(_NOT_TEXT, names), recursive=True)
    noise = ", ".join(selector for word, selector in _NOISE.items() if word in names)
    main = _main(root, names)
    if main is not None and (words := _main_words(main, noise)):
        return words
    whole = root.text(separator=" ")  # collecting words is cheap, tidying is not
    framed = _tags_among(_FRAME, names)
    root.strip_tags(framed, recursive=True)
    if not _remove_noise(root, noise) and not framed:
        return tidy_whitespace(whole)
    # A page made of nothing but header and navigation is still about something.
    return tidy_whitespace(root.text(separator=" ")) or tidy_whitespace(whole)


def _tags_among(tags: tuple[str, ...], names: NameCounts) -> list[str]:
    return [tag[1:] for tag in tags if tag in names]


def _main(root: LexborNode, names: NameCounts) -> LexborNode | None:
    """What the page says is its main part."""
    main = (
        root.css_first("main, [role=main]")
        if "<main" in names or "role" in names
        else None
    )
    return main or (_only_one(root.css("article")) if "<article" in names else None)


def _main_words(main: LexborNode, noise: str) -> str:
    """The words of the main part; none if it is nearly empty."""
    loud = main.text(separator=" ")
    quiet = main.text(separator=" ") if _remove_noise(main, noise) else loud
    return next(
        (
            words
            for words in map(tidy_whitespace, (quiet, loud))
            if len(words) >= _MAIN_LEAST
        ),
        "",
    )


def _remove_noise(node: LexborNode, noise: str) -> bool:
    """Take out advertisements, banners and menus; whether there were any."""
    for taken in range(MOST_NOISE if noise else 0):
        # one by one: what lies within another is gone with it
        piece = node.css_first(noise)
        if piece is None or piece.mem_id == node.mem_id:
            return taken > 0
        piece.decompose()
    return bool(noise)


def _only_one(nodes: list[LexborNode]) -> LexborNode | None:
    return nodes[0] if len(nodes) == 1 else None
