"""Frames: documents of the same host that a browser shows within a page.

Manuals of the nineties have no other way in: a page that is nothing but frames, one with the
contents, one with the text. A frame of another host is an advertisement, a film or a map far more
often than a part of what the page says, so it is no link.

>>> tree = LexborHTMLParser("<frameset><frame src=toc.html title=Contents></frameset>")
>>> [(frame.url, frame.text) for frame in read_frames(tree, "http://a.org/x/", "a.org:80")]
[('http://a.org/x/toc.html', 'Contents')]
"""

from __future__ import annotations

from typing import Final

from selectolax.lexbor import LexborHTMLParser

from trapline.core.urls import host_of
from trapline.reading.html.links import Anchor, resolve_target

FRAME_NAMES: Final = frozenset(("<frame", "<iframe"))  # as names of a page are counted
MOST_FRAMES: Final = 50
_LONGEST_TITLE: Final = 200


def read_frames(tree: LexborHTMLParser, base: str, host: str) -> tuple[Anchor, ...]:
    """Every frame of a page on `host`, once.

    Its title is its words; nobody sees it, so it is no label.
    """
    found: dict[str, Anchor] = {}
    for node in tree.css("frame[src], iframe[src]")[:MOST_FRAMES]:
        source = (node.attributes.get("src") or "").partition("#")[0].strip()
        target = resolve_target(source, base) if source else None
        if target and host_of(target) == host:
            title = " ".join((node.attributes.get("title") or "").split())
            found.setdefault(target, Anchor(target, title[:_LONGEST_TITLE]))
    return tuple(found.values())
