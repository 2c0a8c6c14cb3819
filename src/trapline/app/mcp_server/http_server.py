"""The tools over HTTP on loopback, behind the same guard as the pages.

Whoever gave a token at the start must say it with every request: other programs of this machine can
reach loopback, too.
"""

from __future__ import annotations

import socket
from typing import Final

from mcp.server import MCPServer
from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from trapline.app.web.host_guard import HostGuard
from trapline.app.web.loopback_server import LoopbackServer
from trapline.app.web.token_file import is_token

PATH: Final = "/mcp"


class _TokenGuard:
    """Answers only to those who say the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind, _, said = Headers(scope=scope).get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and is_token(self._token, said.strip()):
            await self._app(scope, receive, send)
            return
        problem = {"error": "say the token: Authorization: Bearer …"}
        refusal = JSONResponse(problem, 401, {"WWW-Authenticate": "Bearer"})
        await refusal(scope, receive, send)


class _GuardedTools:
    """The server's start and end pass to the tools, requests pass the guards first."""

    def __init__(self, server: MCPServer, token: str | None) -> None:
        self._tools = server.streamable_http_app(
            streamable_http_path=PATH, json_response=True, stateless_http=True
        )
        guarded = self._tools if token is None else _TokenGuard(self._tools, token)
        self._guard = HostGuard(guarded, orders=PATH)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._tools if scope["type"] == "lifespan" else self._guard
        await app(scope, receive, send)


class McpHttpServer(LoopbackServer):
    def __init__(
        self, server: MCPServer, token: str | None, listener: socket.socket
    ) -> None:
        app = _GuardedTools(server, token)
        super().__init__(app, listener, name="MCP", path=PATH, lifespan="on")
