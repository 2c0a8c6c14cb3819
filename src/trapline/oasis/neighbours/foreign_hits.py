"""Hits as other engines give them: texts cut to a length, addresses that can be visited.

>>> [hit] = collect_hits([("HTTP://A.org/#top", " Red\\tmoon ", ""), ("javascript:x", "", "")])
>>> hit
ForeignHit(url='http://a.org/', title='Red moon', text='')
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from trapline.core.errors import BadUrl
from trapline.core.urls import canonical

MOST_HITS: Final = 100
LONGEST_TITLE: Final = 500  # characters
LONGEST_TEXT: Final = 2000
_LONGEST_URL: Final = 2000
# Controls, and what no text in UTF-8 or XML can hold: halves of characters, signs that are none.
_UNWRITABLE: Final = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")

Found = tuple[str, str, str]  # address, title and text, as a stranger wrote them


@dataclass(frozen=True, slots=True)
class ForeignHit:
    url: str  # canonical
    title: str
    text: str  # plain


def collect_hits(found: Iterable[Found]) -> list[ForeignHit]:
    """The first of each address; those that are no web addresses are skipped."""
    hits: dict[str, ForeignHit] = {}
    for address, title, text in found:
        url = _read_address(address)
        if url and url not in hits:
            hits[url] = ForeignHit(
                url, cut_text(title, LONGEST_TITLE), cut_text(text, LONGEST_TEXT)
            )
        if len(hits) == MOST_HITS:
            break
    return list(hits.values())


def cut_text(text: str, longest: int) -> str:
    """One line, without what cannot be shown.

    >>> cut_text("a\\x00b\\n  c" + "d" * 99, 8)
    'a b cddd'
    """
    # what is thrown away must not cost anything either
    seen = _UNWRITABLE.sub(" ", text[: 4 * longest])
    return " ".join(seen.split())[:longest].rstrip()


def _read_address(address: str) -> str:
    """Canonical; "" = it cannot be visited."""
    if len(address) > _LONGEST_URL or _UNWRITABLE.search(address.strip()):
        return ""
    try:
        return canonical(address)
    except BadUrl:
        return ""
