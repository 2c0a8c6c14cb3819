"""Serving one engine's folder: read-only, so it may run beside the robot that fills it."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Self

from trapline.app.federation.asking.own_collection import OwnCollection
from trapline.app.federation.membership.membership_file import Memberships
from trapline.app.federation.membership.run_membership import (
    Membership,
    start_membership,
)
from trapline.app.federation.open_broker import BrokerSettings, OpenBroker
from trapline.app.web.endpoints import make_app
from trapline.app.web.host_guard import HostGuard
from trapline.app.web.loopback_server import LOOPBACK, LoopbackServer
from trapline.app.web.served_folder import open_part_to_serve, open_to_serve
from trapline.core.errors import PortTaken
from trapline.oasis.description import read_description
from trapline.search.parts.index_part import IndexPart


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
        given: Memberships | None = None,
        broker: BrokerSettings | None = None,
        part: IndexPart | None = None,
    ) -> None:
        """`names` under which it may be asked for besides those of this machine; `public_url` is
        where other engines ask; `given` is joined besides what the folder has joined; with
        `broker` it asks others, too. Of a `part` only its pages are searched.
        """
        here = f"http://{LOOPBACK}:{listener.getsockname()[1]}"
        if part is None:
            url = public_url or here
            self.served = open_to_serve(folder, url, private_terms=private_terms)
        else:
            self.served = open_part_to_serve(folder, part)
        self._given = given or Memberships()
        self._membership: Membership | None = None
        self.broker = self._open_broker(broker) if broker is not None else None
        asked = self.broker.broker if self.broker else None
        news = self.broker.news if self.broker else None
        app = HostGuard(make_app(self.served, asked, news), names)
        super().__init__(app, listener, name="web page")

    def __enter__(self) -> Self:
        if self.broker is not None:
            self.broker.start()
        super().__enter__()
        self._membership = self._join()
        return self

    def __exit__(self, *failure: object) -> None:
        self.served.over.set()
        if self._membership is not None:
            self._membership.close()
        super().__exit__(*failure)
        if self.broker is not None:
            self.broker.close()
        self.served.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(sockets)
        if self.broker is not None:
            await self.broker.close_connections()

    def _join(self) -> Membership | None:
        """A directory asks back, so it must be served already."""
        maker = self.served.description
        if maker is None:
            return None
        return start_membership(
            self.served.folder,
            lambda: read_description(maker.current().signed),
            self._given,
        )

    def _open_broker(self, settings: BrokerSettings) -> OpenBroker:
        served = self.served
        own = OwnCollection(served.engine, served.ask)
        return OpenBroker(served.folder, own, served.description, settings)
