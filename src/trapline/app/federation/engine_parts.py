"""Fetching what an engine says of itself, and believing only what it has signed.

A description is signed; statistics and sample are believed if their digests stand in it. So they
may come from the engine, or from any directory.
"""

from __future__ import annotations

import asyncio
import hashlib
from contextlib import suppress
from typing import Final

from trapline.app.federation.key_file import verify
from trapline.core.errors import (
    DescriptionUnreadable,
    EngineUnreachable,
    StatementRefused,
    TraplineError,
)
from trapline.net.engine_client import EngineClient, EngineRequest
from trapline.oasis.deltas import apply_delta
from trapline.oasis.description import MOST_BYTES, MOST_PACKED, Packed
from trapline.oasis.json_text import read_json
from trapline.oasis.packing import pack_terms, unpack_sample, unpack_terms
from trapline.oasis.signed_description import (
    SignedDescription,
    read_signed_description,
)

TERMS: Final = "terms"
SAMPLE: Final = "sample"
BASE: Final = "Trapline-Base"  # header: the version to which a delta is to be applied
DESCRIPTION_S: Final = 10.0
PART_S: Final = 30.0
_MORE_PAGES: Final = 1.1  # that statistics may have than was said: pages come meanwhile
_FEW_PAGES: Final = 10


async def fetch_description(
    client: EngineClient, url: str, within_s: float = DESCRIPTION_S
) -> SignedDescription:
    """What the engine at a URL says of itself.

    StatementRefused if it was not signed, or says that it is elsewhere.
    """
    body = await client.get(f"{url}/engine", MOST_BYTES, within_s)
    signed = read_signed_description(read_json(body), verify)
    if signed.description.url != url:
        raise StatementRefused(
            f"what answers at {url} says that it is at {signed.description.url}"
        )
    return signed


async def fetch_part(
    client: EngineClient, url: str, part: Packed, within_s: float = PART_S
) -> bytes:
    """Statistics or a sample; DescriptionUnreadable unless it is as it was signed."""
    body = await client.get(url, min(part.bytes, MOST_PACKED), within_s)
    check_part(body, part)
    return body


async def fetch_terms(
    client: EngineClient,
    url: str,
    part: Packed,
    held: tuple[int, bytes] | None,
    within_s: float = PART_S,
) -> bytes:
    """Statistics; only what has changed travels if an older version is held and remembered there.

    A delta that does not lead to what was signed is as good as none.
    """
    if held is not None:
        version, old = held
        with suppress(TraplineError):
            return await _fetch_delta(
                client, url, part, version, old, within_s=within_s
            )
    return await fetch_part(client, url, part, within_s)


async def _fetch_delta(
    client: EngineClient,
    url: str,
    part: Packed,
    version: int,
    old: bytes,
    *,
    within_s: float,
) -> bytes:
    most = min(part.bytes, MOST_PACKED)
    answer = await client.ask(EngineRequest(f"{url}?since={version}", most, within_s))
    if answer.status != 200:
        raise DescriptionUnreadable(f"answered with status {answer.status}")
    body = answer.body
    if answer.headers.get(BASE) == str(version):
        body = await asyncio.to_thread(_apply, old, body)
    check_part(body, part)
    return body


def _apply(old: bytes, delta: bytes) -> bytes:
    return pack_terms(apply_delta(unpack_terms(old), delta))


def check_part(body: bytes, part: Packed) -> None:
    if hashlib.sha256(body).hexdigest() != part.digest:
        raise DescriptionUnreadable("its packed bytes are not those that it has signed")


async def find_fault(
    signed: SignedDescription, terms: bytes | None, sample: bytes | None
) -> str | None:
    """What is wrong with the parts of a description; None = nothing."""
    return await asyncio.to_thread(_find_fault, signed, terms, sample)


def _find_fault(
    signed: SignedDescription, terms: bytes | None, sample: bytes | None
) -> str | None:
    try:
        if sample is not None:
            unpack_sample(sample)
        pages = unpack_terms(terms).pages if terms is not None else 0
    except DescriptionUnreadable as fault:
        return fault.problem
    said = signed.description.pages
    if pages > said * _MORE_PAGES + _FEW_PAGES:
        return f"its statistics are of {pages:,} pages, but it says it has {said:,}"
    return None


def say_fault(failure: Exception) -> str:
    """One line on what went wrong with an engine."""
    match failure:
        case EngineUnreachable() | StatementRefused():
            return failure.reason
        case DescriptionUnreadable():
            return failure.problem
    return str(failure)
