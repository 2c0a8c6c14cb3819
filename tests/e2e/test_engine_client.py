"""Asking engines that answer as they please: every answer is bounded, every silence has a name."""

from __future__ import annotations

import asyncio
import gzip
import time
import tracemalloc
from collections.abc import Coroutine
from typing import Any

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.e2e.test_http_fetcher import Reply, Site, site, whole
from trapline.app.federation.guarded_client import guarded_client
from trapline.core.errors import EngineUnreachable
from trapline.net.engine_client import EngineClient, EngineRequest
from trapline.net.engine_trouble import EngineTrouble
from trapline.politeness.listed_hosts import read_listed

LISTED = read_listed(["127.0.0.1:*"])
MOST = 100_000


class NoNames(AbstractResolver):
    async def resolve(self, *_: object, **__: object) -> list[ResolveResult]:
        raise OSError("no such name")

    async def close(self) -> None:
        pass


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


async def ask(
    here: Site, reply: Reply, within_s: float = 30.0, listed: frozenset[str] = LISTED
) -> bytes:
    here.replies["/engine"] = reply
    client = guarded_client(listed)
    try:
        return await client.get(here.url("/engine"), MOST, within_s)
    finally:
        await client.close()


async def trouble_of(reply: Reply, within_s: float = 30.0) -> EngineUnreachable:
    async with site() as here:
        with pytest.raises(EngineUnreachable) as caught:
            await ask(here, reply, within_s)
    return caught.value


def test_an_answer_is_its_body_and_nothing_tells_who_asked() -> None:
    async def scene() -> None:
        async with site() as here:
            assert await ask(here, whole(b"hello")) == b"hello"
            assert len(here.heads) == 1
            head = here.heads[0].lower()
        assert "user-agent: trapline-broker\r\n" in head
        assert "cookie" not in head and "referer" not in head

    run(scene())


def test_what_is_sent_arrives() -> None:
    async def scene() -> None:
        async with site() as here:
            here.replies["/x"] = whole(b"{}", status=b"409 Conflict")
            client = guarded_client(LISTED)
            request = EngineRequest(here.url("/x"), MOST, 30.0, b'{"a":1}')
            answer = await client.ask(request)
            await client.close()
            assert (answer.status, answer.body) == (409, b"{}")
            assert here.heads[0].startswith("POST /x ")
            assert "content-length: 7" in here.heads[0].lower()

    run(scene())


async def _hang(_: asyncio.StreamWriter) -> None:
    await asyncio.sleep(600)


async def _trickle(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def _flood(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        writer.write(b"x" * 65_536)
        await writer.drain()


async def _hang_up(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 600\r\n\r\nx")
    await writer.drain()


@pytest.mark.parametrize(
    ("reply", "trouble", "reason"),
    [
        (_flood, EngineTrouble.TOO_LARGE, "answered more than 100,000 bytes"),
        (_hang_up, EngineTrouble.HUNG_UP, "hung up"),
        (b"garbage\r\n\r\n", EngineTrouble.GARBAGE, "answered something that is not"),
        (
            whole(b"", status=b"503 Busy"),
            EngineTrouble.STATUS,
            "answered with status 503",
        ),
        (
            whole(b"", b"Location: /other\r\n", b"302 Found"),
            EngineTrouble.STATUS,
            "answered with status 302",
        ),
    ],
)
def test_every_trouble_has_a_name(
    reply: Reply, trouble: EngineTrouble, reason: str
) -> None:
    async def scene() -> None:
        error = await trouble_of(reply)
        assert error.trouble is trouble
        assert error.reason.startswith(reason)
        assert str(error) == f"{error.url} {error.reason}"

    run(scene())


@pytest.mark.parametrize("reply", [_hang, _trickle], ids=["silence", "trickle"])
def test_a_byte_now_and_then_does_not_set_the_deadline_back(reply: Reply) -> None:
    async def scene() -> None:
        began_s = time.monotonic()
        error = await trouble_of(reply, within_s=0.5)
        assert error.trouble is EngineTrouble.TOO_SLOW
        assert error.reason == "did not answer within 0.5 s"
        assert time.monotonic() - began_s < 20.0

    run(scene())


def test_what_unpacks_to_a_gigabyte_is_not_unpacked() -> None:
    bomb = gzip.compress(b"\0" * 100_000_000, 9)

    async def scene() -> None:
        tracemalloc.start()
        error = await trouble_of(whole(bomb, b"Content-Encoding: gzip\r\n"))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert error.trouble is EngineTrouble.TOO_LARGE
        assert peak < 30_000_000

    run(scene())


def test_private_addresses_are_asked_only_if_they_are_listed() -> None:
    async def scene() -> None:
        async with site() as here:
            for listed in ((), ("127.0.0.1:1",), ("127.0.0.2:*",)):
                with pytest.raises(EngineUnreachable) as caught:
                    await ask(here, whole(b"x"), listed=read_listed(listed))
                assert caught.value.trouble is EngineTrouble.PRIVATE_ADDRESS
            assert here.connections == 0
            assert await ask(here, whole(b"x"), listed=read_listed([here.host])) == b"x"

    run(scene())


def test_nobody_there_and_no_such_name() -> None:
    async def scene() -> None:
        async with site() as here:
            gone = here.url("/engine")
        client = EngineClient(lambda *_: None, resolver=NoNames())
        with pytest.raises(EngineUnreachable) as caught:
            await client.get(gone, MOST, 30.0)
        assert caught.value.trouble is EngineTrouble.NO_CONNECTION
        with pytest.raises(EngineUnreachable) as caught:
            await client.get("http://engine.invalid/", MOST, 30.0)
        assert caught.value.trouble is EngineTrouble.NO_SUCH_NAME
        await client.close()

    run(scene())
