"""The fetcher against real servers on loopback that do as they please."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import socket
import time
import tracemalloc
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from typing import Any

import brotli  # type: ignore[import-untyped]
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from trapline.core.errors import UserMistake
from trapline.core.records import Failure, Fetched, Kind, Request, Ticket
from trapline.core.urls import canonical, host_of
from trapline.net.credentials import Access, Credentials
from trapline.net.http_fetcher import HttpFetcher
from trapline.net.options import FetcherOptions, Limits
from trapline.politeness.addresses import reason_forbidden

Reply = bytes | Callable[[asyncio.StreamWriter], Awaitable[None]]

QUICK = Limits(
    total_s=0.4,
    connect_s=0.3,
    body_bytes=300_000,
    robots_bytes=50_000,
)
ROOMY = Limits(
    total_s=10.0, body_bytes=300_000, robots_bytes=50_000
)  # for work that a slow machine may do slowly
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


def whole(body: bytes, headers: bytes = b"", status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %b\r\n%bContent-Length: %d\r\n\r\n%b" % (
        status,
        headers,
        len(body),
        body,
    )


def moved(location: str) -> bytes:
    return whole(
        b"",
        b"Location: " + location.encode("utf-8", "surrogateescape") + b"\r\n",
        b"302 Found",
    )


class Site:
    """A raw HTTP server: what it answers to each path, and what it was asked."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.heads: list[str] = []
        self.connections = 0
        self.port = 0

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def url(self, path: str) -> str:
        return f"{self.origin}{path}"

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.connections += 1
        with contextlib.suppress(
            ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
        ):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                self.heads.append(head)
                reply = self.replies.get(
                    head.split()[1], whole(b"", status=b"404 Not Found")
                )
                if callable(reply):
                    await reply(writer)
                    break
                writer.write(reply)
                await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def site(
    here: Site | None = None, address: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[Site]:
    here = here or Site()
    tasks: list[asyncio.Task[None]] = []
    writers: list[asyncio.StreamWriter] = []

    def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        tasks.append(asyncio.create_task(here.serve(reader, writer)))

    server = await asyncio.start_server(greet, address, port)
    here.port = server.sockets[0].getsockname()[1]
    try:
        yield here
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in writers:
            writer.transport.abort()
        await asyncio.sleep(0.01)  # until the loop has closed their sockets


@contextlib.asynccontextmanager
async def fetcher(
    *named_hosts: str,
    limits: Limits = ROOMY,
    resolver: AbstractResolver | None = None,
    access: Mapping[str, Access] | None = None,
    proxy: str = "",
    keep_headers: bool = False,
) -> AsyncIterator[HttpFetcher]:
    def forbid(host_name: str, address: str) -> str | None:
        return reason_forbidden(address, named_by_user=host_name in named_hosts)

    credentials = Credentials(access or {}, proxy)
    options = FetcherOptions(limits, credentials, keep_headers)
    robot = HttpFetcher("trapline/test", forbid, lambda: 1000.0, options, resolver)
    try:
        yield robot
    finally:
        await robot.close()


def asked(
    url: str, kind: Kind = Kind.PAGE, etag: str = "", last_modified: str = ""
) -> Request:
    return Request(Ticket(1, kind, 0, 0, 0.0, 0.0), url, etag, last_modified)


def run(scene: Coroutine[Any, Any, None]) -> None:
    asyncio.run(scene)


def visit(
    reply: Reply, limits: Limits = ROOMY, kind: Kind = Kind.PAGE
) -> tuple[Fetched, Site]:
    """One visit to a listed site that gives this reply."""

    async def scene() -> tuple[Fetched, Site]:
        async with site() as here, fetcher(here.host, limits=limits) as robot:
            here.replies["/x"] = reply
            return await robot.fetch(asked(here.url("/x"), kind)), here

    return asyncio.run(scene())


# Answers


def test_an_answer_that_nobody_asked_for_is_never_taken_for_the_next_one() -> None:
    """It comes when all is said and the connection waits for the next visit."""

    async def scene() -> None:
        async with site() as here, fetcher(here.host) as robot:
            here.replies |= {"/x": talkative, "/y": whole(b"honest")}
            assert (await robot.fetch(asked(here.url("/x")))).body == b"honest"
            while not said:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0.05)  # until it has arrived
            assert (await robot.fetch(asked(here.url("/y")))).body == b"honest"
            assert here.connections == 2

    async def talkative(writer: asyncio.StreamWriter) -> None:
        for body in (b"honest", b"smuggled"):
            writer.write(whole(body))
            await writer.drain()
            await asyncio.sleep(0.05)
        said.append(True)
        await asyncio.sleep(60)

    said: list[bool] = []
    run(scene())


def test_a_page_and_its_headers() -> None:
    date = b"Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n"
    got, here = visit(
        whole(
            b"<p>hello",
            b'Content-Type: text/html; charset=utf-8\r\nETag: W/"1"\r\n' + date,
        )
    )
    assert (got.status, got.failure, got.body) == (200, None, b"<p>hello")
    assert (got.content_type, got.etag) == ("text/html; charset=utf-8", 'W/"1"')
    assert (got.last_modified, got.ended_s) == ("Mon, 01 Jan 2024 00:00:00 GMT", 1000.0)
    head = here.heads[0].lower()
    assert "user-agent: trapline/test\r\n" in head
    assert f"host: {here.host}\r\n" in head
    assert "gzip" in head and "if-none-match" not in head


def test_conditional_request() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host) as robot:
            here.replies["/x"] = b"HTTP/1.1 304 Not Modified\r\n\r\n"
            got = await robot.fetch(
                asked(
                    here.url("/x"),
                    etag='"1"',
                    last_modified="Mon, 01 Jan 2024 00:00:00 GMT",
                )
            )
            assert (got.status, got.body, got.failure) == (304, b"", None)
            assert 'if-none-match: "1"\r\n' in here.heads[0].lower()
            assert (
                "if-modified-since: mon, 01 jan 2024 00:00:00 gmt\r\n"
                in here.heads[0].lower()
            )

    run(scene())


def test_connections_are_reused_and_cookies_forgotten() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(f"localhost:{here.port}") as robot:
            here.replies["/x"] = whole(b"x", b"Set-Cookie: id=7\r\n")
            for _ in range(3):
                assert (
                    await robot.fetch(asked(f"http://localhost:{here.port}/x"))
                ).status == 200
            assert here.connections == 1 and len(here.heads) == 3
            assert "cookie" not in "".join(here.heads).lower()

    run(scene())


def test_a_url_is_asked_for_as_it_is_spelt() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host) as robot:
            path = "/a%2Fb|c/%7e;d=1?q=%20&r='[x]'&s=%E9"
            await robot.fetch(asked(here.url(path)))
            assert (
                here.heads[0].split()[1]
                == path.replace("'", "%27").split("?")[0] + "?q=%20&r=%27[x]%27&s=%E9"
            )

    run(scene())


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_of_pages_are_answers(status: int) -> None:
    got, here = visit(whole(b"", b"Location: /y?z#a\r\n", b"%d Moved" % status))
    assert (got.status, got.location, len(here.heads)) == (status, "/y?z#a", 1)


def test_what_an_error_page_says_does_not_matter() -> None:
    async def forever(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 404 Not Found\r\n\r\n")
        while True:
            writer.write(b"x" * 10_000)
            await writer.drain()
            await asyncio.sleep(0)

    assert visit(forever)[0].status == 404


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        (b"Retry-After: 120\r\n", 120.0),
        (
            b"Date: Mon, 01 Jan 2024 00:00:00 GMT\r\n"
            b"Retry-After: Mon, 01 Jan 2024 00:00:30 GMT\r\n",
            30.0,
        ),
        # our own clock says 1000
        (b"Retry-After: Thu, 01 Jan 1970 00:16:50 GMT\r\n", 10.0),
        (b"Retry-After: Thu, 01 Jan 1970 00:00:50 GMT\r\n", 0.0),
        (b"Retry-After: -5\r\n", 0.0),
        (b"Retry-After: soon\r\n", 0.0),
        (b"Retry-After: " + b"9" * 400 + b"\r\n", 7 * 86_400.0),
        (b"Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n", 7 * 86_400.0),
        (b"Retry-After: \xb2\xb3\r\n", 0.0),
        (b"", 0.0),
    ],
)
def test_retry_after(headers: bytes, wait_s: float) -> None:
    got, _ = visit(whole(b"", headers, b"503 Busy"))
    assert (got.status, got.retry_after_s) == (503, wait_s)


def test_headers_that_cannot_be_kept() -> None:
    got, _ = visit(
        whole(
            b"",
            b'Location: /caf\xe9\r\nETag: "\xe9"\r\nLast-Modified: '
            + b"x" * 5_000
            + b"\r\n",
            b"302 Found",
        )
    )
    assert (got.location, got.etag, got.last_modified) == ("/caf\ufffd", "", "")


# Robots.txt


def test_a_redirect_of_robots_txt_is_an_answer_like_any_other() -> None:
    """Where it leads belongs to another visit, with the manners of that host."""
    got, here = visit(moved("/x"), kind=Kind.ROBOTS)
    assert (got.status, got.location, len(here.heads)) == (302, "/x", 1)


def test_a_long_robots_txt_is_cut() -> None:
    got, _ = visit(whole(b"#" * 2_000_000), kind=Kind.ROBOTS)
    assert (got.status, len(got.body)) == (200, ROOMY.robots_bytes)


# Hostile servers


async def hang(writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(60)


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 1000\r\n\r\n")
    while True:
        writer.write(b"x")
        await asyncio.sleep(0.02)


async def drip_headers(writer: asyncio.StreamWriter) -> None:
    writer.write(OK)
    for number in range(90):
        writer.write(b"X-%d: y\r\n" % number)
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("reply", [hang, drip, drip_headers])
@pytest.mark.parametrize("kind", list(Kind))
def test_slow_servers_are_left(reply: Reply, kind: Kind) -> None:
    begun = time.monotonic()
    got, here = visit(reply, QUICK, kind)
    assert (got.failure, got.status, got.ended_s, len(here.heads)) == (
        Failure.TIMEOUT,
        0,
        1000.0,
        1,
    )
    assert time.monotonic() - begun < 30.0, "long before the server's minute is over"


async def reset_in_body(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 1000\r\n\r\nhalf")
    await writer.drain()
    await asyncio.sleep(0.05)
    writer.transport.abort()


async def reset_at_once(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def close_at_once(writer: asyncio.StreamWriter) -> None:
    writer.close()


async def short_body(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 1000\r\n\r\nhalf")


async def unfinished_chunks(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n")


@pytest.mark.parametrize(
    "reply", [reset_in_body, reset_at_once, close_at_once, short_body]
)
def test_lost_connections_are_not_repeated_in_secret(reply: Reply) -> None:
    got, here = visit(reply)
    assert (got.failure, got.body, len(here.heads)) == (Failure.CONNECTION, b"", 1)


def test_a_connection_lost_on_reuse_is_not_repeated_either() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host) as robot:
            here.replies |= {"/x": whole(b"x"), "/y": reset_at_once}
            assert (await robot.fetch(asked(here.url("/x")))).status == 200
            assert (
                await robot.fetch(asked(here.url("/y")))
            ).failure is Failure.CONNECTION
            assert (len(here.heads), here.connections) == (2, 1)

    run(scene())


@pytest.mark.parametrize(
    "reply",
    [
        b"hello\r\n\r\n",
        b"HTTP/1.1 abc OK\r\n\r\n",
        b"HTTP/9.9 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"\x00\x01\x02\xff\r\n\r\n",
        OK + b"Content-Length: x\r\n\r\n",
        OK + b"Content-Length: -1\r\n\r\n",
        OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
        OK + b"no colon\r\nContent-Length: 0\r\n\r\n",
    ],
    ids=lambda reply: repr(reply[-24:]),
)
def test_nonsense_is_a_named_failure(reply: bytes) -> None:
    got, here = visit(reply)
    assert (got.failure, got.status, len(here.heads)) == (Failure.PROTOCOL, 0, 1)


@pytest.mark.parametrize(
    "reply",
    [
        OK + b"X: " + b"y" * 100_000 + b"\r\n\r\n",
        OK + b"".join(b"X-%d: y\r\n" % number for number in range(10_000)) + b"\r\n",
        b"HTTP/1.1 200 " + b"O" * 20_000 + b"\r\n\r\n",
    ],
    ids=["one long", "many", "long status line"],
)
def test_headers_without_end_have_a_name(reply: bytes) -> None:
    assert visit(reply)[0].failure is Failure.HEADERS_TOO_LARGE


@pytest.mark.parametrize(
    "reply",
    [
        whole(b"not gzip at all", b"Content-Encoding: gzip\r\n"),
        whole(b"not brotli at all", b"Content-Encoding: br\r\n"),
        whole(b"not zstd at all", b"Content-Encoding: zstd\r\n"),
        whole(b"what is this", b"Content-Encoding: rot13\r\n"),
    ],
    ids=["gzip", "br", "zstd", "unknown"],
)
def test_a_body_that_cannot_be_unpacked_has_a_name(reply: bytes) -> None:
    assert visit(reply)[0].failure is Failure.BAD_ENCODING


def test_chunks_that_never_end_are_a_failure() -> None:
    assert visit(unfinished_chunks)[0].failure in (Failure.CONNECTION, Failure.PROTOCOL)


def test_more_than_announced_is_not_read() -> None:
    got, _ = visit(OK + b"Content-Length: 4\r\n\r\nfour and more")
    # as the packets come; never the surplus
    assert got.body == b"four" or got.failure is Failure.PROTOCOL


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"\r\n")
    while True:
        writer.write(b"x" * 50_000)
        await writer.drain()


async def endless_chunks(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"C350\r\n" + b"x" * 50_000 + b"\r\n")
        await writer.drain()


ZEROS = bytes(100_000_000)


def zstd_zeros() -> bytes:
    """Frames of one block of 128 KiB that says "the same byte again", written by hand: no zstd
    needed to pack it.
    """
    block = (131_072 << 3 | 1 << 1 | 1).to_bytes(3, "little") + b"\0"
    return (b"\x28\xb5\x2f\xfd\xa0" + (131_072).to_bytes(4, "little") + block) * 800


@pytest.mark.parametrize(
    "reply",
    [
        endless,
        endless_chunks,
        OK + b"Content-Length: 99999999999\r\n\r\n",
        whole(gzip.compress(ZEROS, 1), b"Content-Encoding: gzip\r\n"),
        whole(brotli.compress(ZEROS, quality=1), b"Content-Encoding: br\r\n"),
        whole(zstd_zeros(), b"Content-Encoding: zstd\r\n"),
    ],
    ids=["endless", "endless chunks", "announced", "gzip", "br", "zstd"],
)
def test_what_is_too_large_stops_early(reply: Reply) -> None:
    tracemalloc.start()
    try:
        got, _ = visit(reply)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (got.failure, got.body) == (Failure.TOO_LARGE, b"")
    assert peak < 8_000_000


@pytest.mark.parametrize(
    "kind", [b"application/xml", b"Text/XML; charset=utf-8", b"application/rss+xml"]
)
def test_a_long_list_of_pages_is_cut_and_not_refused(kind: bytes) -> None:
    """An honest sitemap may have 50 MB."""
    body = b"<urlset>" + b"<url><loc>http://example.org/article</loc></url>" * 9_000
    got, _ = visit(whole(body, b"Content-Type: %b\r\n" % kind))
    assert (got.failure, got.body) == (None, body[: ROOMY.body_bytes])


@pytest.mark.parametrize("pack", [gzip.compress, brotli.compress], ids=["gzip", "br"])
def test_honest_compression(pack: Callable[[bytes], bytes]) -> None:
    name = b"gzip" if pack(b"")[:2] == b"\x1f\x8b" else b"br"
    assert (
        visit(whole(pack(b"hello " * 999), b"Content-Encoding: %b\r\n" % name))[0].body
        == b"hello " * 999
    )


def test_nobody_there() -> None:
    async def scene() -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))  # bound, but nobody listens
            port = taken.getsockname()[1]
            async with fetcher(f"127.0.0.1:{port}") as robot:
                assert (
                    await robot.fetch(asked(f"http://127.0.0.1:{port}/"))
                ).failure is Failure.CONNECTION
                assert (
                    await robot.fetch(asked("not a url"))
                ).failure is Failure.PROTOCOL

    run(scene())


def test_tls_spoken_to_a_plain_server() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host, limits=QUICK) as robot:
            got = await robot.fetch(asked(f"https://{here.host}/x"))
            assert got.failure in (Failure.CONNECTION, Failure.TIMEOUT)

    run(scene())


def test_cancelling_is_not_an_answer() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host) as robot:
            here.replies["/x"] = hang
            task = asyncio.create_task(robot.fetch(asked(here.url("/x"))))
            await asyncio.sleep(0.1)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    run(scene())


# Addresses


class Names(AbstractResolver):
    """Answers each question with the next list of addresses."""

    def __init__(self, *answers: list[str]) -> None:
        self.answers = list(answers)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        if not self.answers:
            raise OSError("no such name")
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET,
                proto=0,
                flags=flags,
            )
            for address in self.answers.pop(0)
        ]

    async def close(self) -> None:
        pass


@pytest.mark.parametrize(
    "name",
    [
        "127.0.0.1",
        "127.1",
        "0x7f000001",
        "2130706433",
        "017700000001",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "localhost",
        "0.0.0.0",
    ],
)
@pytest.mark.parametrize("kind", list(Kind))
def test_unlisted_loopback_is_never_contacted(name: str, kind: Kind) -> None:
    async def scene() -> None:
        async with site() as here, fetcher("other:80") as robot:
            here.replies["/x"] = whole(b"secret")
            got = await robot.fetch(asked(f"http://{name}:{here.port}/x", kind))
            assert (got.failure, got.body, here.connections) == (
                Failure.FORBIDDEN_ADDRESS,
                b"",
                0,
            )

    run(scene())


@pytest.mark.parametrize("name", ["127.0.0.1", "0x7f000001", "2130706433", "localhost"])
def test_listed_loopback_is(name: str) -> None:
    async def scene() -> None:
        async with (
            site() as here,
            fetcher(here.host, f"localhost:{here.port}") as robot,
        ):
            here.replies["/x"] = whole(b"mine")
            assert (
                await robot.fetch(asked(f"http://{name}:{here.port}/x"))
            ).body == b"mine"

    run(scene())


def test_another_port_of_a_listed_host_is_not_listed() -> None:
    async def scene() -> None:
        async with site() as here, site() as other, fetcher(here.host) as robot:
            assert (await robot.fetch(asked(here.url("/")))).status == 404
            assert (
                await robot.fetch(asked(other.url("/")))
            ).failure is Failure.FORBIDDEN_ADDRESS
            assert other.connections == 0

    run(scene())


def test_a_name_that_changes_its_mind() -> None:
    async def scene() -> None:
        names = Names(["93.184.216.34"], ["127.0.0.1"])
        async with site() as here, fetcher(resolver=names) as robot:
            assert await robot.locate(f"rebind.example:{here.port}") == "93.184.216.34"
            got = await robot.fetch(asked(f"http://rebind.example:{here.port}/x"))
            assert (got.failure, here.connections) == (Failure.FORBIDDEN_ADDRESS, 0)

    run(scene())


def test_one_good_address_is_enough() -> None:
    async def scene() -> None:
        async with site() as here:
            host = f"mixed.example:{here.port}"
            async with fetcher(
                host,
                resolver=Names(["224.0.0.1", "127.0.0.1"], ["224.0.0.1", "127.0.0.1"]),
            ) as robot:
                assert await robot.locate(host) == "127.0.0.1"
                assert (await robot.fetch(asked(f"http://{host}/x"))).status == 404

    run(scene())


def test_a_host_of_several_addresses_is_visited_where_it_is_paced() -> None:
    """In whatever order they are told: by this name, or by another that has the same ones."""
    one, two = "127.0.0.1", "127.0.0.2"

    async def scene() -> None:
        async with site() as first, site(address=two, port=first.port) as second:
            names = [f"{name}.example:{first.port}" for name in ("a", "b")]
            orders = [one, two], [two, one], [two, one], [one, two]
            async with fetcher(*names, resolver=Names(*orders)) as robot:
                assert [await robot.locate(name) for name in names] == [one, one]
                for name in names * 2:
                    got = await robot.fetch(asked(f"http://{name}/x"))
                    assert got.status == 404
            assert second.connections == 0

    run(scene())


def test_requests_at_the_same_time_keep_their_own_doors() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host) as robot:
            urls = [
                f"http://{name}:{here.port}/{n}"
                for n in range(20)
                for name in ("127.0.0.1", "localhost", "127.0.0.2")
            ]
            answers = await asyncio.gather(*(robot.fetch(asked(url)) for url in urls))
            assert [got.failure for got in answers] == [
                None,
                *[Failure.FORBIDDEN_ADDRESS] * 2,
            ] * 20

    run(scene())


def test_locate() -> None:
    async def scene() -> None:
        async with fetcher(
            "localhost:80", "127.0.0.1:80", "[::1]:80", "127.0.0.1:x", resolver=None
        ) as robot:
            assert await robot.locate("127.0.0.1:80") == "127.0.0.1"
            assert await robot.locate("[::1]:80") == "::1"
            assert await robot.locate("localhost:80") in ("127.0.0.1", "::1")
            assert await robot.locate("localhost:81") is None
            assert await robot.locate("8.8.8.8:80") == "8.8.8.8"
            assert await robot.locate("127.0.0.1:x") is None
        async with fetcher("lost.example:80", resolver=Names()) as robot:
            assert await robot.locate("lost.example:80") is None
            assert (
                await robot.fetch(asked("http://lost.example/"))
            ).failure is Failure.NO_SUCH_NAME

    run(scene())


# Keys to hosts, and proxies


ANN = Access(
    headers={"X-Key": "k3y"},
    cookies={"session": "v1s1t", "lang": "de"},
    user="ann",
    password="s3cret",
)


def test_a_key_is_sent_to_its_own_host_only() -> None:
    async def scene() -> None:
        async with (
            site() as here,
            site() as other,
            fetcher(here.host, other.host, access={here.origin: ANN}) as robot,
        ):
            for one in (here, other):
                await robot.fetch(asked(one.url("/x")))
            mine = here.heads[0]
            theirs = other.heads[0]
            assert (
                "X-Key: k3y\r\n" in mine
                and "Cookie: session=v1s1t; lang=de\r\n" in mine
            )
            assert "Authorization: Basic YW5uOnMzY3JldA==\r\n" in mine
            assert not any(
                word in theirs for word in ("X-Key", "Cookie", "Authorization")
            )

    run(scene())


def test_cookies_that_a_server_sets_are_not_kept() -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host) as robot:
            here.replies["/x"] = whole(b"", b"Set-Cookie: track=1\r\n")
            await robot.fetch(asked(here.url("/x")))
            await robot.fetch(asked(here.url("/x")))
            assert "Cookie" not in here.heads[1]

    run(scene())


def test_a_key_is_not_shown() -> None:
    keys = Credentials(
        {"https://a.example": ANN}, "http://ann:s3cret@proxy.example:3128"
    )
    for text in (repr(ANN), str(ANN), f"{ANN}", repr(keys), repr([ANN])):
        assert "s3cret" not in text and "k3y" not in text and "v1s1t" not in text
    assert keys.headers("https://a.example")
    assert not keys.headers("http://a.example:443")


@pytest.mark.parametrize(
    "values",
    [
        {"headers": {"X-Key": "two\r\nlines: s3cret"}},
        {"headers": {"User-Agent": "s3cret"}},
        {"headers": {"host": "s3cret"}},
        {"headers": {"X Key": "s3cret"}},
        {"cookies": {"session": "s3cret; other=1"}},
        {"cookies": {"session": "s3crét"}},
        {"user": "ann:s3cret"},
        {"proxy": "socks5://s3cret:1080"},
        {"proxy": "https://s3cret:1080"},
        {"proxy": "http://ann:s3cret@"},
        {"proxy": "s3cret"},
    ],
    ids=str,
)
def test_a_key_that_cannot_be_is_refused_without_telling_it(
    values: dict[str, Any],
) -> None:
    with pytest.raises(UserMistake) as mistake:
        Access(**values)
    assert "s3cret" not in str(mistake.value) and "\n" not in str(mistake.value)


class Proxy(Site):
    """A proxy that answers everything itself; CONNECT is refused."""

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self.replies = _Anything(whole(b"through the proxy"))
        await super().serve(reader, writer)


class _Anything(dict[str, Reply]):
    def __init__(self, reply: Reply) -> None:
        self._reply = reply

    def get(self, key: str, default: Any = None) -> Any:
        return (
            self._reply
            if key.startswith("http://")
            else whole(b"", status=b"403 Forbidden")
        )


def test_a_proxy_is_asked_instead_of_the_host() -> None:
    async def scene() -> None:
        async with site(Proxy()) as proxy, site() as here:
            way = f"http://ann:s3cret@{proxy.host}"
            async with fetcher(
                resolver=Names(), proxy=way, access={here.origin: ANN}
            ) as robot:
                assert await robot.locate("far.example:80") == "far.example"
                got = await robot.fetch(asked("http://far.example/x"))
                assert (got.status, got.body) == (200, b"through the proxy")
                assert proxy.heads[0].startswith(
                    "GET http://far.example/x HTTP/1.1\r\n"
                )
                assert (
                    "Proxy-Authorization: Basic YW5uOnMzY3JldA==\r\n" in proxy.heads[0]
                )
                assert (
                    "X-Key" not in proxy.heads[0]
                    and "\r\nAuthorization" not in proxy.heads[0]
                )
                assert here.connections == 0

    run(scene())


def test_a_host_may_have_a_proxy_of_its_own() -> None:
    async def scene() -> None:
        async with site(Proxy()) as proxy, site() as here:
            access = {"http://far.example": Access(proxy=f"http://{proxy.host}")}
            async with fetcher(here.host, access=access) as robot:
                assert (
                    await robot.fetch(asked("http://far.example/x"))
                ).body == b"through the proxy"
                assert (await robot.fetch(asked(here.url("/x")))).status == 404
                assert (len(proxy.heads), len(here.heads)) == (1, 1)

    run(scene())


@pytest.mark.parametrize(
    "name",
    [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "[::1]",
        "2130706433",
        "localhost",
        "a.localhost",
    ],
)
@pytest.mark.parametrize("kind", list(Kind))
def test_no_private_address_is_asked_for_through_a_proxy(name: str, kind: Kind) -> None:
    async def scene() -> None:
        async with (
            site(Proxy()) as proxy,
            fetcher(proxy=f"http://{proxy.host}") as robot,
        ):
            assert (
                await robot.fetch(asked(f"http://{name}:81/x", kind))
            ).failure is Failure.FORBIDDEN_ADDRESS
            assert await robot.locate(host_of(canonical(f"http://{name}:81/"))) is None
            assert proxy.connections == 0

    run(scene())


def test_a_listed_private_address_is() -> None:
    async def scene() -> None:
        async with (
            site(Proxy()) as proxy,
            fetcher("10.0.0.1:80", proxy=f"http://{proxy.host}") as robot,
        ):
            assert (
                await robot.fetch(asked("http://10.0.0.1/x"))
            ).body == b"through the proxy"

    run(scene())


def test_who_may_not_go_abroad_may_not_through_a_proxy_either() -> None:
    def at_home(host_name: str, address: str) -> str | None:  # as without a contact
        return None if address.startswith("127.") else "no contact is given"

    async def scene() -> None:
        async with site(Proxy()) as proxy:
            robot = HttpFetcher(
                "trapline/test",
                at_home,
                lambda: 1000.0,
                FetcherOptions(ROOMY, Credentials(proxy=f"http://{proxy.host}")),
            )
            assert (
                await robot.fetch(asked("http://127.0.0.9/x"))
            ).body == b"through the proxy"
            assert (
                await robot.fetch(asked("http://far.example/x"))
            ).failure is Failure.FORBIDDEN_ADDRESS
            assert await robot.locate("far.example:80") is None
            assert len(proxy.heads) == 1
            await robot.close()

    run(scene())


def test_the_proxy_itself_is_no_page() -> None:
    async def scene() -> None:
        async with site(Proxy()) as proxy:
            access = {"http://far.example": Access(proxy=f"http://{proxy.host}")}
            async with fetcher(access=access) as robot:
                assert (await robot.fetch(asked("http://far.example/x"))).status == 200
                assert (
                    await robot.fetch(asked(proxy.url("/admin")))
                ).failure is Failure.FORBIDDEN_ADDRESS
                assert len(proxy.heads) == 1

    run(scene())


def test_a_proxy_that_does_not_let_us_through() -> None:
    async def scene() -> None:
        async with site() as closed, site(Proxy()) as proxy:
            closed.replies["http://far.example/x"] = whole(
                b"", status=b"407 Who are you"
            )
            async with fetcher(proxy=f"http://{closed.host}") as robot:
                assert (
                    await robot.fetch(asked("http://far.example/x"))
                ).failure is Failure.PROXY
            async with fetcher(proxy=f"http://{proxy.host}") as robot:
                assert (
                    await robot.fetch(asked("https://far.example/x"))
                ).failure is Failure.PROXY
        # nobody is there any more
        async with fetcher(proxy=f"http://{closed.host}") as robot:
            assert (
                await robot.fetch(asked("http://far.example/x"))
            ).failure is Failure.PROXY

    run(scene())


# Headers as sent


@pytest.mark.parametrize("keep", [True, False])
def test_all_headers_are_kept_on_demand(keep: bool) -> None:
    async def scene() -> None:
        async with site() as here, fetcher(here.host, keep_headers=keep) as robot:
            here.replies["/x"] = whole(b"x", b"X-B: 1\r\nx-a: K\xf6ln\r\nX-B: 2\r\n")
            got = await robot.fetch(asked(here.url("/x")))
            sent = (
                ("X-B", "1"),
                ("x-a", "Köln"),
                ("X-B", "2"),
                ("Content-Length", "1"),
            )
            assert got.headers == (sent if keep else ())

    run(scene())


# Without a lease


def test_nothing_is_sent_and_who_has_not_answered_is_dropped_without_a_lease() -> None:
    """A shard that has lost its lease may be visited by others: neither new nor old requests."""
    may_send = True

    async def never(_: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async def scene() -> None:
        nonlocal may_send
        options = FetcherOptions(Limits(total_s=1e6), may_send=lambda: may_send)
        robot = HttpFetcher("trapline/test", lambda *_: None, time.time, options)
        async with site() as here, contextlib.aclosing(_Closing(robot)):
            here.replies |= {"/slow": never, "/x": whole(b"honest")}
            under_way = asyncio.create_task(robot.fetch(asked(here.url("/slow"))))
            while not here.heads:
                await asyncio.sleep(0.01)
            may_send = False
            robot.drop()
            dropped = await asyncio.wait_for(under_way, 60.0)
            assert dropped.failure is Failure.NO_LEASE
            refused = await robot.fetch(asked(here.url("/x")))
            assert refused.failure is Failure.NO_LEASE
            assert len(here.heads) == 1
            may_send = True
            robot.drop()  # nobody is under way
            assert (await robot.fetch(asked(here.url("/x")))).body == b"honest"
            may_send = False  # nor over the connection that is kept
            refused = await robot.fetch(asked(here.url("/x")))
            assert refused.failure is Failure.NO_LEASE
            assert len(here.heads) == 2

    run(scene())


class _Closing:
    def __init__(self, robot: HttpFetcher) -> None:
        self.aclose = robot.close
