"""Reads a CIFF file by the description of its format, not by our writer."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

Fields = list[tuple[int, int | float | bytes]]  # (number, value), as they stand there


@dataclass(frozen=True)
class Index:
    header: dict[int, int | float | bytes]
    # term → (df, cf, postings as (document, how often))
    lists: dict[str, tuple[int, int, list[tuple[int, int]]]]
    documents: list[tuple[int, str, int]]  # (number, name, words)


def read_index(data: bytes) -> Index:
    messages = split(data)
    header = dict(fields(next(messages)))
    lists = dict(postings(next(messages)) for _ in range(number(header, 2)))
    documents = [document(next(messages)) for _ in range(number(header, 3))]
    assert next(messages, None) is None, "there is more than the header says"
    return Index(header, lists, documents)


def split(data: bytes) -> Iterator[bytes]:
    place = 0
    while place < len(data):
        length, place = varint(data, place)
        assert place + length <= len(data), "it ends too early"
        yield data[place : place + length]
        place += length


def fields(message: bytes) -> Fields:
    found: Fields = []
    place = 0
    while place < len(message):
        key, place = varint(message, place)
        if key & 7 == 0:
            value, place = varint(message, place)
            found.append((key >> 3, value))
        elif key & 7 == 1:
            found.append((key >> 3, struct.unpack_from("<d", message, place)[0]))
            place += 8
        else:
            assert key & 7 == 2
            length, place = varint(message, place)
            found.append((key >> 3, message[place : place + length]))
            place += length
    return found


def varint(data: bytes, place: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 64, 7):
        byte = data[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    raise AssertionError("a number of more than 64 bits")


def postings(message: bytes) -> tuple[str, tuple[int, int, list[tuple[int, int]]]]:
    found = fields(message)
    facts = dict(found)
    last = 0
    listed = []
    for key, value in found:
        if key == 4:
            assert isinstance(value, bytes)
            posting = dict(fields(value))
            last += number(posting, 1)
            listed.append((last, number(posting, 2)))
    return text(facts, 1), (number(facts, 2), number(facts, 3), listed)


def document(message: bytes) -> tuple[int, str, int]:
    facts = dict(fields(message))
    return number(facts, 1), text(facts, 2), number(facts, 3)


def number(facts: dict[int, int | float | bytes], key: int) -> int:
    value = facts.get(key, 0)
    assert isinstance(value, int)
    return value


def text(facts: dict[int, int | float | bytes], key: int) -> str:
    value = facts.get(key, b"")
    assert isinstance(value, bytes)
    return value.decode()
