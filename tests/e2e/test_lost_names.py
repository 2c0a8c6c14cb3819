"""A name that cannot be resolved for a while: its host is found later, in the same run."""

from __future__ import annotations

import asyncio
import socket
from pathlib import Path

import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from tests.e2e.support.site import Site, html
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.engine import background
from trapline.app.engine.build import open_engine
from trapline.app.folder.robot_state import AT_WORK
from trapline.app.settings import settings_from


class Forgetful(AbstractResolver):
    """Knows one name, but not at first."""

    asked = 0

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        self.asked += 1
        if self.asked < 3:
            raise OSError("temporary failure in name resolution")
        return [
            ResolveResult(
                hostname=host,
                host="127.0.0.1",
                port=port,
                family=socket.AF_INET,
                proto=0,
                flags=0,
            )
        ]

    async def close(self) -> None:
        pass


def test_a_host_is_found_when_its_name_can_be_resolved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(background, "LOCATE_EVERY_S", 0.2)
    warm_up("auto", True)
    with Site({}) as site:
        other = f"http://other.example:{site.host.partition(':')[2]}/there"
        site.pages |= {
            "/": html("Here", "the first page", other),
            "/there": html("There", "quite another page"),
        }
        names = [site.host, other.split("/")[2]]
        settings = settings_from(
            "test",
            {
                "seeds": [site.url()],
                "manners": {
                    "own": dict.fromkeys(names, 0.1),
                    "listed": names,
                    "contact": "me@lab.org",
                },
            },
        )
        resolver = Forgetful()
        engine = open_engine(tmp_path / "engine", settings, resolver=resolver)

        def look() -> None:
            if site.visits("/there"):
                engine.stop()

        try:
            asyncio.run(crawl_until(engine, seconds=30.0, visits=None, show=look))
            assert site.visits("/there") and resolver.asked >= 3
            assert engine.store.note(AT_WORK) == "", "it ended cleanly"
        finally:
            engine.close()
