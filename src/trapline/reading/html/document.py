"""From bytes to a document: title, visible text, links. Pure, and calm whatever it is given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf
from typing import Final

from selectolax.lexbor import LexborHTMLParser

from trapline.reading.blocks.main_text import main_content
from trapline.reading.html.charset import decode, recode
from trapline.reading.html.depth_guard import flatten_if_deep
from trapline.reading.html.head import Head, read_head
from trapline.reading.html.links import Anchor, read_links
from trapline.reading.html.names import remove_scripts, scan_names
from trapline.reading.markdown.form import pack_form
from trapline.reading.robots_directives import NO_ORDERS, Directives, directives_of

LONGEST_TITLE: Final = 300
_EMPTY_LINES: Final = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    text: str  # what a reader reads: one block a line, one space between words
    links: tuple[Anchor, ...] = ()
    noindex: bool = False
    nofollow: bool = False
    until_s: float = inf  # not to be kept from then on
    language: str = ""  # two letters, where the page says it
    canonical: str = ""  # where the page says that it belongs, if that is elsewhere
    form: bytes = b""  # what Markdown needs beside the text


def read_html(
    body: bytes, content_type: str, url: str, orders: Directives = NO_ORDERS
) -> Document:
    """Title, text and links of an HTML page that was found at `url`, obeying what its headers
    order, too.

    >>> body = b"<title>Stars</title><p>See <a href='/sun#hot'>the Sun</a>."
    >>> page = read_html(body, "", "http://a.org/x")
    >>> page.title, page.text, [(link.url, link.text, link.around) for link in page.links]
    ('Stars', 'See the Sun.', [('http://a.org/sun', 'the Sun', 'See .')])
    """
    html = flatten_if_deep(recode(body, content_type))
    tree = LexborHTMLParser(html)
    names = scan_names(html)
    head = read_head(tree, url, names)
    title = _title(tree, head)
    orders = orders.join(directives_of(head.robots))
    remove_scripts(tree, names)
    links = (
        ()
        if orders.nofollow
        else (*read_links(tree, head.base, areas="<area" in names), *head.sources)
    )
    text, rows = main_content(html)
    return Document(
        title,
        text,
        links,
        orders.noindex,
        orders.nofollow,
        orders.until_s,
        head.language,
        head.canonical,
        pack_form(rows, "" if head.base == url else head.base),
    )


def read_plain(body: bytes, content_type: str, by_line: bool = False) -> Document:
    """A plain text has words, but neither title nor links. Empty lines end its blocks, or each
    line is one.

    >>> read_plain(b"one\\ntwo\\n \\n\\nthree", "").text
    'one two\\nthree'
    """
    text = decode(body, content_type)
    blocks = text.splitlines() if by_line else _EMPTY_LINES.split(text)
    return Document("", "\n".join(filter(None, map(_tidy, blocks))))


def _title(tree: LexborHTMLParser, head: Head) -> str:
    if head.title is not None:
        return _tidy(head.title)[:LONGEST_TITLE]
    node = tree.css_first("title") or tree.css_first("h1")
    return _tidy(node.text(separator=" "))[:LONGEST_TITLE] if node else ""


def _tidy(text: str) -> str:
    return " ".join(text.split())
