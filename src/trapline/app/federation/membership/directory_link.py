"""One directory that was joined: it is told, again and again, that the engine is there."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any, Final

from trapline.app.federation.engine_parts import say_fault
from trapline.app.federation.key_file import EngineKey
from trapline.app.federation.membership.back_off import back_off_s
from trapline.app.federation.membership.link_state import Link, LinkState
from trapline.app.federation.serial_file import SerialFile
from trapline.core.errors import (
    DescriptionUnreadable,
    EngineUnreachable,
    StatementRefused,
    TraplineError,
)
from trapline.net.engine_client import JSON, EngineClient, EngineRequest
from trapline.net.engine_trouble import EngineTrouble
from trapline.oasis.description import Description
from trapline.oasis.json_text import read_json
from trapline.oasis.statements import JOIN, LEAVE, RENEW, Statement, sign_statement

_ANSWER_BYTES: Final = 65_536
_ANSWER_S: Final = 30.0  # the directory calls back meanwhile
_LEAST_WAIT_S: Final = 0.05
_MOST_WAIT_S: Final = 300.0
_REFUSING: Final = (403, 409, 413, 422)


class Speaker:
    """Signs statements of one engine, each with a serial of its own."""

    def __init__(
        self, key: EngineKey, serials: SerialFile, describe: Callable[[], Description]
    ) -> None:
        self.serials = serials
        self._key = key
        self._describe = describe

    def state(self, kind: str) -> bytes:
        """Counting the words of a folder may take a while."""
        found = self._describe()
        statement = Statement(
            kind,
            self._key.public,
            found.url,
            found.name,
            found.version,
            self.serials.take(),
        )
        signed = sign_statement(statement, self._key.sign)
        return json.dumps(signed.as_json()).encode()


class DirectoryLink:
    def __init__(
        self,
        url: str,
        speaker: Speaker,
        client: EngineClient,
        on_change: Callable[[Link], None],
    ) -> None:
        self._url = url
        self._speaker = speaker
        self._client = client
        self._on_change = on_change
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
        """Say that the engine is there; how long to wait then."""
        try:
            wait_s = await self._say(kind)
            self._failures = 0
            self._on_change(Link(self._url, LinkState.JOINED, ""))
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
        body = await asyncio.to_thread(self._speaker.state, kind)
        address = f"{self._url}/directory/statements"
        headers = {"Content-Type": JSON}
        answer = await self._client.ask(
            EngineRequest(address, _ANSWER_BYTES, _ANSWER_S, body, headers)
        )
        if answer.status in _REFUSING:
            raise _refusal(_table(self._url, answer.body))
        if answer.status != 200:
            reason = f"answered with status {answer.status}"
            trouble = EngineTrouble.STATUS
            raise EngineUnreachable(self._url, trouble, reason, answer.status)
        return _table(self._url, answer.body)

    def _note(self, state: LinkState, reason: str) -> None:
        self._failures += 1
        self._on_change(Link(self._url, state, reason))


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
