"""From the text of a robots.txt to compiled rules, as bytes.

Packed, rules take at most `MOST_BYTES`. Of a file whose rules take more, long patterns are cut and
long exceptions left out: that forbids more than the host does, never less.
"""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from trapline.politeness.robots_groups import lines_for

PRODUCT: Final = "trapline"  # the product token by which robots.txt files may name us
MOST_BYTES: Final = 100 * 1024
HEAD: Final = struct.Struct("!dII")  # Crawl-delay, patterns, letters

_SHORTER: Final = (512, 128, 64, 32, 16, 8, 4, 2, 1)  # letters that long patterns keep
_LONGEST: Final = 0xFFFF
_TO_ESCAPE: Final = re.compile(
    rb"%([0-9A-Fa-f]{2})|[^\w.~:/?#\[\]@!&'()+,;=%-]", re.ASCII
)
_UNRESERVED: Final = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
)
_INDEX: Final = b"/index.htm"


class Rule(NamedTuple):
    pattern: bytes  # escaped as paths are, `*` for anything; without a `$` at its end
    anchored: bool
    allows: bool
    rank: int  # the length of the pattern as it was written


def pack_rules(text: str, product: str = PRODUCT) -> bytes:
    """The rules of a robots.txt, compiled; nothing = it has none for us."""
    lines = lines_for(product, text)
    rules = _compile(lines.rules)
    if not rules and lines.delay_s is None:
        return b""
    packed = _pack(rules, lines.delay_s)
    for longest in _SHORTER:
        if len(packed) <= MOST_BYTES:
            break
        rules = _shorten(rules, longest)
        packed = _pack(rules, lines.delay_s)
    return packed


def _compile(lines: Iterable[tuple[bool, str]]) -> list[Rule]:
    """In order of rank; none if nothing is forbidden."""
    rules = {rule for allows, value in lines for rule in _rules_of(allows, value)}
    if all(rule.allows for rule in rules):
        return []
    rules.add(Rule(b"/robots.txt", True, True, _LONGEST))
    return sorted(rules, key=_order)


def _order(rule: Rule) -> tuple[int, bool, bytes, bool]:
    return -rule.rank, not rule.allows, rule.pattern, rule.anchored


def _rules_of(allows: bool, value: str) -> Iterable[Rule]:
    """A line's rule; of an index page that is allowed, its folder too."""
    if not value:
        return
    if value[0] not in "/*":
        if allows:
            return
        value = "/" + value
    anchored = value.endswith("$")
    pattern = b"*".join(
        escape(piece.encode("utf-8", "replace"))
        for piece in re.split(r"\*+", value.removesuffix("$"))
    )
    rank = min(len(pattern) + anchored, _LONGEST - 1)
    if not anchored:
        pattern = pattern.rstrip(b"*")
    yield Rule(pattern[:_LONGEST], anchored, allows, rank)
    folder, index, _ = pattern.rpartition(_INDEX)
    if allows and index and b"/" not in pattern[len(folder) + 1 :]:
        yield Rule(folder + b"/", True, True, len(folder) + 2)


def _shorten(rules: list[Rule], longest: int) -> list[Rule]:
    """The same or stricter: what is cut matches more, and keeps its rank."""
    shorter = {
        rule
        if len(rule.pattern) <= longest
        else rule._replace(pattern=rule.pattern[:longest], anchored=False)
        for rule in rules
        if not rule.allows or len(rule.pattern) <= longest or rule.rank == _LONGEST
    }
    best: dict[tuple[bytes, bool, bool], Rule] = {}
    for rule in sorted(shorter, key=_order):
        best.setdefault((rule.pattern, rule.anchored, rule.allows), rule)
    return list(best.values())


def _pack(rules: list[Rule], delay_s: float | None) -> bytes:
    letters = b"".join(rule.pattern for rule in rules)
    lengths = np.array([len(rule.pattern) for rule in rules], np.uint16)
    traits = np.array([rule.anchored + 2 * rule.allows for rule in rules], np.uint8)
    head = HEAD.pack(math.nan if delay_s is None else delay_s, len(rules), len(letters))
    return zlib.compress(head + letters + lengths.tobytes() + traits.tobytes(), 6)


def escape(octets: bytes) -> bytes:
    return _TO_ESCAPE.sub(_spell, octets)


def _spell(found: re.Match[bytes]) -> bytes:
    if found[1] is None:
        return b"%%%02X" % found[0][0]
    code = int(found[1], 16)
    return bytes((code,)) if code in _UNRESERVED else found[0].upper()
