"""Redirects that lead nowhere, in circles, or into somebody's house; TLS that is none; robots.txt
that bites.
"""

from __future__ import annotations

import gzip

from tests.e2e.hostile.case import Case
from tests.e2e.hostile.hostile_server import GOOD, Wire, whole
from tests.e2e.hostile.wire_cases import (
    GZIP_HEAD,
    HEADERS,
    LOST,
    NONSENSE,
    READ,
    TIMEOUT,
    deflate_bomb,
    forever,
    packed,
    then,
)

# What a resolver answers to one question after the other; the last answer stays. All but the first
# lead home.
NAMES = {
    "loopback.example": [["127.0.0.1"]],
    "six.example": [["::1"]],
    "mapped.example": [["::ffff:127.0.0.1"]],
    "private.example": [["10.0.0.1"]],
    "metadata.example": [["169.254.169.254"]],
    "nowhere.example": [["0.0.0.0"]],
    "mixed.example": [["10.0.0.1", "127.0.0.1", "::1"]],
    "rebind.example": [["93.184.216.34"], ["127.0.0.1"]],
    "rebind-six.example": [["2606:2800:220:1::1"], ["::1"]],
}
MOVED = ("MOVED", "moved* to http://*")
UNREAD = ("FAILED", "status 302 to *, which was not read")
NOWHERE = ("MOVED", "moved to what is not a URL")
SKY = b"HTTP/1.1 302 Found\r\nLocation: "


def moved(location: bytes, status: bytes = b"302 Found") -> bytes:
    return whole(b"", b"Location: " + location + b"\r\n", status)


def redirect_cases() -> list[Case]:
    nowhere = {
        "javascript": b"javascript:alert(1)",
        "data": b"data:text/html,<p>hello",
        "file": b"file:///etc/passwd",
        "ftp": b"ftp://127.0.0.1/",
        "a port beyond all": b"http://127.0.0.1:99999/",
        "a port of other services": b"http://127.0.0.1:25/",
        "a broken address": b"http://[::1/",
        "a host with a space": b"http://exa mple.org/",
        "no host": b"http://",
        "too long to be one": b"/" + b"x" * 7_000,
    }
    return [
        *(
            Case(f"Location: {name}", moved(location), NOWHERE)
            for name, location in nowhere.items()
        ),
        Case("Location: itself", moved(b"/bad"), ("MOVED", "moved to itself")),
        Case(
            "Location: itself with a fragment",
            moved(b"/bad#again"),
            ("MOVED", "moved to itself"),
        ),
        Case("Location: empty", moved(b""), ("MOVED", "moved to itself")),
        Case(
            "Location: missing",
            whole(b"", b"", b"301 Moved"),
            ("MOVED", "moved to itself"),
        ),
        Case("Location: 100 KB", moved(b"/" + b"x" * 100_000), HEADERS),
        Case(
            "Location: two lines",
            moved(b"/next\r\nX-Split: yes\r\n\r\n<p>injected"),
            MOVED,
        ),
        Case("Location: NUL", moved(b"/ne\0xt"), NONSENSE),
        Case("Location: Latin-1", moved(b"/caf\xe9"), MOVED),
        Case("a circle of two", moved(b"/two"), MOVED, {"/two": moved(b"/bad")}),
        Case(
            "a circle of three",
            moved(b"/two"),
            MOVED,
            {"/two": moved(b"/three"), "/three": moved(b"/bad")},
        ),
        Case(
            "a chain of fifty",
            moved(b"/0"),
            MOVED,
            {f"/{n}": moved(b"/%d" % (n + 1)) for n in range(50)},
        ),
        Case(
            "a redirect with an endless body",
            forever(SKY + b"/good\r\n\r\n", b"x" * 50_000),
            MOVED,
        ),
    ]


def house_cases(port: int) -> list[Case]:
    """Redirects into the house, where the canary listens on this port in all loopback addresses."""
    names = [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0x7f.0.0.0x1",
        "017700000001",
        "127.0.0.1.",
        "%31%32%37.0.0.1",
        "１２７.0.0.1",
        "127。0。0。1",
        "user:password@127.0.0.1",
        "localhost",
        "LOCALHOST.",
        "0.0.0.0",
        "0",
        "[::1]",
        "[::]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "169.254.169.254",
        "0xa9fea9fe",
        "224.0.0.1",
        "255.255.255.255",
        *NAMES,
    ]
    links = "".join(
        f"<a href='http://{name}:{port}/linked'>house</a>" for name in names
    )
    refresh = (
        f"<meta http-equiv=refresh content='0; url=http://127.0.0.1:{port}/'><base "
        f"href='http://127.0.0.1:{port}/'>"
    )
    return [
        *(
            Case(
                f"into the house: {name}",
                moved(f"http://{name}:{port}/".encode()),
                MOVED,
            )
            for name in names
        ),
        Case("links into the house", whole(links.encode()), READ),
        Case(
            "refresh and base into the house",
            whole(refresh.encode() + b"<p>hello <a href=x>x</a>"),
            READ,
        ),
        Case(
            "pictures and frames in the house",
            whole(
                f"<img src=http://127.0.0.1:{port}/><iframe "
                f"src=http://127.0.0.1:{port}/></iframe><p>x".encode()
            ),
            READ,
        ),
    ]


def tls_cases() -> list[Case]:
    refused = ("FAILED", "TLS")

    def https(
        name: str,
        bad: bytes = b"",
        tls: str = "",
        robots: tuple[str, str] = refused,
        **more: object,
    ) -> Case:
        return Case(
            name,
            bad,
            tls=tls,
            scheme="https",
            good=False,
            robots=robots,
            **more,  # type: ignore[arg-type]
        )

    return [
        Case("TLS in good order", whole(GOOD), READ, tls="good", scheme="https"),
        https("TLS: signed by itself", tls="self-signed"),
        https("TLS: of another host", tls="other-host"),
        https("TLS: expired", tls="expired"),
        https(
            "TLS: a plain server", greeting=then(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        ),
        https("TLS: a plain server that waits", robots=TIMEOUT),
        https(
            "TLS: garbage instead of a handshake",
            greeting=then(b"\x16\x03\x01\xff\xff" + b"garbage" * 99),
        ),
        https("TLS: an alert", greeting=then(b"\x15\x03\x03\x00\x02\x02\x28")),
        https("TLS: hang in the handshake", greeting=_hang, robots=TIMEOUT),
        https("TLS: reset in the handshake", greeting=then(end="reset"), robots=LOST),
        https("TLS: closed in the handshake", greeting=then(), robots=LOST),
        https(
            "TLS: drip of the handshake",
            greeting=forever(b"\x16\x03\x03\x40\x00", b"\x02", 0.1),
            robots=TIMEOUT,
        ),
        Case(
            "TLS where plain HTTP was asked for",
            tls="good",
            scheme="http",
            good=False,
            robots=("FAILED", "*"),
        ),
    ]


async def _hang(wire: Wire) -> None:
    await wire.hang()


def robots_cases(port: int) -> list[Case]:
    """robots.txt that misbehaves: the host's pages are visited only where it can be read, or does
    not exist.
    """
    # the link that stars upon stars would match slowly
    page = whole(GOOD + b"<a href=/" + b"a" * 1_900 + b">a</a>")
    rule = b"User-agent: *\nDisallow: /private\n"
    closed: list[tuple[str, object, tuple[str, str]]] = [
        ("status 500", whole(b"", status=b"500 Oh"), ("FAILED", "status 500")),
        ("status 429", whole(b"", status=b"429 Often"), ("FAILED", "status 429")),
        (
            "status 304 unasked",
            whole(b"", status=b"304 Same"),
            ("FAILED", "status 304"),
        ),
        ("status 999", whole(b"", status=b"999 Denied"), ("FAILED", "status 999")),
        ("hang", then(end="hang"), TIMEOUT),
        ("drip", forever(b"HTTP/1.1 200 OK\r\n\r\n", b"#", 0.1), TIMEOUT),
        ("reset", then(end="reset"), LOST),
        ("HTTP/0.9", then(rule), NONSENSE),
        ("circle", moved(b"/robots.txt"), UNREAD),
        ("to nowhere", moved(b"javascript:1"), UNREAD),
        (
            "into the house",
            moved(b"http://127.0.0.1:%d/robots.txt" % port),
            UNREAD,
        ),
        (
            "to metadata",
            moved(b"http://169.254.169.254/latest"),
            UNREAD,
        ),
        (
            "to a name in the house",
            moved(b"http://loopback.example:%d/" % port),
            UNREAD,
        ),
        ("to no such name", moved(b"http://lost.example/"), UNREAD),
        (
            "everything is closed",
            whole(b"User-agent: *\nDisallow: /"),
            ("OK", "status 200"),
        ),
    ]
    text = b"Content-Type: text/plain\r\n"
    long = b"# " + b"x" * 98 + b"\n"
    stars = b"User-agent: *\nDisallow: /" + b"*a" * 200 + b"b\nAllow: /\n"
    read = ("OK", "status 200")
    opened: list[tuple[str, object, tuple[str, str]]] = [
        (
            "100 MB",
            then(
                b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n" + rule,
                *[long * 10_000] * 100,
                pause_s=0.0,
            ),
            read,
        ),
        ("endless", forever(b"HTTP/1.1 200 OK\r\n\r\n" + rule, long * 1000), read),
        ("one endless line", forever(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 50_000), read),
        ("gzip bomb", packed("gzip", deflate_bomb(GZIP_HEAD)), read),
        ("zeros", whole(bytes(400_000), text), read),
        ("binary", whole(bytes(range(256)) * 400, text), read),
        ("HTML", whole(b"<!doctype html><p>not found</p>" * 99), read),
        ("UTF-16", whole(("\ufeff" + rule.decode()).encode("utf-16-le"), text), read),
        (
            "30,000 rules",
            whole(
                b"User-agent: *\n"
                + b"".join(b"Disallow: /%d\n" % n for n in range(30_000)),
                text,
            ),
            read,
        ),
        ("stars upon stars", whole(stars, text), read),
        (
            "a delay beyond all",
            whole(b"User-agent: *\nCrawl-delay: 1e999\nCrawl-delay: nan", text),
            read,
        ),
        ("status 204", whole(b"", status=b"204 Empty"), ("OK", "status 204")),
        ("status 403", whole(b"", status=b"403 No"), ("OK", "status 403")),
        ("packed in gzip", packed("gzip", gzip.compress(rule)), read),
    ]
    return [
        Case(
            f"robots.txt: {name}",
            page,
            None,
            {"/robots.txt": reply},  # type: ignore[dict-item]
            good=good,
            robots=comes_to,
        )
        for cases, good in ((closed, False), (opened, True))
        for name, reply, comes_to in cases
    ]
