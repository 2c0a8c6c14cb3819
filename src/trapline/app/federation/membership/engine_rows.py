"""Engines as `trapline engines list` shows them: of a directory, an engine, or what was joined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from trapline.app.federation.directory_reading import read_page, read_pages
from trapline.app.federation.engine_parts import fetch_description, say_fault
from trapline.app.federation.membership.entry_check import check_entry
from trapline.app.federation.membership.membership_file import Memberships
from trapline.core.errors import EngineUnreachable, TraplineError, UserMistake
from trapline.net.engine_client import EngineClient
from trapline.oasis.description import Description, fingerprint_of

DIRECTORY: Final = "directory"
ENGINE: Final = "engine"
_LONGEST: Final = 300  # of texts that nobody has checked


@dataclass(frozen=True, slots=True)
class EngineRow:
    name: str
    fingerprint: str
    url: str
    state: str
    source: str  # who tells of it
    reason: str = ""  # for its state
    findings: tuple[str, ...] = ()  # what is wrong with it
    topic: str = ""
    pages: int | None = None
    fresh: float | None = None
    version: int | None = None

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class EngineList:
    engines: list[EngineRow]
    troubles: dict[str, str]  # URL of a directory or peer → why it tells nothing

    def as_dict(self) -> dict[str, Any]:
        rows = [row.as_dict() for row in self.engines]
        return {"engines": rows, "troubles": self.troubles}


async def find_kind(client: EngineClient, url: str) -> str:
    """Whether there is a directory or an engine at a URL."""
    try:
        await read_page(client, url)
    except EngineUnreachable as failure:
        if not failure.status:
            raise
    except UserMistake:
        pass  # it is no directory
    else:
        return DIRECTORY
    try:
        await fetch_description(client, url)
    except UserMistake as mistake:
        raise UserMistake(f"{url} is no directory, and no engine: {mistake}") from None
    return ENGINE


async def list_at(client: EngineClient, url: str) -> EngineList:
    """Engines of a directory, or the one that answers there."""
    if await find_kind(client, url) == DIRECTORY:
        entries = await read_pages(client, url)
        return EngineList([_row_of_entry(url, entry) for entry in entries], {})
    return EngineList([await _row_of_engine(client, url)], {})


async def list_joined(client: EngineClient, joined: Memberships) -> EngineList:
    """All engines of the directories and peers that a folder has joined."""
    found = EngineList([], {})
    for url in (*joined.directories, *joined.peers):
        try:
            found.engines.extend((await list_at(client, url)).engines)
        except TraplineError as failure:
            found.troubles[url] = say_fault(failure)
    return found


async def _row_of_engine(client: EngineClient, url: str) -> EngineRow:
    found = (await fetch_description(client, url)).description
    return EngineRow(
        found.name,
        found.fingerprint,
        found.url,
        "alive",
        url,
        **_description_fields(found),
    )


def _row_of_entry(source: str, entry: Mapping[str, Any]) -> EngineRow:
    state = _text(entry.get("state"))
    findings = entry.get("findings")
    told = findings if isinstance(findings, list) else []
    try:
        statement, signed = check_entry(entry)
    except UserMistake as fault:
        name = _text(entry.get("name"))
        reason = f"nobody has signed this: {say_fault(fault)}"
        return EngineRow(name, "", "", "invented", source, reason)
    return EngineRow(
        statement.name,
        fingerprint_of(statement.key),
        statement.url,
        state,
        source,
        _text(entry.get("reason")),
        tuple(map(_text, told[:10])),
        **(_description_fields(signed.description) if signed else {}),
    )


def _description_fields(found: Description) -> dict[str, Any]:
    return {
        "topic": found.topic,
        "pages": found.pages,
        "fresh": found.fresh,
        "version": found.version,
    }


def _text(said: object) -> str:
    return said[:_LONGEST] if isinstance(said, str) else ""
