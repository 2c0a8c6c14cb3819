"""Nobody speaks for another, nothing is said twice, and what makes no sense is refused by name."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trapline.app.federation.key_file import EngineKey, make_key, verify
from trapline.core.errors import DescriptionUnreadable, StatementRefused
from trapline.oasis.description import Description, canonical_json
from trapline.oasis.json_text import read_json
from trapline.oasis.signed_description import (
    read_signed_description,
    sign_description,
)
from trapline.oasis.statements import (
    JOIN,
    LEAVE,
    Statement,
    check_newer,
    next_serial,
    read_statement,
    sign_statement,
)

KEY = make_key()
OTHER = make_key()


def statement(key: EngineKey = KEY, **changes: Any) -> Statement:
    said = {
        "kind": JOIN,
        "key": key.public,
        "url": "http://a.example.org",
        "name": "moon",
        "description_version": 3,
        "serial": 1000,
    }
    return Statement(**{**said, **changes})


def said(key: EngineKey = KEY, **changes: Any) -> dict[str, Any]:
    """As it comes over the wire."""
    signed = sign_statement(statement(key, **changes), key.sign)
    travelled: dict[str, Any] = json.loads(json.dumps(signed.as_json()))
    return travelled


def test_a_signed_statement_travels() -> None:
    assert read_statement(said(), verify).statement == statement()


@pytest.mark.parametrize(
    "change",
    [
        {"kind": LEAVE},
        {"url": "http://b.example.org"},
        {"name": "sun"},
        {"description_version": 4},
        {"serial": 1001},
        {"key": OTHER.public},
        {"signature": said(serial=999)["signature"]},
        {"signature": ""},
        {"signature": "ä" * 86},
        {"signature": None},
    ],
    ids=lambda change: next(iter(change)),  # keys are new in every worker
)
def test_whatever_is_changed_breaks_the_signature(change: dict[str, Any]) -> None:
    with pytest.raises(StatementRefused, match="signature"):
        read_statement({**said(), **change}, verify)


def test_another_key_cannot_sign() -> None:
    forged = sign_statement(statement(), OTHER.sign)
    with pytest.raises(StatementRefused, match="signature"):
        read_statement(forged.as_json(), verify)


def test_a_key_has_one_spelling() -> None:
    """Its last letter has two bits to spare: four texts would be one key, and four engines."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    place = letters.index(KEY.public[-1])
    others = [letters[place ^ bits] for bits in (1, 2, 3)]
    for other in (*others, KEY.public[-1] + "="):
        public = KEY.public[:-1] + other
        signature = KEY.sign(b"x")
        assert not verify(public, b"x", signature)
    assert verify(KEY.public, b"x", KEY.sign(b"x"))


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "steal"},
        {"serial": -1},
        {"serial": True},
        {"serial": 1.5},
        {"serial": 2**60},
        {"name": "x" * 61},
        {"name": "a\nb"},
        {"name": "\x1b[31m"},
        {"url": "ftp://a.org"},
        {"url": "http://a.example.org/"},
        {"url": "HTTP://a.example.org"},
        {"url": "http://a.example.org/?q"},
        {"url": "http://" + "a" * 600},
        {"description_version": "3"},
        {"extra": 1},
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused_however_well_signed(
    changes: dict[str, Any],
) -> None:
    rest = {**statement().as_json(), **changes}
    signed = {**rest, "signature": KEY.sign(canonical_json(rest))}
    with pytest.raises(StatementRefused):
        read_statement(signed, verify)


@pytest.mark.parametrize("garbage", [None, [], "x", {}, 7, {"kind": JOIN}], ids=str)
def test_garbage_is_refused(garbage: object) -> None:
    with pytest.raises(StatementRefused):
        read_statement(garbage, verify)


@pytest.mark.parametrize(("last", "newer"), [(999, True), (1000, False), (1001, False)])
def test_only_greater_serials_are_newer(last: int, newer: bool) -> None:
    if newer:
        check_newer(statement(), last)
        return
    with pytest.raises(StatementRefused, match="serial"):
        check_newer(statement(), last)


def test_serials_grow_whatever_the_clock_does() -> None:
    serial = 0
    for now_ms in (5_000, 5_000, 86_405_000, 1_000, 0):
        following = next_serial(serial, now_ms)
        assert following > serial
        serial = following


def described(key: EngineKey = KEY) -> dict[str, Any]:
    description = Description("moon", "http://a.org", key.public, 1, 5.0, 10)
    signed = sign_description(description, key.sign)
    travelled: dict[str, Any] = json.loads(json.dumps(signed.as_json()))
    return travelled


def test_a_signed_description_travels_and_fields_to_come_are_kept() -> None:
    assert read_signed_description(described(), verify).description.pages == 10
    rest = {**described(), "colour": "blue"}
    del rest["signature"]
    later = {**rest, "signature": KEY.sign(canonical_json(rest))}
    assert read_signed_description(later, verify).as_json()["colour"] == "blue"


@pytest.mark.parametrize(
    "change", [{"pages": 11}, {"key": OTHER.public}, {"colour": 1}, {"signature": 1}]
)
def test_a_description_that_was_changed_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(StatementRefused):
        read_signed_description({**described(), **change}, verify)


def test_a_description_that_is_too_long_is_refused() -> None:
    with pytest.raises(DescriptionUnreadable, match="longer"):
        read_signed_description({**described(), "extra": "x" * 70_000}, verify)


@pytest.mark.parametrize(
    "text", [b"", b"{", b"[" * 60_000, b"NaN", b'{"a": Infinity}', b"\xff", b"9" * 5000]
)
def test_what_is_not_json_is_said_so(text: bytes) -> None:
    with pytest.raises(DescriptionUnreadable, match="not JSON"):
        read_json(text)
