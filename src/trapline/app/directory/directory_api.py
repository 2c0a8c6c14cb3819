"""What a directory answers to engines, brokers and other directories."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Final

from fastapi import FastAPI, Header, HTTPException, Query, Request
from starlette.responses import JSONResponse, Response

from trapline.app.directory.engine_entry import EngineEntry
from trapline.app.directory.open_directory import OpenDirectory
from trapline.app.directory.same_names import find_same_names
from trapline.app.federation.engine_parts import SAMPLE, TERMS
from trapline.app.federation.key_file import verify
from trapline.oasis.description import fingerprint_of
from trapline.oasis.json_text import read_json
from trapline.oasis.statements import read_statement

PAGE: Final = 500  # engines in one answer
_LARGEST: Final = 2**53 - 1
_BINARY: Final = "application/octet-stream"
_FRESH: Final = {"Cache-Control": "no-store"}

After = Annotated[int, Query(ge=0, le=_LARGEST)]
Limit = Annotated[int, Query(ge=1, le=PAGE)]
Since = Annotated[str, Query(max_length=100)]
Known = Annotated[str | None, Header(alias="If-None-Match")]


class DirectoryApi:
    def __init__(self, directory: OpenDirectory) -> None:
        self._directory = directory
        self._store = directory.store

    def add_to(self, app: FastAPI) -> None:
        app.post("/directory/statements")(self.hear)
        read: dict[str, Any] = {
            "/directory/engines": self.engines,
            "/directory/engines/{engine}/terms": self.terms,
            "/directory/engines/{engine}/sample": self.sample,
            "/directory/table": self.table,
            "/directory/peers": self.peers,
        }
        for path, endpoint in read.items():
            app.api_route(path, methods=["GET", "HEAD"])(endpoint)

    async def hear(self, request: Request) -> JSONResponse:
        """A statement that an engine has signed."""
        signed = read_statement(read_json(await request.body()), verify)
        await self._directory.registrar.take(signed)
        return JSONResponse(
            {
                "renew_in_s": self._directory.pace.renew_s,
                "expires_in_s": self._directory.pace.expires_s,
                "table": self._store.table_version(),
            },
            headers=_FRESH,
        )

    async def engines(self, after: After = 0, limit: Limit = PAGE) -> JSONResponse:
        """Engines in the order in which they came; `next` is where to go on."""
        found = self._store.engines(after, limit + 1)
        names = find_same_names(self._store.names())
        page = [entry_json(entry, names) for entry in found[:limit]]
        following = found[limit - 1].number if len(found) > limit else None
        answer = {
            "engines": page,
            "next": following,
            "table": self._store.table_version(),
        }
        return JSONResponse(answer, headers=_FRESH)

    async def terms(self, engine: str) -> Response:
        return self._part(engine, TERMS)

    async def sample(self, engine: str) -> Response:
        return self._part(engine, SAMPLE)

    async def table(self, since: Since = "", known: Known = None) -> Response:
        """The shared table, packed; 304 for who has this version."""
        version, packed = self._store.table() or ("", b"")
        headers = {"ETag": f'"{version}"'}
        if version in (since, (known or "").strip('"')):
            return Response(status_code=304, headers=headers)
        return Response(
            packed,
            200,
            headers,
            _BINARY,
        )

    async def peers(self) -> JSONResponse:
        """Other directories, and how it goes with them."""
        peers = [asdict(peer) for peer in self._directory.gossip.peers]
        return JSONResponse({"peers": peers}, headers=_FRESH)

    def _part(self, engine: str, kind: str) -> Response:
        found = self._store.find(engine[:100])
        if len(found) > 1:
            raise HTTPException(409, "Two engines have this fingerprint: give the key.")
        packed = self._store.part(found[0].key, kind) if found else None
        if packed is None:
            raise HTTPException(404, f"No {kind} of such an engine are here.")
        return Response(
            packed,
            200,
            _FRESH,
            _BINARY,
        )


def entry_json(entry: EngineEntry, same_names: frozenset[str]) -> dict[str, Any]:
    statement = entry.statement.statement
    description = entry.description
    return {
        "fingerprint": fingerprint_of(entry.key),
        "name": statement.name,
        "description": None if description is None else description.as_json(),
        "statement": entry.statement.as_json(),
        "state": entry.state,
        "reason": entry.reason,
        "since_s": entry.since_s,
        "seen_s": entry.seen_s,
        "findings": findings_of(entry, same_names),
    }


def findings_of(entry: EngineEntry, same_names: frozenset[str]) -> list[str]:
    found = list(entry.findings)
    if entry.key in same_names:
        found.append("another engine has the same name")
    return found
