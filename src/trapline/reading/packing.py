"""Readings as bytes, for the way from a reader process to the robot.

Fast to pack and unpack: arrays go as bytes, the entries of a listing as columns, and links only as
targets and words, since nobody needs the anchors afterwards.
"""

from __future__ import annotations

import pickle
from operator import attrgetter
from typing import Any

import numpy as np

from trapline.reading.html.document import Document
from trapline.reading.identity.marks import Marks
from trapline.reading.listings.entries import Entry, Listing
from trapline.reading.readings import FoundLinks, ReadDocument, Reading, Unreadable
from trapline.topic.link_clues import LinkWords
from trapline.topic.word_hashes import WordCounts

_FIELDS = attrgetter(*Document.__slots__)
_LINKS = Document.__slots__.index("links")


def pack_reading(reading: Reading) -> bytes:
    return pickle.dumps(_parts(reading), pickle.HIGHEST_PROTOCOL)


def unpack_reading(message: bytes) -> Reading:
    kind, *parts = pickle.loads(message)
    if kind is ReadDocument:
        return _document(*parts)
    if kind is Listing:
        what, columns = parts
        return Listing(what, tuple(map(Entry._make, zip(*columns, strict=True))))
    return Unreadable(*parts)


def _parts(reading: Reading) -> tuple[Any, ...]:
    """The class, and what its instance is made of again."""
    match reading:
        case ReadDocument(document):
            arrays = (*reading.counts, *reading.links.words)
            return (
                ReadDocument,
                _fields(document),
                (reading.missing, reading.language, reading.marks),
                [bytearray(array) for array in arrays],
                reading.links.urls,
            )
        case Listing(what, entries):
            return Listing, what, tuple(zip(*entries, strict=True))
        case Unreadable(reason, retry):
            return Unreadable, reason, retry


def _fields(document: Document) -> list[Any]:
    """In order, without the links."""
    fields = list(_FIELDS(document))
    fields[_LINKS] = ()
    return fields


def _document(
    fields: list[Any],
    rest: tuple[bool, str, Marks],
    arrays: list[bytearray],
    urls: list[str],
) -> ReadDocument:
    words, times, *of_links = arrays
    missing, language, marks = rest
    return ReadDocument(
        Document(*fields),
        missing,
        language,
        marks,
        WordCounts(np.frombuffer(words, np.int32), np.frombuffer(times, np.float32)),
        FoundLinks(
            urls, LinkWords(*(np.frombuffer(one, np.int32) for one in of_links))
        ),
    )
