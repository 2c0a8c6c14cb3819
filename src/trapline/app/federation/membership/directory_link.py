"""One directory that was joined: statements to it, again and again, and what it tells."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any, Final

from trapline.app.federation.directory_reading import read_pages
from trapline.app.federation.engine_parts import say_fault
from trapline.app.federation.key_file import EngineKey
from trapline.app.federation.membership.back_off import back_off_s
from trapline.app.federation.membership.engine_news import EngineNews
from trapline.app.federation.membership.heard_engine import (
    EngineListener,
    Link,
    LinkState,
    OwnEngine,
)
from trapline.app.federation.serial_file import SerialFile
from trapline.core.errors import (
    DescriptionUnreadable,
    EngineUnreachable,
    StatementRefused,
    TraplineError,
)
from trapline.net.engine_client import JSON, EngineClient, EngineRequest
from trapline.oasis.json_text import read_json
from trapline.oasis.packing import unpack_shared
from trapline.oasis.statements import JOIN, LEAVE, RENEW, Statement, sign_statement

_ANSWER_BYTES: Final = 65_536
_ANSWER_S: Final = 30.0  # the directory calls back meanwhile
_TABLE_BYTES: Final = 50_000_000
_TABLE_S: Final = 60.0
_LEAST_WAIT_S: Final = 0.05
_MOST_WAIT_S: Final = 300.0
_REFUSING: Final = (403, 409, 413, 422)


class Speaker:
    """Signs statements of the folder's engine, each with a serial of its own."""

    def __init__(self, key: EngineKey, serials: SerialFile, own: OwnEngine) -> None:
        self.key = key
        self.serials = serials
        self.own = own

    def state(self, kind: str) -> bytes:
        described = self.own.describe().description
        statement = Statement(
            kind,
            self.key.public,
            described.url,
            described.name,
            described.version,
            self.serials.take(),
        )
        return json.dumps(sign_statement(statement, self.key.sign).as_json()).encode()


class DirectoryLink:
    def __init__(
        self,
        url: str,
        speaker: Speaker,
        client: EngineClient,
        listener: EngineListener | None,
        news: EngineNews | None,
        on_change: Callable[[Link], None],
    ) -> None:
        self._url = url
        self._speaker = speaker
        self._client = client
        self._listener = listener
        self._news = news
        self._on_change = on_change
        self._table = ""  # version that was read last
        self._failures = 0

    async def run(self) -> None:
        """Join, and renew for ever."""
        kind = JOIN
        while True:
            wait_s = await self._heartbeat(kind)
            kind = RENEW if not self._failures else JOIN
            await asyncio.sleep(wait_s)

    async def leave(self) -> None:
        """StatementRefused or EngineUnreachable if the directory does not hear of it."""
        await self._say(LEAVE)

    async def _heartbeat(self, kind: str) -> float:
        """Say that the engine is there, and hear who else is; how long to wait then."""
        try:
            wait_s = await self._say(kind)
            self._failures = 0
            self._on_change(Link(self._url, "directory", LinkState.JOINED, ""))
            await self._listen()
            return wait_s * random.uniform(0.8, 1.0)
        except StatementRefused as refusal:
            self._note(LinkState.REFUSED, refusal.reason)
        except TraplineError as failure:
            self._note(LinkState.WAITING, say_fault(failure))
        return back_off_s(self._failures, random.random())

    async def _say(self, kind: str) -> float:
        """How soon the directory wants to hear again."""
        try:
            said = await self._send(kind)
        except StatementRefused as refusal:
            if refusal.last_serial is None:
                raise
            # Another directory was quicker to tell, or the clock was set back.
            self._speaker.serials.skip(refusal.last_serial)
            said = await self._send(kind)
        wanted = said.get("renew_in_s")
        wait_s = float(wanted) if isinstance(wanted, int | float) else 30.0
        return min(max(wait_s, _LEAST_WAIT_S), _MOST_WAIT_S)

    async def _send(self, kind: str) -> dict[str, Any]:
        body = self._speaker.state(kind)
        address = f"{self._url}/directory/statements"
        headers = {"Content-Type": JSON}
        answer = await self._client.ask(
            EngineRequest(address, _ANSWER_BYTES, _ANSWER_S, body, headers)
        )
        if answer.status == 200 or answer.status in _REFUSING:
            said = _table(self._url, answer.body)
        if answer.status in _REFUSING:
            raise _refusal(said)
        if answer.status != 200:
            reason = f"answered with status {answer.status}"
            raise EngineUnreachable(self._url, "status", reason, answer.status)
        return said

    async def _listen(self) -> None:
        """What the directory tells is a help: without it the engine is a member all the same."""
        if self._news is None or self._listener is None:
            return
        try:
            await self._news.read(self._url, await read_pages(self._client, self._url))
            await self._read_table(self._listener)
        except TraplineError as failure:
            reason = f"its list cannot be read: {say_fault(failure)}"
            self._on_change(Link(self._url, "directory", LinkState.JOINED, reason))

    async def _read_table(self, listener: EngineListener) -> None:
        address = f"{self._url}/directory/table?since={self._table}"
        request = EngineRequest(address, _TABLE_BYTES, _TABLE_S)
        answer = await self._client.ask(request)
        if answer.status != 200 or not answer.body:
            return
        table = await asyncio.to_thread(unpack_shared, answer.body)
        self._table = table.version if table.version.isalnum() else ""
        listener.hear_table(self._url, table)

    def _note(self, state: LinkState, reason: str) -> None:
        self._failures += 1
        self._on_change(Link(self._url, "directory", state, reason))


def _table(url: str, body: bytes) -> dict[str, Any]:
    said = read_json(body)
    if not isinstance(said, dict):
        raise DescriptionUnreadable(f"{url} is no directory")
    return said


def _refusal(said: dict[str, Any]) -> StatementRefused:
    reason = said.get("error")
    last = said.get("serial")
    text = reason if isinstance(reason, str) else "without a reason"
    shown = "".join(c if c.isprintable() else " " for c in text[:300])
    return StatementRefused(shown, last if isinstance(last, int) else None)
