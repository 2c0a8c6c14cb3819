"""A description with the signature of the engine that it is of: it may be passed on by anybody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from trapline.core.errors import DescriptionUnreadable, StatementRefused
from trapline.oasis.description import (
    MOST_BYTES,
    Description,
    canonical_json,
    read_description,
)

SIGNATURE: Final = "signature"

Sign = Callable[[bytes], str]  # what is signed → the signature
Verify = Callable[[str, bytes, str], bool]  # key, what is signed, signature


@dataclass(frozen=True, slots=True)
class SignedDescription:
    description: Description
    said: Mapping[str, Any]  # as the engine said it, with the signature

    def as_json(self) -> dict[str, Any]:
        return dict(self.said)


def sign_description(description: Description, sign: Sign) -> SignedDescription:
    said = description.as_json()
    signature = sign(canonical_json(said))
    return SignedDescription(description, {**said, SIGNATURE: signature})


def read_signed_description(said: object, verify: Verify) -> SignedDescription:
    """DescriptionUnreadable if it makes no sense, StatementRefused if its key did not sign it."""
    description = read_description(said)
    if not isinstance(said, dict):
        raise DescriptionUnreadable("must be a table")
    check_signature(said, description.key, verify)
    return SignedDescription(description, said)


def check_signature(said: Mapping[str, Any], key: str, verify: Verify) -> None:
    """Raise StatementRefused unless `key` has signed all the rest."""
    signature = said.get(SIGNATURE)
    signed = spell_unsigned(said)
    if not isinstance(signature, str) or not verify(key, signed, signature):
        raise StatementRefused("its signature is not of its key")


def spell_unsigned(said: Mapping[str, Any]) -> bytes:
    """What the signature is of."""
    rest = {name: value for name, value in said.items() if name != SIGNATURE}
    try:
        signed = canonical_json(rest)
    except (ValueError, TypeError, RecursionError):
        raise DescriptionUnreadable("it is not JSON") from None
    if len(signed) > MOST_BYTES:
        raise DescriptionUnreadable(f"it is longer than {MOST_BYTES:,} bytes")
    return signed
