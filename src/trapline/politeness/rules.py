"""The rules of one robots.txt for us: compiled once, small, and quick to ask.

The longest pattern that matches decides; of two that are equally long, the one that allows
(RFC 9309 §2.2.2). `*` stands for any letters and `$` for the end. Paths and patterns are compared
as RFC 9309 §2.2.2 asks: escapes of letters that need none are undone, others are written in
capitals, and what must be escaped is. So `%2A` and `%24` are a star and a dollar.

An answer takes at most `MOST_STEPS`; a path on which rules do not agree by then is forbidden.
"""

from __future__ import annotations

import math
import re
import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import Judgement, Robots
from trapline.politeness.rule_kernels import (
    ANY_PAIR,
    PAIRS,
    UNMATCHED,
    RuleTables,
    choose_pairs,
    first_match,
    mark_pairs,
)
from trapline.politeness.rule_packing import HEAD, PRODUCT, escape, pack_rules

MOST_STEPS: Final = 2_000_000  # some milliseconds
STEP_S: Final = 4e-9  # of processor, on a common machine,
ASK_S: Final = 5e-6  # for each question,
LOAD_S: Final = 4e-9  # and for each byte that is unpacked
_PLAIN: Final = re.compile(r"[\w.~:/?@!&'()+,;=-]*", re.ASCII)


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
        delay_s, count, size = HEAD.unpack_from(data)
        at = HEAD.size
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

    def forbids_all(self, home: str) -> bool:
        """Whether nothing may be fetched on the host of this URL `scheme://name:port/`."""
        if not len(self) or self._allows.sum() > 1:  # robots.txt itself is allowed
            return False
        return not (self.allows(home) or self.allows(f"{home}any/page?at=all"))

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
        cost_s = ASK_S + steps * STEP_S
        return Judgement(allowed, cost_s, self.nbytes * LOAD_S)


def rules_of(robots: Robots) -> Rules:
    """The rules of a record; one that is closed has none: nobody asks."""
    packed = pack_rules(robots.text or "") if robots.rules is None else robots.rules
    return Rules.unpack(packed)


def _path_of(url: str, at: int) -> bytes:
    """Path and query of a URL, from `at` on, as patterns are written; −1 = it has none."""
    path = url[at:].partition("#")[0] if at >= 0 else "/"
    if _PLAIN.fullmatch(path):
        return path.encode()
    return escape(path.encode("utf-8", "replace"))


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
