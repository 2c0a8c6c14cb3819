"""Ways to break a connection, a message, its headers or its packing."""

from __future__ import annotations

import functools
import gzip
import zlib
from collections.abc import Awaitable, Callable

import brotli  # type: ignore[import-untyped]

from tests.e2e.hostile.case import Case
from tests.e2e.hostile.hostile_server import GOOD, Reply, Wire, whole

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
ZEROS = bytes(1 << 20)


def then(
    *pieces: bytes, pause_s: float = 0.02, end: str = "close"
) -> Callable[[Wire], Awaitable[None]]:
    """Send pieces one by one, then close, reset or hang."""

    async def reply(wire: Wire) -> None:
        await wire.send(*pieces, pause_s=pause_s)
        if end == "hang":
            await wire.hang()
        elif end == "reset":
            wire.reset()

    return reply


def forever(
    start: bytes, piece: bytes, pause_s: float = 0.0
) -> Callable[[Wire], Awaitable[None]]:
    async def reply(wire: Wire) -> None:
        await wire.send(start)
        await wire.repeat(piece, pause_s)

    return reply


def lazily(make: Callable[[], bytes]) -> Callable[[Wire], Awaitable[None]]:
    """Large documents are made when they are asked for."""

    async def reply(wire: Wire) -> None:
        await wire.send(
            whole(make(), b"Content-Type: text/html\r\nConnection: close\r\n")
        )

    return reply


def packed(name: str, body: bytes) -> bytes:
    return whole(
        body, b"Content-Type: text/html\r\nContent-Encoding: %b\r\n" % name.encode()
    )


@functools.cache
def deflate_bomb(head: bytes) -> bytes:
    """1 GiB of zeros: one mebibyte packed so that it can be said again and again."""
    packer = zlib.compressobj(9, wbits=-15)
    piece = packer.compress(ZEROS) + packer.flush(zlib.Z_FULL_FLUSH)
    return head + piece * 1024


@functools.cache
def brotli_bomb() -> bytes:
    packer = brotli.Compressor(quality=1)
    return b"".join(packer.process(ZEROS) for _ in range(1024)) + bytes(packer.finish())


@functools.cache
def zstd_bomb() -> bytes:
    """1 GiB in one frame of blocks that say "the same byte again"; no length is announced."""
    block = (131_072 << 3 | 1 << 1).to_bytes(3, "little") + b"\0"
    return b"\x28\xb5\x2f\xfd\x00\x58" + block * 8192


GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
TIMEOUT = ("FAILED", "timeout")
LOST = ("FAILED", "connection")
NONSENSE = ("FAILED", "protocol")
HEADERS = ("FAILED", "headers too large")
HEADERS_OR_PROTOCOL = ("FAILED", "[hp]*")  # as its bytes happen to be cut into pieces
ENCODING = ("FAILED", "bad encoding")
LARGE = ("SKIPPED", "too large")
READ = ("OK", "*")  # whatever its reader remarks


def _connection() -> list[Case]:
    slow: dict[str, Reply] = {
        "hang before the answer": then(end="hang"),
        "hang in the status line": then(b"HTTP/1.1 20", end="hang"),
        "hang in the headers": then(OK, end="hang"),
        "hang after the headers": then(OK + b"Content-Length: 9\r\n\r\n", end="hang"),
        "hang in the body": then(OK + b"Content-Length: 99\r\n\r\nhalf", end="hang"),
        "hang between chunks": then(CHUNKED + b"4\r\nhalf\r\n", end="hang"),
        "drip of the status line": then(
            *(bytes((byte,)) for byte in b"HTTP/1.1 200 OK" * 9), pause_s=0.1
        ),
        "drip of headers": then(
            OK, *(b"X-%d: y\r\n" % n for n in range(90)), pause_s=0.1
        ),
        "drip of the body": forever(OK + b"Content-Length: 9999\r\n\r\n", b"x", 0.1),
        "drip of chunks": forever(CHUNKED, b"1\r\nx\r\n", 0.1),
        "endless 100 Continue": forever(
            b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 9, 0.002
        ),
        "endless 103 Early Hints": forever(
            b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 0.01
        ),
    }
    lost: dict[str, Reply] = {
        "close before the answer": then(),
        "reset before the answer": then(end="reset"),
        "close in the headers": then(OK),
        "reset in the headers": then(OK, end="reset"),
        "reset after the headers": then(OK + b"Content-Length: 9\r\n\r\n", end="reset"),
        "reset in the body": then(OK + b"Content-Length: 99\r\n\r\nhalf", end="reset"),
        "close in the body": then(OK + b"Content-Length: 99\r\n\r\nhalf"),
    }
    return [Case(name, reply, TIMEOUT) for name, reply in slow.items()] + [
        Case(name, reply, LOST) for name, reply in lost.items()
    ]


def _framing() -> list[Case]:
    page = b"<p>some words"
    nonsense: dict[str, Reply] = {
        "Content-Length: negative": OK + b"Content-Length: -1\r\n\r\n",
        "Content-Length: garbage": OK + b"Content-Length: many\r\n\r\n",
        "Content-Length: with a plus": OK + b"Content-Length: +13\r\n\r\n" + page,
        "Content-Length: twice, different": OK
        + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "Content-Length: a list": OK + b"Content-Length: 13, 13\r\n\r\n" + page,
        "Content-Length: beyond 64 bits": OK
        + b"Content-Length: "
        + b"9" * 40
        + b"\r\n\r\n",
        "chunk size: garbage": CHUNKED + b"zz\r\nhello\r\n0\r\n\r\n",
        "chunk size: negative": CHUNKED + b"-5\r\nhello\r\n0\r\n\r\n",
        "chunk size: beyond 64 bits": CHUNKED + b"f" * 40 + b"\r\nhello\r\n0\r\n\r\n",
        "chunk shorter than announced": CHUNKED + b"3\r\nhello\r\n0\r\n\r\n",
    }
    return [
        *(Case(name, reply, NONSENSE) for name, reply in nonsense.items()),
        Case(
            "Content-Length: too short",
            OK + b"Content-Length: 13\r\n\r\n<p>some words and more of them",
            None,
        ),
        Case(
            "Content-Length: huge", OK + b"Content-Length: 99999999999\r\n\r\n", LARGE
        ),
        Case(
            "Content-Length and chunks",
            CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Length: 3\r\n\r\n")
            + b"0\r\n\r\n",
            None,
        ),
        Case(
            "unknown Transfer-Encoding",
            OK + b"Transfer-Encoding: rot13\r\n\r\n" + page,
            TIMEOUT,
        ),
        Case("chunks that break off", then(CHUNKED + b"4\r\nhalf\r\n"), None),
        Case("endless body", forever(OK + b"\r\n", b"x" * 50_000), LARGE),
        Case(
            "endless chunks",
            forever(CHUNKED, b"C350\r\n" + b"x" * 50_000 + b"\r\n"),
            LARGE,
        ),
        Case(
            "endless chunks of one byte", forever(CHUNKED, b"1\r\nx\r\n" * 5_000), None
        ),
        Case(
            "endless chunk extension", forever(CHUNKED + b"5;a=", b"x" * 50_000), None
        ),
        Case(
            "endless trailers",
            forever(CHUNKED + b"0\r\n", b"X: y\r\n" * 5_000),
            HEADERS_OR_PROTOCOL,
        ),
        Case("no length, closed at the end", then(OK + b"\r\n" + page), READ),
    ]


def _packing() -> list[Case]:
    page = b"<title>Packed</title><p>" + b"some words " * 999
    # else the bytes depend on the time, and some happen to be brotli
    zipped = gzip.compress(page, mtime=0)
    garbage = {
        "says gzip, is not": packed("gzip", page),
        "says br, is gzip": packed("br", zipped),
        "says zstd, is gzip": packed("zstd", zipped),
        "says deflate, is not": packed("deflate", page),
        "packed in an unknown way": packed("rot13", page),
        "packed twice": packed("gzip, gzip", gzip.compress(zipped)),
        "packed ten times": packed(", ".join(["gzip"] * 10), zipped),
    }
    return [
        *(Case(name, reply, ENCODING) for name, reply in garbage.items()),
        Case("gzip bomb", packed("gzip", deflate_bomb(GZIP_HEAD)), LARGE),
        Case("deflate bomb", packed("deflate", deflate_bomb(b"\x78\x9c")), LARGE),
        Case("brotli bomb", packed("br", brotli_bomb()), LARGE),
        Case("zstd bomb", packed("zstd", zstd_bomb()), LARGE),
        Case(
            "zstd window of a gigabyte",
            packed("zstd", b"\x28\xb5\x2f\xfd\x00\xa0" + zstd_bomb()[6:]),
            ENCODING,
        ),
        Case(
            "gzip members without end",
            packed("gzip", gzip.compress(ZEROS, 9) * 1024),
            LARGE,
        ),
        Case("gzip cut short", packed("gzip", zipped[: len(zipped) // 2]), READ),
        Case(
            "gzip with garbage behind it",
            packed("gzip", zipped + b"garbage" * 99),
            ENCODING,
        ),
        Case(
            "gzip with a wrong checksum",
            packed("gzip", zipped[:-8] + b"\0" * 8),
            ENCODING,
        ),
        Case("gzip of nothing", packed("gzip", b""), READ),
        Case(
            "two Content-Encodings",
            whole(
                zipped, OK[17:] + b"Content-Encoding: gzip\r\nContent-Encoding: br\r\n"
            ),
            ENCODING,
        ),
    ]


def _headers() -> list[Case]:
    return [
        Case(
            "one header of 1 MB", OK + b"X: " + b"y" * 1_000_000 + b"\r\n\r\n", HEADERS
        ),
        Case(
            "10,000 headers",
            OK + b"".join(b"X-%d: y\r\n" % n for n in range(10_000)) + b"\r\n",
            HEADERS,
        ),
        Case("endless header", forever(OK + b"X: ", b"y" * 50_000), HEADERS),
        Case("endless headers", forever(OK, b"X: y\r\n" * 5_000), HEADERS),
        Case("endless header name", forever(OK, b"y" * 50_000), HEADERS),
        Case("endless reason", forever(b"HTTP/1.1 200 ", b"y" * 50_000), HEADERS),
        Case(
            "ETag of 1 MB",
            whole(GOOD, b'ETag: "' + b"x" * 1_000_000 + b'"\r\n'),
            HEADERS,
        ),
        Case(
            "flood of cookies",
            OK
            + b"".join(
                b"Set-Cookie: c%d=%b\r\n" % (n, b"x" * 400) for n in range(5_000)
            )
            + b"\r\n",
            HEADERS,
        ),
        Case(
            "90 cookies of 4 KB",
            whole(
                GOOD,
                b"Content-Type: text/html\r\n"
                + b"".join(
                    b"Set-Cookie: c%d=%b\r\n" % (n, b"x" * 4_000) for n in range(90)
                ),
            ),
            READ,
        ),
        Case(
            "a header without a colon",
            OK + b"no colon\r\nContent-Length: 0\r\n\r\n",
            NONSENSE,
        ),
        Case(
            "a header without a name",
            OK + b": nobody\r\nContent-Length: 0\r\n\r\n",
            NONSENSE,
        ),
        Case(
            "NUL in a header",
            whole(GOOD, b"Content-Type: text/html\r\nX-Bad: a\0b\r\n"),
            NONSENSE,
        ),
        Case(
            "NUL in an ETag",
            whole(GOOD, b'Content-Type: text/html\r\nETag: "a\0b"\r\n'),
            NONSENSE,
        ),
        Case(
            "ETag in Latin-1",
            whole(GOOD, b'Content-Type: text/html\r\nETag: "\xe9"\r\n'),
            READ,
        ),
        Case(
            "a folded header",
            whole(GOOD, b"Content-Type: text/html\r\nX-Bad: a\r\n b\r\n"),
            READ,
        ),
        Case("bare line feeds", whole(GOOD).replace(b"\r\n", b"\n"), READ),
        Case(
            "a space before the colon",
            whole(GOOD, b"Content-Type : text/html\r\n"),
            NONSENSE,
        ),
        Case(
            "Content-Type of 8 KB",
            whole(GOOD, b"Content-Type: text/html; " + b"x" * 8_000 + b"\r\n"),
            READ,
        ),
        Case(
            "Content-Type twice",
            whole(GOOD, b"Content-Type: text/html\r\nContent-Type: image/png\r\n"),
            READ,
        ),
    ]


def _status() -> list[Case]:
    def line(status: bytes) -> bytes:
        return (
            status
            + b"\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n%b"
            % (len(GOOD), GOOD)
        )

    nonsense: dict[str, Reply] = {
        "HTTP/0.9": then(GOOD),
        "no status line but bytes": b"\x00\x01\x02\xff\r\n\r\n",
        "status in words": line(b"HTTP/1.1 fine OK"),
        "status 99": line(b"HTTP/1.1 99 Low"),
        "status 1000": line(b"HTTP/1.1 1000 High"),
        "status -200": line(b"HTTP/1.1 -200 Negative"),
        "HTTP of another age": line(b"HTTP/9.9 200 OK"),
        "no version": line(b"HTTP 200 OK"),
        "SSH greets": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
        "SMTP greets": b"220 mail.example ESMTP\r\n\r\n",
    }
    skipped = (
        201,
        202,
        203,
        205,
        206,
        300,
        305,
        306,
        400,
        401,
        402,
        403,
        406,
        407,
        418,
        451,
    )
    garbage = {
        "garbage": b"\xff\xfesoon",
        "negative": b"-99",
        "long ago": b"Thu, 01 Jan 1970 00:00:00 GMT",
    }
    year_9999 = whole(
        b"", b"Retry-After: Fri, 31 Dec 9999 23:59:59 GMT\r\n", b"503 Busy"
    )
    return [
        *(Case(name, reply, NONSENSE) for name, reply in nonsense.items()),
        *(
            Case(
                f"status {code}",
                line(b"HTTP/1.1 %d Hm" % code),
                ("SKIPPED", f"status {code}"),
            )
            for code in skipped
        ),
        *(
            Case(
                f"status {code}",
                line(b"HTTP/1.1 %d Gone" % code),
                ("GONE", f"status {code}"),
            )
            for code in (404, 410)
        ),
        *(
            Case(
                f"status {code}",
                line(b"HTTP/1.1 %d Later" % code),
                ("FAILED", f"status {code}"),
            )
            for code in (408, 425, 429, 500, 502, 599, 999)
        ),
        *(
            Case(
                f"Retry-After: {name}",
                whole(b"", b"Retry-After: %b\r\n" % text, b"503 Busy"),
                ("FAILED", "status 503"),
            )
            for name, text in garbage.items()
        ),
        Case(
            "Retry-After: the year 9999",
            year_9999,
            ("FAILED", "status 503"),
            good=False,
        ),
        Case("status 000", line(b"HTTP/1.1 000 Nothing"), ("SKIPPED", "status 0")),
        Case("ICY", line(b"ICY 200 OK"), NONSENSE),
        Case("status 204", b"HTTP/1.1 204 Empty\r\n\r\n", ("SKIPPED", "status 204")),
        Case("204 with a body", line(b"HTTP/1.1 204 Empty"), None),
        Case("304 with a body", line(b"HTTP/1.1 304 Not Modified"), None),
        Case(
            "304 unasked",
            b"HTTP/1.1 304 Not Modified\r\n\r\n",
            ("FAILED", "status 304 for a page that is not held"),
        ),
        Case(
            "101 unasked",
            line(b"HTTP/1.1 101 Switching Protocols"),
            ("SKIPPED", "status 101"),
        ),
        Case(
            "404 with an endless body",
            forever(b"HTTP/1.1 404 Gone\r\n\r\n", b"x" * 50_000),
            ("GONE", "status 404"),
        ),
        Case("200 without a word", whole(b""), READ),
        Case("200 without a reason", line(b"HTTP/1.1 200"), READ),
        Case("empty lines before the answer", b"\r\n\r\n" + whole(GOOD), READ),
        Case(
            "a second answer that nobody asked for",
            whole(GOOD) + whole(b"<title>Evil</title>smuggled"),
            None,
        ),
        Case("a late answer that nobody asked for", _late, READ, gap_s=1.0),
        Case("closed after each answer", then(whole(GOOD)), READ),
    ]


async def _late(wire: Wire) -> None:
    await wire.send(whole(GOOD), pause_s=0.05)
    await wire.send(whole(b"<title>Evil</title>smuggled"))
    await wire.hang()


def wire_cases() -> list[Case]:
    return [*_connection(), *_framing(), *_packing(), *_headers(), *_status()]
