"""What stands before every page: it is asked for under its own name, by its own pages, and told how
to be shown.

A page on loopback is not out of reach: a web site can have its own name resolved to 127.0.0.1, and
a visitor's browser would let it read everything here as its own. So only names that are this
machine's, or that the user has listed, are answered to. And any site can make a browser ask
something here, or send something: so all but links that are followed must come from our own pages.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trapline.app.web.error_pages import error_response
from trapline.app.web.request_origin import follows_a_link, is_foreign
from trapline.core.errors import UserMistake

LONGEST_BODY: Final = 16_384  # bytes: orders are short
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_READING: Final = ("GET", "HEAD")
_NAME: Final = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_PORT: Final = re.compile(r":\d{1,5}")
_FOREIGN: Final = "This was sent by a page of another site."
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class _Refusal(NamedTuple):
    status: int
    problem: str
    headers: dict[str, str]


class HostGuard:
    """An ASGI application around another one."""

    def __init__(
        self, app: ASGIApp, names: tuple[str, ...] = (), orders: str = "/api/"
    ) -> None:
        """`names` that are answered to besides those of this machine; below `orders` something
        may be sent.
        """
        self._app = app
        self._orders = orders
        self._names = frozenset((*_LOOPBACK, *map(read_name, names)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # nothing here speaks WebSocket
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refusal = self._refusal(scope)
        if refusal is None:
            await self._app(scope, receive, send_with_headers)
            return
        response = error_response(Request(scope), *refusal)
        await response(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> _Refusal | None:
        headers = Headers(scope=scope)
        if not self._is_own(headers.getlist("host")):
            problem = (
                "This page answers only to the names of its own machine "
                "(127.0.0.1, localhost) and to those listed with --host."
            )
            return _Refusal(421, problem, {})
        if scope["method"] in _READING:
            hidden = is_foreign(headers) and not follows_a_link(headers)
            return _Refusal(403, _FOREIGN, {}) if hidden else None
        if not scope["path"].startswith(self._orders):
            problem = "Nothing can be changed here: pages can only be read."
            return _Refusal(405, problem, {"Allow": ", ".join(_READING)})
        return _refuse_sent(headers)

    def _is_own(self, hosts: list[str]) -> bool:
        if len(hosts) != 1:
            return False
        host = hosts[0].strip().lower()
        name = _NAME.match(host)
        if name is None or name[0] not in self._names:
            return False
        port = host[name.end() :]
        return not port or _PORT.fullmatch(port) is not None


def _refuse_sent(headers: Headers) -> _Refusal | None:
    """Why something that was sent is not even read; None = it is."""
    origin = headers.get("origin")
    here = headers["host"].strip().lower()
    if origin is not None and origin.lower().partition("://")[2] != here:
        return _Refusal(403, _FOREIGN, {})
    if is_foreign(headers):
        return _Refusal(403, _FOREIGN, {})
    if "transfer-encoding" in headers:
        return _Refusal(411, "Say how long the body is (Content-Length).", {})
    length = headers.get("content-length", "0")
    if (
        len(length) > 9 or int(length) > LONGEST_BODY
    ):  # the server has seen to its digits
        problem = f"The body is longer than {LONGEST_BODY} bytes."
        return _Refusal(413, problem, {"Connection": "close"})
    return None


def read_name(text: str) -> str:
    """A host's name without a port, as it was listed.

    >>> read_name("Search.Lab.org")
    'search.lab.org'
    """
    name = text.strip().lower()
    if not _NAME.fullmatch(name):
        raise UserMistake(
            f"cannot answer to {text[:200]!r}: write a host's name like search.lab.org"
        )
    return name
