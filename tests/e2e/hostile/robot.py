"""The robot that visits the hostile web: a process of its own, so that its memory can be told from
the servers'.

It reads its orders as JSON (folder, settings, limits, names, seconds) and prints what it did as
JSON. Every address that any of its sockets is connected to is noted by an audit hook, beneath
everything that Trapline could get wrong; what is not on loopback is refused there, so that a
failing test harms nobody.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import time
from pathlib import Path
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from tests.e2e.hostile.steps import Steps
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.engine.build import open_engine
from trapline.app.engine.parts import Engine
from trapline.app.settings import settings_from
from trapline.core.cards import blank_cards
from trapline.core.records import Kind, Outcome, Visit
from trapline.net.options import Limits
from trapline.policies.refresh.nutch_adaptive import NutchAdaptive
from trapline.policies.refresh.refresh_policy import a_visit

CONTACTED: set[str] = set()


def watch(event: str, args: tuple[Any, ...]) -> None:
    if event == "socket.connect" and isinstance(args[1], tuple):
        address, port = args[1][:2]
        CONTACTED.add(f"[{address}]:{port}" if ":" in address else f"{address}:{port}")
        if not (address.startswith("127.") or address == "::1"):
            raise PermissionError(f"the test was about to contact {address}")


class Names(AbstractResolver):
    """A resolver that changes its mind: each name's answers one after the other, the last one for
    ever.
    """

    def __init__(self, answers: dict[str, list[list[str]]]) -> None:
        self._answers = answers

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        answers = self._answers.get(host.rstrip("."))
        if not answers:
            raise OSError("no such name")
        found = answers.pop(0) if len(answers) > 1 else answers[0]
        flags = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV
        return [
            ResolveResult(
                hostname=host,
                host=address,
                port=port,
                family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                proto=0,
                flags=flags,
            )
            for address in found
        ]

    async def close(self) -> None:
        pass


def memory_mb(line: str) -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(float(one.split()[1]) / 1024 for one in status if one.startswith(line))


def told(engine: Engine, visit: Visit) -> dict[str, Any]:
    robots = visit.kind is not Kind.PAGE
    return {
        "url": engine.holdings.book.host_name(visit.host)
        if robots
        else engine.store.url(visit.page),
        "robots": robots,
        "number": visit.number,
        "outcome": visit.outcome.name,
        "status": visit.status,
        "remark": visit.remark,
        "took_s": visit.ended_s - visit.issued_s,
    }


def warm() -> None:
    """Kernels are compiled before the clock starts, or the first visits would time out."""
    warm_up("auto", True, "breadth-first")
    NutchAdaptive().settle(
        blank_cards(1),
        0,
        a_visit(
            Outcome.OK, changed=True, relevance=1.0, news=0.0, age_s=9.0, now_s=0.0
        ),
    )


def main() -> None:
    orders = json.load(sys.stdin)
    settings = settings_from("test", orders["settings"])
    engine = open_engine(
        Path(orders["folder"]),
        settings,
        limits=Limits(**orders["limits"]),
        resolver=Names(orders["names"]),
    )
    warm()
    # the peak of memory counts from here
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before_mb = memory_mb("VmRSS")
    begun_s = time.process_time()
    sys.addaudithook(watch)
    steps = Steps()
    steps.watch()
    # URLs, and names of hosts for robots.txt: when all were visited, it is over
    wanted = set(orders["wanted"])

    def look() -> None:
        seen = {told(engine, visit)["url"] for visit in engine.store.history()}
        if wanted <= seen:
            engine.stop()

    asyncio.run(
        crawl_until(
            engine, seconds=orders["seconds"], visits=None, show=look, every_s=1.0
        )
    )
    visits = [told(engine, visit) for visit in engine.store.history()]
    held = {
        row.url: page.title
        for row in engine.store.urls()
        if (page := engine.store.page(row.page)) is not None
    }
    engine.close()
    worked_s = time.process_time() - begun_s
    grown_mb = memory_mb("VmHWM") - before_mb
    figures = {
        "visits": visits,
        "held": held,
        "contacted": sorted(CONTACTED),
        "worked_s": worked_s,
        "grown_mb": grown_mb,
        "worst_steps": steps.worst(),
    }
    json.dump(figures, sys.stdout)


if __name__ == "__main__":
    main()
