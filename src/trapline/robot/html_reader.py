"""From bytes to a document: title, visible text, links. Pure, and calm whatever it is given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from resiliparse.parse.encoding import bytes_to_str, detect_encoding, map_encoding_to_html5
from selectolax.lexbor import LexborHTMLParser, LexborNode

from trapline.robot.html_links import Anchor, read_links
from trapline.robot.html_tangle import untangled

MOST_METAS: Final = 1_000
LONGEST_TITLE: Final = 300

# What nobody reads, and what every page of a site repeats.
_NO_WORDS: Final = ["script", "style"]
_NOT_TEXT: Final = ["noscript", "template", "svg", "iframe", "object", "select", "textarea"]
_FRAME: Final = ["nav", "header", "footer", "aside"]
_MAIN_LEAST: Final = 200  # characters: a <main> with less is filled by a script, or no main content at all

_BOMS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_CHARSET: Final = re.compile(r"charset\s*=\s*[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_SPACE_BEFORE: Final = re.compile(r" (?=[.,;:!?)\]])")


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    text: str  # visible words, one space between them
    links: tuple[Anchor, ...] = ()
    noindex: bool = False
    nofollow: bool = False


def read_html(body: bytes, content_type: str, url: str) -> Document:
    """Title, text and links of an HTML page that was found at `url`.

    >>> page = read_html(b"<title>Stars</title><p>See <a href='/sun#hot'>the Sun</a>.", "", "http://example.org/a")
    >>> page.title, page.text, [(link.url, link.text, link.around) for link in page.links]
    ('Stars', 'See the Sun.', [('http://example.org/sun', 'the Sun', 'See .')])
    """
    tree = LexborHTMLParser(untangled(decoded(body, content_type)))
    orders = _robots_orders(tree)
    title = _title(tree)
    nofollow = not orders.isdisjoint(("nofollow", "none"))
    tree.strip_tags(_NO_WORDS, recursive=True)
    links = () if nofollow else read_links(tree, url)
    return Document(title, _text(tree), links, not orders.isdisjoint(("noindex", "none")), nofollow)


def read_plain(body: bytes, content_type: str) -> Document:
    """A plain text has words, but neither title nor links."""
    return Document("", _tidy(decoded(body, content_type)))


def decoded(body: bytes, content_type: str) -> str:
    """Bytes as text, by byte order mark, header, <meta>, or the look of them, in this order; never fails.

    >>> decoded("Füße".encode("latin-1"), "text/html; charset=ISO-8859-1")
    'Füße'
    """
    text = str(bytes_to_str(body, _encoding(body, content_type), errors="replace", fallback_encodings=()))
    return text.replace("\0", "\ufffd")  # as browsers do; stores and indexes do not like NUL


def _encoding(body: bytes, content_type: str) -> str:
    for mark, name in _BOMS:
        if body.startswith(mark):
            return name
    header = _CHARSET.search(content_type)
    said = map_encoding_to_html5(header[1], fallback_utf8=False) if header else None
    name = str(said or detect_encoding(body, from_html_meta=True) or "utf-8")
    # Where a <meta> can be read byte by byte, the text is not in UTF-16, whatever the <meta> says.
    return "utf-8" if name.startswith("utf-16") and b"\0" not in body[:1024] else name


def _robots_orders(tree: LexborHTMLParser) -> set[str]:
    metas = [node.attrs for node in tree.css("meta[name][content]")[:MOST_METAS]]
    ours = [meta.sget("content") for meta in metas if meta.sget("name").strip().lower() in ("robots", "trapline")]
    return {order.strip().lower() for content in ours for order in content.split(",")}


def _title(tree: LexborHTMLParser) -> str:
    node = tree.css_first("head > title") or tree.css_first("title") or tree.css_first("h1")
    return _tidy(node.text(separator=" "))[:LONGEST_TITLE] if node else ""


def _text(tree: LexborHTMLParser) -> str:
    """The words of the main content where the page marks it, else of everything but navigation. Prunes the tree."""
    root = tree.body
    if root is None:
        return ""
    root.strip_tags(_NOT_TEXT, recursive=True)
    main = root.css_first("main, [role=main]") or _only(root.css("article"))
    if main and len(text := _words(main)) >= _MAIN_LEAST:
        return text
    whole = _words(root)
    root.strip_tags(_FRAME, recursive=True)
    # A page made of nothing but header and navigation is still about something.
    return _words(root) or whole


def _only(nodes: list[LexborNode]) -> LexborNode | None:
    return nodes[0] if len(nodes) == 1 else None


def _words(node: LexborNode) -> str:
    return _SPACE_BEFORE.sub("", _tidy(node.text(separator=" ")))


def _tidy(text: str) -> str:
    return " ".join(text.split())
