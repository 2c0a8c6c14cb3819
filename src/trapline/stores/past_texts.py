"""Texts that pages had before: which are kept when a document is replaced or goes.

Of each page at most so many as a batch says, and at most `MOST_BYTES` packed; the newest is kept
whatever its size. A text that a page has had before (by its fingerprint) is stored once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from trapline.core.records import Page
from trapline.core.storage import Batch, Version
from trapline.stores.compression import pack, unpack

MOST_BYTES: Final = 1 << 20  # of a page, packed


@dataclass(frozen=True, slots=True)
class PastText:
    number: int  # of the page's versions, from 1 on
    at_s: float
    title: str
    fingerprint: int
    packed: bytes | None  # None = an older one of the page has the same text

    def version(self) -> Version:
        return Version(self.number, self.at_s, self.title, self.fingerprint)


def past_text_of(page: Page) -> PastText:
    text = pack(page.text.encode())
    return PastText(0, page.changed_s, page.title, page.fingerprint, text)


def texts_replaced(
    batch: Batch, held: Callable[[int], PastText | None]
) -> Iterator[tuple[int, list[PastText]]]:
    """(page, texts that it had and has no more, oldest first), before a batch is written.

    `held` tells what a store holds of a page. A document that was written again without a change
    that counts is no version of its own.
    """
    after: dict[int, list[Page | None]] = {}
    for document in (*batch.past, *batch.pages):
        after.setdefault(document.page, []).append(document)
    for page in batch.gone:
        after.setdefault(page, []).append(None)
    for page, documents in after.items():
        if replaced := list(_outdated_texts(held(page), documents)):
            yield page, replaced


def _outdated_texts(
    held: PastText | None, documents: list[Page | None]
) -> Iterator[PastText]:
    first = documents[0]
    if held is not None and (first is None or first.changed_s != held.at_s):
        yield held
    for old, new in pairwise(documents):
        if old is not None and (new is None or new.changed_s != old.changed_s):
            yield past_text_of(old)


def add_past(
    kept: Sequence[PastText], replaced: list[PastText], most: int
) -> list[PastText]:
    """What is kept of a page's past, oldest first, when texts join it.

    >>> first, second = (PastText(0, at, "", 7, b"same") for at in (1.0, 2.0))
    >>> [(past.number, past.packed) for past in add_past([], [first, second], most=9)]
    [(1, b'same'), (2, None)]
    >>> [(past.number, past.packed) for past in add_past([], [first, second], most=1)]
    [(2, b'same')]
    """
    rows = list(kept)
    for text in replaced:
        number = rows[-1].number + 1 if rows else max(text.number, 1)
        known = any(row.fingerprint == text.fingerprint for row in rows)
        packed = None if known else text.packed
        rows.append(replace(text, number=number, packed=packed))
    while len(rows) > most or (len(rows) > 1 and _size(rows) > MOST_BYTES):
        _drop_oldest(rows)
    return rows


def find_text(rows: Sequence[PastText], number: int) -> str | None:
    """The text of a version; None = it is not there."""
    for row in rows:
        if row.number == number:
            same = (r.packed for r in rows if r.fingerprint == row.fingerprint)
            packed = next(text for text in same if text is not None)
            return unpack(packed).decode()
    return None


def list_versions(past: Sequence[PastText], held: PastText | None) -> list[Version]:
    """All of a page, oldest first: the text that is held comes after those of before.

    >>> first, second = (PastText(n, at, "", 7, b"") for n, at in ((3, 1.0), (0, 2.0)))
    >>> [(version.number, version.at_s) for version in list_versions([first], second)]
    [(3, 1.0), (4, 2.0)]
    """
    texts = list(past)
    if held is not None:
        number = past[-1].number + 1 if past else 1
        texts.append(replace(held, number=number))
    return [text.version() for text in texts]


def _size(rows: list[PastText]) -> int:
    return sum(len(row.packed) for row in rows if row.packed is not None)


def _drop_oldest(rows: list[PastText]) -> None:
    """A later one with the same text has it from then on."""
    oldest = rows.pop(0)
    for place, row in enumerate(rows):
        if row.fingerprint == oldest.fingerprint:
            rows[place] = replace(row, packed=oldest.packed)
            return
