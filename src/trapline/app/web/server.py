"""Serving one engine's folder: read-only, so it may run beside the robot that fills it."""

from __future__ import annotations

import socket
from pathlib import Path

from trapline.app.web.endpoints import make_app
from trapline.app.web.host_guard import HostGuard
from trapline.app.web.loopback_server import LOOPBACK, LoopbackServer
from trapline.app.web.served_folder import open_to_serve
from trapline.core.errors import PortTaken


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


class WebServer(LoopbackServer):
    def __init__(
        self,
        folder: Path,
        listener: socket.socket,
        names: tuple[str, ...] = (),
        *,
        public_url: str = "",
        private_terms: bool = False,
    ) -> None:
        """`names` under which it may be asked for besides those of this machine; `public_url` is
        where other engines ask.
        """
        here = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        self.served = open_to_serve(
            folder, public_url or here, private_terms=private_terms
        )
        app = HostGuard(make_app(self.served), names)
        super().__init__(app, listener, name="web page")

    def __exit__(self, *failure: object) -> None:
        self.served.over.set()
        super().__exit__(*failure)
        self.served.close()
