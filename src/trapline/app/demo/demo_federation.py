"""What makes engines of the demo a federation: a directory, a server for each, a broker."""

from __future__ import annotations

import json
import threading
import time
import urllib.request
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from trapline.app.demo.run_demo import bind_page
from trapline.app.directory.directory_options import DirectoryOptions
from trapline.app.directory.directory_server import DirectoryServer
from trapline.app.federation.membership.membership_file import Memberships
from trapline.app.federation.open_broker import BrokerSettings
from trapline.app.web.server import WebServer, bind
from trapline.politeness.listed_hosts import read_listed

_PATIENCE_S: Final = 60.0  # until all have joined and are heard of
_LOOK_S: Final = 0.1
_ASK_S: Final = 30.0
_LISTED: Final = ("127.0.0.1:*",)


class Addresses(NamedTuple):
    broker: str
    directory: str


class DemoFederation:
    """The first of the folders is the broker's own."""

    def __init__(self, folder: Path, engines: Sequence[Path]) -> None:
        self._folder = folder
        self._engines = engines
        self._stack = ExitStack()
        self._over = threading.Event()

    def start(self, port: int | None) -> Addresses:
        """The broker last: by then there is somebody to hear of. Takes a while, in a thread."""
        directory = self._start_directory()
        given = Memberships((directory.url.rstrip("/"),), listed=_LISTED)
        others = self._engines[1:]
        for place in others:
            self._stack.enter_context(WebServer(place, bind(0), given=given))
        self._wait_for(lambda: _count_alive(directory.url) >= len(others))
        settings = BrokerSettings(given)
        listener = bind_page(port)
        broker = WebServer(self._engines[0], listener, given=given, broker=settings)
        self._stack.enter_context(broker)
        self._wait_for(lambda: _count_known(broker) >= len(others))
        return Addresses(broker.url, directory.url)

    def give_up(self) -> None:
        """Whoever waits in `start` goes on."""
        self._over.set()

    def close(self) -> None:
        """When nobody is starting any more."""
        self._stack.close()

    def _start_directory(self) -> DirectoryServer:
        place = self._folder / "directory"
        place.mkdir(exist_ok=True)
        options = DirectoryOptions(listed=read_listed(_LISTED))
        return self._stack.enter_context(DirectoryServer(place, bind(0), options))

    def _wait_for(self, is_so: Callable[[], bool]) -> None:
        deadline_s = time.monotonic() + _PATIENCE_S
        while not is_so() and time.monotonic() < deadline_s:
            if self._over.wait(_LOOK_S):
                return


def search_broker(broker: str, query: str) -> dict[str, Any]:
    """A question as programs put it: who answered, and whose the results are."""
    answer = _read(f"{broker}api/search?q={quote(query)}&typing=true")
    origins = [name for hit in answer["hits"] for name in hit["origins"]]
    return {
        "q": query,
        "hits": len(answer["hits"]),
        "origins": {name: origins.count(name) for name in sorted(set(origins))},
        "answered": [
            one["name"] for one in answer["engines"] if one["state"] == "answered"
        ],
        "note": answer["note"],
    }


def _count_alive(directory: str) -> int:
    engines = _read(f"{directory}directory/engines")["engines"]
    return sum(one["state"] == "alive" for one in engines)


def _count_known(broker: WebServer) -> int:
    return len(broker.broker.known.snapshot.engines) if broker.broker else 0


def _read(url: str) -> Any:
    with urllib.request.urlopen(url, timeout=_ASK_S) as answer:
        return json.load(answer)
