"""Tag paths: hashes of the tags above links, so that links at like places of a site are alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from zlib import crc32

from selectolax.lexbor import LexborHTMLParser, LexborNode

LONGEST_NAME: Final = 200  # of a class or a tag, as far as it is looked at
_DIGITS: Final = re.compile(r"\d+")


# told apart by where they are: that is quick
@dataclass(frozen=True, slots=True, eq=False)
class _Level:
    """What is to be known of an element above a link."""

    tags: int  # hash of the tags from the root to it
    style: str  # its class
    above: str  # the class of its parent


_ROOT: Final = _Level(0, "", "")


class TagPaths:
    """Hashes of the tags above links.

    Elements are remembered: most links need a look at their parent only.
    """

    def __init__(self, tree: LexborHTMLParser) -> None:
        document = tree.root.parent if tree.root else None
        self._levels = {document.mem_id: _ROOT} if document else {}

    def of(self, node: LexborNode, parent: LexborNode | None, style: str) -> int:
        """31 bits for the tags above a link and the classes of the last ones."""
        level = (
            _ROOT
            if parent is None
            else self._levels.get(parent.mem_id) or self._level(parent)
        )
        return _path_hash(level, node.tag, style[:LONGEST_NAME])

    def _level(self, element: LexborNode) -> _Level:
        above = element.parent
        level = (
            _ROOT
            if above is None
            else self._levels.get(above.mem_id) or self._climb(above)
        )
        tag = element.tag or ""
        style = element.attributes.get("class") or ""
        # Names are remembered, and some servers send megabytes.
        level = self._levels[element.mem_id] = _level_below(
            level, tag[:LONGEST_NAME], style[:LONGEST_NAME]
        )
        return level

    def _climb(self, element: LexborNode) -> _Level:
        """The same from the top down, without recursion: there are deep trees."""
        unknown = [element]
        while (
            one := unknown[-1].parent
        ) is not None and one.mem_id not in self._levels:
            unknown.append(one)
        return [self._level(one) for one in reversed(unknown)][-1]


@lru_cache(4096)  # a site's pages are built alike
def _level_below(level: _Level, tag: str, style: str) -> _Level:
    return _Level(crc32(tag.encode(), level.tags), _plain_class(style), level.style)


@lru_cache(4096)
def _path_hash(level: _Level, tag: str | None, style: str) -> int:
    text = f"{tag} {_plain_class(style)} {level.style} {level.above}"
    return (crc32(text.encode("utf-8", "replace"), level.tags) & 0x7FFFFFFF) or 1


def _plain_class(style: str) -> str:
    """The first class without its digits: `item-17` and `item-18` look alike.

    >>> _plain_class("toctree-l2 current"), _plain_class("")
    ('toctree-l', '')
    """
    return (
        _DIGITS.sub("", first[0]) if style and (first := style.split(None, 1)) else ""
    )
