"""What the engine says of itself, for directories and brokers: signed, counted, in bounds."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import FastAPI, Query
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trapline.app.federation.description_file import Made
from trapline.app.federation.description_maker import DescriptionMaker
from trapline.app.web.api.answers import PROBLEMS
from trapline.app.web.api.parameters import LARGEST
from trapline.app.web.one_at_a_time import OneAtATime

BASE: Final = "Trapline-Base"  # header: the version to which a delta is to be applied
_BINARY: Final = {
    "application/octet-stream": {"schema": {"type": "string", "format": "binary"}}
}
Version = Annotated[
    int,
    Query(ge=0, le=LARGEST, description="Only what has changed since this version."),
]


class EngineApi:
    def __init__(self, maker: DescriptionMaker | None) -> None:
        """None = it has no key to sign with."""
        self._maker = maker
        self._turn = OneAtATime()

    def add_to(self, app: FastAPI) -> None:
        app.get("/engine", responses=PROBLEMS)(self.engine)
        binary: dict[int | str, dict[str, Any]] = {
            **PROBLEMS,
            200: {"content": _BINARY},
        }
        app.get("/engine/terms", response_class=_Packed, responses=binary)(self.terms)
        app.get("/engine/sample", response_class=_Packed, responses=binary)(self.sample)

    async def engine(self) -> dict[str, Any]:
        """The description of this engine, signed."""
        return (await self._current()).signed

    async def terms(self, since: Version = 0) -> Response:
        """Its term statistics, packed; or what has changed since a version that is remembered."""
        made = await self._current()
        delta = self._open().delta(since) if since else None
        if delta is None or len(delta) > len(made.terms):
            return _Packed(made.terms)
        return _Packed(delta, headers={BASE: str(since)})

    async def sample(self) -> Response:
        """Some of its pages as hashed words, packed."""
        made = await self._current()
        if made.sample is None:
            raise HTTPException(404, "this engine keeps its sample private")
        return _Packed(made.sample)

    def _open(self) -> DescriptionMaker:
        if self._maker is None:
            problem = (
                "this engine has no key to sign with: its folder cannot be written"
            )
            raise HTTPException(503, problem)
        return self._maker

    async def _current(self) -> Made:
        return await self._turn.run(self._open().current)


class _Packed(Response):
    media_type = "application/octet-stream"
