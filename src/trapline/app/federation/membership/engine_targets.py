"""What people name on the command line: a folder, or the URL of a directory or an engine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from trapline.app.federation.guarded_client import guarded_client
from trapline.app.federation.membership.broker_rows import add_known
from trapline.app.federation.membership.engine_facts import (
    EngineFacts,
    facts_at,
    facts_of,
)
from trapline.app.federation.membership.engine_rows import (
    EngineList,
    list_at,
    list_joined,
)
from trapline.app.federation.membership.membership_file import (
    Memberships,
    read_memberships,
)
from trapline.core.errors import FolderMissing
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import read_engine_url

T = TypeVar("T")


def list_engines(target: str, listed: Sequence[str]) -> EngineList:
    """Engines of a directory, the one at a URL, or all that a folder has joined or remembers."""
    if not is_url(target):
        folder = _existing(target)
        joined = read_memberships(folder)
        wider = joined.joined_with(Memberships(listed=tuple(listed)))
        found = _ask(wider, lambda client: list_joined(client, joined))
        return add_known(folder, found)
    url = read_engine_url(target)
    return _ask(_name_peer(url, listed), lambda client: list_at(client, url))


def describe_engine(target: str, listed: Sequence[str]) -> EngineFacts:
    """What the engine of a folder, or at a URL, says of itself."""
    if not is_url(target):
        return facts_of(_existing(target))
    url = read_engine_url(target)
    return _ask(_name_peer(url, listed), lambda client: facts_at(client, url))


def is_url(target: str) -> bool:
    """
    >>> is_url("http://127.0.0.1:8760"), is_url("ftp://a.org"), is_url("engine")
    (True, True, False)
    """
    return "://" in target


def _name_peer(url: str, listed: Sequence[str]) -> Memberships:
    """Whoever names a URL means it, wherever it lies."""
    return Memberships(peers=(url,), listed=tuple(listed))


def _existing(target: str) -> Path:
    folder = Path(target)
    if not folder.is_dir():
        raise FolderMissing(folder)
    return folder


def _ask(named: Memberships, work: Callable[[EngineClient], Awaitable[T]]) -> T:
    async def run() -> T:
        client = guarded_client(named.listed_hosts)
        try:
            return await work(client)
        finally:
            await client.close()

    return asyncio.run(run())
