"""Statements: an engine joins a directory, renews, or leaves; signed, and counted by a serial.

Whoever has heard a serial of a key accepts only greater ones: nothing old can be said again. The
serial begins at the clock of the engine, so that one whose folder was restored goes on all the
same; nobody compares it with any other clock.

>>> next_serial(last=0, now_ms=1700), next_serial(last=2000, now_ms=1700)
(1700, 2001)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from trapline.core.errors import BadUrl, StatementRefused
from trapline.oasis.description import LONGEST_NAME, canonical_json, read_engine_url
from trapline.oasis.signed_description import (
    SIGNATURE,
    Sign,
    Verify,
    check_signature,
)

JOIN: Final = "join"
RENEW: Final = "renew"
LEAVE: Final = "leave"
KINDS: Final = (JOIN, RENEW, LEAVE)
LARGEST_SERIAL: Final = 2**53
LARGEST_SKIP: Final = 2**52  # to a serial that a directory names: it may lie
_TEXTS: Final = {"kind": 10, "key": 100, "url": 500, "name": LONGEST_NAME}
_NUMBERS: Final = ("description_version", "serial")
_FIELDS: Final = {*_TEXTS, *_NUMBERS, SIGNATURE}


@dataclass(frozen=True, slots=True)
class Statement:
    kind: str
    key: str  # whose it is
    url: str  # where the engine is asked
    name: str
    description_version: int
    serial: int  # grows with every statement of this key

    def as_json(self) -> dict[str, Any]:
        """Without the signature."""
        return {
            "kind": self.kind,
            "key": self.key,
            "url": self.url,
            "name": self.name,
            "description_version": self.description_version,
            "serial": self.serial,
        }


@dataclass(frozen=True, slots=True)
class SignedStatement:
    statement: Statement
    signature: str

    def as_json(self) -> dict[str, Any]:
        return {**self.statement.as_json(), SIGNATURE: self.signature}


def sign_statement(statement: Statement, sign: Sign) -> SignedStatement:
    return SignedStatement(statement, sign(canonical_json(statement.as_json())))


def read_statement(said: object, verify: Verify) -> SignedStatement:
    """A statement that its key has signed; StatementRefused names the first thing wrong."""
    if not isinstance(said, dict) or set(said) != _FIELDS:
        raise StatementRefused(
            f"it must have {', '.join(sorted(_FIELDS))}, all else not"
        )
    _check_values(said)
    check_signature(said, said["key"], verify)
    signature = said[SIGNATURE]
    rest = {name: value for name, value in said.items() if name != SIGNATURE}
    return SignedStatement(Statement(**rest), signature)


def check_newer(statement: Statement, last_serial: int) -> None:
    """Raise StatementRefused for what was said already, or before something else was."""
    if statement.serial <= last_serial:
        raise StatementRefused(
            f"serial {statement.serial} was heard before, or a later one was",
            last_serial,
        )


def next_serial(last: int, now_ms: int) -> int:
    """The serial of the next statement, whatever the clock does."""
    return min(max(last + 1, now_ms), LARGEST_SERIAL)


def _check_values(said: Mapping[str, Any]) -> None:
    for name, longest in _TEXTS.items():
        value = said[name]
        if not isinstance(value, str) or len(value) > longest:
            raise StatementRefused(
                f"{name} must be a text of at most {longest} letters"
            )
    for name in _NUMBERS:
        _check_number(name, said[name])
    if said["kind"] not in KINDS:
        raise StatementRefused(f"kind must be one of {', '.join(KINDS)}")
    if not said["name"].isprintable():
        raise StatementRefused("name must be one line of letters that can be shown")
    _check_url(said["url"])


def _check_number(name: str, value: object) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    if not whole or not 0 <= value <= LARGEST_SERIAL:  # type: ignore[operator]
        raise StatementRefused(f"{name} must be a whole number up to {LARGEST_SERIAL}")


def _check_url(url: str) -> None:
    try:
        spelt = read_engine_url(url)
    except BadUrl as mistake:
        raise StatementRefused(str(mistake)) from None
    if spelt != url:
        raise StatementRefused(f"url must be spelt {spelt}")
