"""Serving one engine's folder: read-only, so it may run beside the robot that fills it.

Binds to loopback.
"""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Self

import uvicorn

from trapline.app.web.endpoints import make_app
from trapline.app.web.host_guard import HostGuard
from trapline.app.web.request_deadline import DeadlineProtocol
from trapline.app.web.served_folder import open_to_serve
from trapline.core.errors import PortTaken

LOOPBACK = "127.0.0.1"
_LAST_WAIT_S = 3  # for answers under way


def bind(port: int) -> socket.socket:
    """A listening socket on loopback, so that a taken port is known first of all."""
    # Named, or asyncio leaves Nagle's algorithm on: 40 ms for every answer but the first
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((LOOPBACK, port))
        listener.listen(256)
    except OSError:
        listener.close()
        raise PortTaken(LOOPBACK, port) from None
    return listener


class WebServer(uvicorn.Server):
    """Serves one folder on a socket that is open already; signals stay with the command."""

    def __init__(
        self, folder: Path, listener: socket.socket, names: tuple[str, ...] = ()
    ) -> None:
        """`names` under which it may be asked for besides those of this machine."""
        self.served = open_to_serve(folder)
        app = HostGuard(make_app(self.served), names)
        super().__init__(
            uvicorn.Config(
                app,
                http=DeadlineProtocol,
                log_level="warning",
                access_log=False,
                lifespan="off",
                ws="none",
                timeout_graceful_shutdown=_LAST_WAIT_S,
            )
        )
        self._listener = listener
        self._thread = threading.Thread(
            target=self.run, args=([listener],), daemon=True, name="web page"
        )

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self._listener.getsockname()[1]}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.served.over.set()
        self.should_exit = True
        self._thread.join(timeout=_LAST_WAIT_S + 2.0)
        self._listener.close()
        self.served.close()
