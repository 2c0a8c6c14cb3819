"""Servers that note when each request came and when it was answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from tests.e2e.hostile.hostile_server import Host, HostileWeb, Reply, Wire

NOT_THERE = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


@dataclass
class Counted:
    """What happened at one address."""

    visits: list[tuple[float, float, str]] = field(default_factory=list)

    def reply(self, path: str, content: bytes, lasts_s: float = 0.02) -> Reply:
        async def answer(wire: Wire) -> None:
            began_s = time.monotonic()
            await asyncio.sleep(lasts_s)
            self.visits.append((began_s, time.monotonic(), path))
            await wire.send(content)

        return answer

    def host(
        self, web: HostileWeb, contents: Mapping[str, bytes], address: str = ""
    ) -> Host:
        """A host that answers these paths; what it is not asked to have is not there."""
        paths = {"/robots.txt": NOT_THERE, "/good": NOT_THERE, **contents}
        replies = {path: self.reply(path, paths[path]) for path in paths}
        return web.open(replies, address=address)

    def paths(self) -> list[str]:
        return [path for _, _, path in sorted(self.visits)]

    def check(self, gap_s: float) -> None:
        """One visit at a time, and the gap after each. Seen from here gaps are longer than the
        robot's, never shorter.
        """
        visits = sorted(self.visits)
        for (_, ended_s, path), (began_s, _, following) in pairwise(visits):
            assert began_s >= ended_s, f"{following} while {path} was under way"
            assert began_s - ended_s >= gap_s - 0.01, f"{following} hurries {path}"
