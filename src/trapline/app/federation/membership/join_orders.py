"""Joining and leaving: what `trapline engines join` and `leave` do in a folder."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from trapline.app.federation.directory_reading import read_pages
from trapline.app.federation.engine_parts import fetch_description, say_fault
from trapline.app.federation.guarded_client import guarded_client
from trapline.app.federation.key_file import read_key, verify
from trapline.app.federation.membership.engine_rows import DIRECTORY, find_kind
from trapline.app.federation.membership.membership_file import (
    Memberships,
    read_memberships,
    write_memberships,
)
from trapline.app.federation.serial_file import SerialFile
from trapline.app.folder.host_rows import open_for_reading
from trapline.core.errors import TraplineError, UserMistake
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import read_engine_url
from trapline.oasis.statements import LEAVE, Statement, read_statement, sign_statement

_ANSWER_BYTES = 65_536
_ANSWER_S = 30.0


@dataclass(frozen=True, slots=True)
class Joined:
    url: str
    kind: str  # directory, or engine


@dataclass(frozen=True, slots=True)
class Left:
    url: str
    told: bool  # the directory has heard of it
    reason: str = ""  # why it has not


async def join(folder: Path, text: str, wishes: Memberships) -> Joined:
    """Note down that a folder joins a directory, or has an engine for a fixed peer.

    Whoever serves the folder does the rest, at once if it is being served.
    """
    open_for_reading(folder).close()
    url = read_engine_url(text)
    before = read_memberships(folder)
    wished = before.joined_with(wishes)
    client = guarded_client(replace(wished, peers=(url,)).listed_hosts)
    try:
        kind = await find_kind(client, url)
        if kind != DIRECTORY:
            await _check_other(client, folder, url)
    finally:
        await client.close()
    is_directory = kind == DIRECTORY
    added = Memberships((url,)) if is_directory else Memberships(peers=(url,))
    write_memberships(folder, wished.joined_with(added))
    return Joined(url, kind)


async def leave(folder: Path, text: str) -> Left:
    """Forget a directory or peer, and tell the directory so."""
    url = read_engine_url(text)
    joined = read_memberships(folder)
    if url not in (*joined.directories, *joined.peers):
        raise UserMistake(f"{folder} has not joined {url}: see `trapline engines list`")
    # first of all: whoever serves the folder must not renew any more
    write_memberships(folder, joined.without(url))
    if url not in joined.directories:
        return Left(url, told=False, reason="a fixed peer need not hear of it")
    client = guarded_client(joined.listed_hosts)
    try:
        await _tell(client, folder, url)
    except TraplineError as failure:
        return Left(url, told=False, reason=say_fault(failure))
    finally:
        await client.close()
    return Left(url, told=True)


async def _check_other(client: EngineClient, folder: Path, url: str) -> None:
    found = (await fetch_description(client, url)).description
    if found.key == read_key(folder).public:
        raise UserMistake(f"the engine at {url} is the one of {folder} itself")


async def _tell(client: EngineClient, folder: Path, url: str) -> None:
    """As the directory knows the engine, so it leaves."""
    key = read_key(folder)
    entries = await read_pages(client, url)
    last = next((one for one in map(_own, entries) if one.key == key.public), None)
    if last is None:
        raise UserMistake("it does not know this engine")
    serial = max(SerialFile(folder).take(), last.serial + 1)
    statement = replace(last, kind=LEAVE, serial=serial)
    body = json.dumps(sign_statement(statement, key.sign).as_json()).encode()
    address = f"{url}/directory/statements"
    await client.post(address, body, _ANSWER_BYTES, _ANSWER_S)


def _own(entry: Mapping[str, Any]) -> Statement:
    try:
        return read_statement(entry.get("statement"), verify).statement
    except UserMistake:
        return Statement("", "", "", "", 0, 0)
