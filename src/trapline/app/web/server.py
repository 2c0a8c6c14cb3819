"""Serving one engine's folder: read-only, so it may run beside the robot that fills it.

Binds to loopback.
"""

from __future__ import annotations

import socket
import threading
from pathlib import Path
from typing import Self

import uvicorn

from trapline.app.folder.folder_search import open_query_processor
from trapline.app.web.endpoints import make_app
from trapline.app.web.host_guard import HostGuard
from trapline.core.errors import PortTaken
from trapline.search.search_desk import SearchDesk

LOOPBACK = "127.0.0.1"


def bind(port: int) -> socket.socket:
    """A listening socket on loopback, so that a taken port is known first of all."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
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
        processor, self._store = open_query_processor(folder)
        self._desk = SearchDesk(processor)
        app = HostGuard(make_app(folder, self._desk, processor, self._store), names)
        super().__init__(
            uvicorn.Config(
                app, log_level="warning", access_log=False, lifespan="off", ws="none"
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
        self.should_exit = True
        self._thread.join(timeout=5.0)
        self._listener.close()
        self._desk.close()
        self._store.close()
