"""Entries of a directory, believed only as far as engines have signed them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from trapline.app.federation.key_file import verify
from trapline.core.errors import UserMistake
from trapline.oasis.signed_description import (
    SignedDescription,
    read_signed_description,
)
from trapline.oasis.statements import LEAVE, read_statement

_MOST_FINDINGS: Final = 10
_LONGEST_FINDING: Final = 300
_SILENT: Final = "silent"
_LISTED: Final = ("alive", _SILENT, "left")


@dataclass(frozen=True, slots=True)
class CheckedEntry:
    """Its description and its last statement are of one key, and for one URL."""

    description: SignedDescription
    serial: int
    has_left: bool
    is_silent: bool
    findings: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.description.description.key


def check_entries(
    entries: Iterable[Mapping[str, Any]], heard: Mapping[str, int]
) -> Iterator[CheckedEntry]:
    """Those that their engines have signed, and that are no older than what was heard of them
    (key → serial).
    """
    for entry in entries:
        with suppress(UserMistake):
            checked = _check(entry)
            if checked is not None and checked.serial >= heard.get(checked.key, 0):
                yield checked


def _check(entry: Mapping[str, Any]) -> CheckedEntry | None:
    state = entry.get("state")
    if state not in _LISTED or entry.get("description") is None:
        return None
    statement = read_statement(entry.get("statement"), verify).statement
    signed = read_signed_description(entry["description"], verify)
    found = signed.description
    if (found.key, found.url) != (statement.key, statement.url):
        return None
    return CheckedEntry(
        signed,
        statement.serial,
        statement.kind == LEAVE,
        state == _SILENT,
        _texts(entry.get("findings")),
    )


def _texts(said: object) -> tuple[str, ...]:
    texts = said if isinstance(said, list) else []
    return tuple(
        text[:_LONGEST_FINDING]
        for text in texts[:_MOST_FINDINGS]
        if isinstance(text, str)
    )
