"""How long can one host hold up all others? The longest steps of the live loop on a hostile web.

    python bench/worst_step.py                   every hostile case, and attacks on the loop

How to read the table
    Each row is one step of the event loop (whatever runs between two others) in milliseconds of its
    thread's processor time: what else the machine does is no part of it. The aim is 20 ms. Beside
    it stands the coroutine that it was a step of. The cases are those of tests/e2e/hostile, with
    the robot's limits of size; the attacks are 20,000 wildcard rules with a sitemap of 20,000 pages
    that they forbid, a sitemap of 50,000 pages beside a page of 5,000 links, and documents of
    700 KB that change at every visit.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.e2e.hostile import test_hostile as hostile
from tests.e2e.hostile.document_cases import document_cases
from tests.e2e.hostile.hostile_server import HostileWeb, Reply, Wire, whole
from tests.e2e.hostile.place_cases import NAMES
from tests.e2e.hostile.test_isolation import heavy_rules, page, sitemap, visit_all

SHOWN: Final = 5


def documents(folder: Path) -> Any:
    with HostileWeb() as web:
        orders = {"limits": {"total_s": 60.0}, "names": {}, "seconds": 150.0}
        return hostile.crawled(folder, document_cases(), web, [], 4, orders).worst_steps


def wires(folder: Path) -> Any:
    with HostileWeb() as web:
        house = [web.open(address="127.0.0.1")]
        orders = {"limits": hostile.LIMITS, "names": NAMES, "seconds": 90.0}
        cases = hostile.wired(house[0].port)
        return hostile.crawled(folder, cases, web, house, 100, orders).worst_steps


def long_rules(folder: Path) -> Any:
    with HostileWeb() as web:
        host = web.open(heavy_rules())
        seeds = [f"http://{host.name}/map.xml"]
        gaps_s = {host.name: 0.05}
        return visit_all(folder, seeds, gaps_s, seconds=20.0)["worst_steps"]


def many_links(folder: Path) -> Any:
    listed = sitemap([f"/listed/{number}/page.html" for number in range(50_000)])
    linked = page("many", [f"/linked/{number}" for number in range(5_000)])
    with HostileWeb() as web:
        host = web.open({"/map.xml": listed, "/many": linked})
        seeds = [f"http://{host.name}{path}" for path in ("/map.xml", "/many")]
        gaps_s = {host.name: 0.05}
        return visit_all(folder, seeds, gaps_s, seconds=20.0)["worst_steps"]


def changing(folder: Path) -> Any:
    """Large documents that are others at every visit, in words and in numbers."""
    chance = Random(2)

    def reply(word: str, between: str = " ", many: int = 100_000) -> Reply:
        async def answer(wire: Wire) -> None:
            words = [f"{word}{chance.randrange(10**6)}" for _ in range(many)]
            text = between.join(words)
            await wire.send(whole(f"<title>{word}</title><p>{text}".encode()))

        return answer

    with HostileWeb() as web:
        replies = {
            "/words": reply("w"),
            "/numbers": reply(""),
            "/lines": reply("w", "<p>", 2_000),
        }
        host = web.open(replies)
        seeds = [f"http://{host.name}{path}" for path in replies]
        gaps_s = {host.name: 0.05}
        return visit_all(folder, seeds, gaps_s, seconds=20.0, refresh="uniform")[
            "worst_steps"
        ]


SCENES: Final[dict[str, Callable[[Path], Any]]] = {
    "hostile wires, redirects, TLS, robots.txt": wires,
    "hostile documents": documents,
    "20,000 wildcard rules": long_rules,
    "50,000 listed pages, 5,000 links": many_links,
    "large documents that change at every visit": changing,
}


def main() -> None:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    for name, scene in SCENES.items():
        with tempfile.TemporaryDirectory() as folder:
            steps = scene(Path(folder))
        print(f"{name}: worst step {steps[0][0]:.1f} ms of processor (aim: 20)")
        for took_ms, what in steps[:SHOWN]:
            print(f"    {took_ms:8.1f} ms  {what}")


if __name__ == "__main__":
    main()
