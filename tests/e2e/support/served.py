"""A small collection that a robot has made, and asking its server over real HTTP."""

from __future__ import annotations

import asyncio
import http.client
import json
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any

from trapline.app.crawl.run_until import crawl_until
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.settings import settings_from
from trapline.app.web.server import WebServer
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape


def fill_folder(path: Path) -> Path:
    """Some forty pages about space, of two hosts that are gone by now."""
    world = LinkedWeb.generate(40, 2, "space", 2, Shape(gap_s=0.05))
    with PracticeWeb(world, latency_s=0.0) as web:
        own = {"own": dict.fromkeys(web.host_names(), 0.05)}
        values: dict[str, object] = {
            "topic": "space",
            "seeds": [web.home(0)],
            "budget": {"visits": 100},
            "manners": own,
        }
        engine = open_engine(path, settings_from("test", values))
        try:
            asyncio.run(
                crawl_until(engine, seconds=600.0, visits=50, show=lambda: None)
            )
        finally:
            engine.close()
    return path


@dataclass(frozen=True, slots=True)
class Said:
    status: int
    headers: Message
    text: str

    @property
    def data(self) -> Any:
        return json.loads(self.text)

    @property
    def problem(self) -> str:
        """The one line that says what is wrong."""
        assert set(self.data) == {"error"}, self.text
        problem = self.data["error"]
        assert problem and "\n" not in problem
        return str(problem)


def ask(
    server: WebServer,
    path: str,
    body: object = None,
    *,
    method: str = "",
    **headers: str,
) -> Said:
    """`headers` are written in Python's way: `Content_Type`."""
    port = int(server.url.split(":")[2].strip("/"))
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60.0)
    sent = body if isinstance(body, bytes | None) else json.dumps(body).encode()
    said = {name.replace("_", "-"): value for name, value in headers.items()}
    if body is not None:
        said.setdefault("Content-Type", "application/json")
    try:
        connection.request(method or ("POST" if sent else "GET"), path, sent, said)
        answer = connection.getresponse()
        return Said(answer.status, answer.msg, answer.read().decode())
    finally:
        connection.close()
