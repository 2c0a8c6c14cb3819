"""A server on loopback, in a thread of its own: what the pages and the tools have in common."""

from __future__ import annotations

import socket
import threading
from typing import Final, Literal, Self

import uvicorn
from starlette.types import ASGIApp

from trapline.app.web.request_deadline import DeadlineProtocol

LOOPBACK: Final = "127.0.0.1"
_LAST_WAIT_S: Final = 3  # for answers under way


class LoopbackServer(uvicorn.Server):
    """Serves on a socket that is open already; signals stay with the command."""

    def __init__(
        self,
        app: ASGIApp,
        listener: socket.socket,
        *,
        name: str,
        path: str = "/",
        lifespan: Literal["on", "off"] = "off",
    ) -> None:
        """`path` is where to begin; with `lifespan` the application hears of start and end."""
        super().__init__(
            uvicorn.Config(
                app,
                http=DeadlineProtocol,
                log_level="warning",
                access_log=False,
                lifespan=lifespan,
                ws="none",
                timeout_graceful_shutdown=_LAST_WAIT_S,
            )
        )
        self._listener = listener
        self._path = path
        self._thread = threading.Thread(
            target=self.run, args=([listener],), daemon=True, name=name
        )

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._listener.getsockname()[1]}{self._path}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.should_exit = True
        self._thread.join(timeout=_LAST_WAIT_S + 2.0)
        self._listener.close()
