"""The rules of one robots.txt for us: compiled once, small, and quick to ask.

The longest pattern that matches decides; of two that are equally long, the one that allows
(RFC 9309 §2.2.2). `*` stands for any letters and `$` for the end. Paths and patterns are compared
as RFC 9309 §2.2.2 asks: escapes of letters that need none are undone, others are written in
capitals, and what must be escaped is. So `%2A` and `%24` are a star and a dollar.

Packed, rules take at most `MOST_BYTES`. Of a file whose rules take more, long patterns are cut and
long exceptions left out: that forbids more than the host does, never less. An answer takes at most
`MOST_STEPS`; a path on which rules do not agree by then is forbidden.
"""

from __future__ import annotations

import math
import re
import struct
import zlib
from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import Judgement, Robots
from trapline.politeness.robots_groups import lines_for
from trapline.politeness.rule_kernels import (
    ANY_PAIR,
    PAIRS,
    UNMATCHED,
    RuleTables,
    choose_pairs,
    first_match,
    mark_pairs,
)

PRODUCT: Final = "trapline"  # the product token by which robots.txt files may name us
MOST_BYTES: Final = 100 * 1024
MOST_STEPS: Final = 2_000_000  # some milliseconds
STEP_S: Final = 4e-9  # of processor, on a common machine,
ASK_S: Final = 5e-6  # and for each question

_HEAD: Final = struct.Struct("!dII")  # Crawl-delay, patterns, letters
_SHORTER: Final = (512, 128, 64, 32, 16, 8, 4, 2, 1)  # letters that long patterns keep
_LONGEST: Final = 0xFFFF
_PLAIN: Final = re.compile(r"[\w.~:/?@!&'()+,;=-]*", re.ASCII)
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


class Rules:
    """>>> rules = Rules.from_text("User-agent: *\\nDisallow: /private\\nCrawl-delay: 2")
    >>> rules.allows("http://example.org/"), rules.allows("http://example.org/private/1")
    (True, False)
    >>> rules.crawl_delay_s
    2.0
    """

    __slots__ = ("_allows", "_tables", "crawl_delay_s")

    def __init__(
        self,
        tables: RuleTables,
        allows: NDArray[np.bool_],
        crawl_delay_s: float | None,
    ) -> None:
        self.crawl_delay_s = crawl_delay_s
        self._tables = tables
        self._allows = allows

    @classmethod
    def from_text(cls, text: str, product: str = PRODUCT) -> Rules:
        return cls.unpack(pack_rules(text, product))

    @classmethod
    def unpack(cls, packed: bytes) -> Rules:
        """From what `pack_rules` made."""
        if not packed:
            return _NO_RULES
        data = zlib.decompress(packed)
        delay_s, count, size = _HEAD.unpack_from(data)
        at = _HEAD.size
        letters = np.frombuffer(data, np.uint8, size, at)
        lengths = np.frombuffer(data, np.uint16, count, at + size)
        traits = np.frombuffer(data, np.uint8, count, at + size + 2 * count)
        tables = RuleTables(
            letters,
            np.cumsum(lengths, dtype=np.uint32),
            (traits & 1).astype(np.bool_),
            np.empty(2 * count, np.uint16),
        )
        choose_pairs(tables)
        delay = None if math.isnan(delay_s) else delay_s
        return cls(tables, (traits & 2).astype(np.bool_), delay)

    @property
    def nbytes(self) -> int:
        return sum(table.nbytes for table in self._tables) + self._allows.nbytes

    def __len__(self) -> int:
        return len(self._allows)

    def allows(self, url: str) -> bool:
        return self.judge(url).allowed

    def judge(self, url: str) -> Judgement:
        """Whether a canonical URL may be fetched, and what it cost to find out."""
        if not len(self):
            return _FREE
        at = url.find("/", 8)
        if ("[" in url[:at]) != ("]" in url[:at]):  # nobody can tell its path
            return Judgement(False, 0.0)
        path = np.frombuffer(_path_of(url, at), np.uint8)
        mark_pairs(path, _PRESENT, True)
        rule, steps = first_match(self._tables, path, _PRESENT, MOST_STEPS)
        mark_pairs(path, _PRESENT, False)
        allowed = rule == UNMATCHED or (rule >= 0 and bool(self._allows[rule]))
        return Judgement(allowed, ASK_S + steps * STEP_S)


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


def rules_of(robots: Robots) -> Rules:
    """The rules of a record; one that is closed has none: nobody asks."""
    packed = pack_rules(robots.text or "") if robots.rules is None else robots.rules
    return Rules.unpack(packed)


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
        _escape(piece.encode("utf-8", "replace"))
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
    head = _HEAD.pack(
        math.nan if delay_s is None else delay_s, len(rules), len(letters)
    )
    return zlib.compress(head + letters + lengths.tobytes() + traits.tobytes(), 6)


def _path_of(url: str, at: int) -> bytes:
    """Path and query of a URL, from `at` on, as patterns are written; −1 = it has none."""
    path = url[at:].partition("#")[0] if at >= 0 else "/"
    if _PLAIN.fullmatch(path):
        return path.encode()
    return _escape(path.encode("utf-8", "replace"))


def _escape(octets: bytes) -> bytes:
    return _TO_ESCAPE.sub(_escaped, octets)


def _escaped(found: re.Match[bytes]) -> bytes:
    if found[1] is None:
        return b"%%%02X" % found[0][0]
    code = int(found[1], 16)
    return bytes((code,)) if code in _UNRESERVED else found[0].upper()


def _blank_pairs() -> NDArray[np.bool_]:
    present = np.zeros(PAIRS + 1, np.bool_)
    present[ANY_PAIR] = True
    return present


_FREE: Final = Judgement(True, 0.0)
_PRESENT: Final = _blank_pairs()  # scratch; all but ANY_PAIR are False between calls
_NO_RULES: Final = Rules(
    RuleTables(
        np.empty(0, np.uint8),
        np.empty(0, np.uint32),
        np.empty(0, np.bool_),
        np.empty(0, np.uint16),
    ),
    np.empty(0, np.bool_),
    None,
)
