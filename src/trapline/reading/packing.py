"""Readings as bytes, for the way from a reader process to the robot.

Fast to pack and unpack: arrays go as bytes, and links only as targets, words and texts, since
nobody needs the anchors afterwards.
"""

from __future__ import annotations

import pickle
from operator import attrgetter
from typing import Any

import numpy as np

from trapline.politeness.robots_txt import RobotsFile
from trapline.reading.html.document import Document
from trapline.reading.identity.marks import Marks
from trapline.reading.readings import (
    FoundLinks,
    ReadDocument,
    Reading,
    ReadListing,
    Unreadable,
)
from trapline.reading.rules.reading_rules import Findings
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
    if kind is ReadListing:
        return _listing(*parts)
    return RobotsFile(*parts) if kind is RobotsFile else Unreadable(*parts)


def _parts(reading: Reading) -> tuple[Any, ...]:
    """The class, and what its instance is made of again."""
    match reading:
        case ReadDocument(document):
            arrays = (*reading.counts, *reading.links.words)
            return (
                ReadDocument,
                _fields(document),
                (reading.missing, reading.language, reading.marks, reading.findings),
                [bytearray(array) for array in arrays],
                reading.links.urls,
                "\n".join(reading.links.texts),
            )
        case ReadListing(what, fingerprint, links, modified_s):
            packed = [bytearray(array) for array in (*links.words, modified_s)]
            return ReadListing, what, fingerprint, "\n".join(links.urls), packed
        case RobotsFile():
            return RobotsFile, *reading
        case Unreadable(reason, retry):
            return Unreadable, reason, retry


def _fields(document: Document) -> list[Any]:
    """In order, without the links."""
    fields = list(_FIELDS(document))
    fields[_LINKS] = ()
    return fields


def _document(
    fields: list[Any],
    rest: tuple[bool, str, Marks, Findings],
    arrays: list[bytearray],
    urls: list[str],
    texts: str,
) -> ReadDocument:
    words, times, *of_links = arrays
    missing, language, marks, findings = rest
    return ReadDocument(
        Document(*fields),
        missing,
        language,
        marks,
        WordCounts(np.frombuffer(words, np.int32), np.frombuffer(times, np.float32)),
        FoundLinks(
            urls,
            LinkWords(*(np.frombuffer(one, np.int32) for one in of_links)),
            texts.split("\n") if urls else [],
        ),
        findings,
    )


def _listing(
    what: str, fingerprint: int, urls: str, arrays: list[bytearray]
) -> ReadListing:
    *of_links, modified_s = arrays
    words = LinkWords(*(np.frombuffer(one, np.int32) for one in of_links))
    links = FoundLinks(urls.split("\n") if urls else [], words, [])
    return ReadListing(what, fingerprint, links, np.frombuffer(modified_s, np.float64))
