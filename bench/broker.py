"""What does a broker add to the slowest engine that it asks? `python bench/broker.py FOLDER`.

Real processes over real HTTP: `trapline serve FOLDER --broker` and four engines that answer after
50 ms. The queries are titles of the folder's pages.

- p50 and p95 of what the whole answer takes over the slowest of the engines, asked directly just
  after it (goal 15 ms), one question after another;
- when own results are there (goal 300 ms);
- with one of four that hangs: when all the others are there (goal 300 ms), and when the answer is
  complete (goal: time-out + 50 ms).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from trapline.app.folder.host_rows import open_for_reading
from trapline.search.query_language import words_of

PROGRAM = "from trapline.app.commands.main import main; main()"
DELAY_MS = 50.0
WITHIN_S = 2.0
WARM = 40


def titles(folder: Path, most: int) -> list[str]:
    store = open_for_reading(folder)
    try:
        pages = (store.page(row.page) for row in store.urls())
        found = {" ".join(words_of(page.title)[:8]) for page in pages if page}
    finally:
        store.close()
    some = sorted(title for title in found if len(title) > 8)
    return random.Random(1).sample(some, min(most, len(some)))


@contextmanager
def running(*command: object) -> Iterator[Any]:
    """The line of JSON that a process prints first, and its number."""
    words = [str(word) for word in command]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield json.loads(process.stdout.readline()), process.pid
    finally:
        process.terminate()
        process.wait(30)


class Broker(NamedTuple):
    url: str
    engines: str  # names, with commas
    direct: list[str]  # their URLs
    process: int

    def processor_s(self) -> float:
        """Time of processors that it has used."""
        fields = (
            Path(f"/proc/{self.process}/stat").read_text().rpartition(")")[2].split()
        )
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def broker(folder: Path, hung: int, queries: list[str]) -> Iterator[Broker]:
    with tempfile.TemporaryDirectory() as place:
        asked = Path(place) / "queries.json"
        asked.write_text(json.dumps(queries))
        engines = Path(__file__).with_name("broker_engines.py")
        with running(sys.executable, engines, DELAY_MS, hung, asked) as (found, _):
            peers = [word for url in found.values() for word in ("--peer", url)]
            serve = ("serve", folder, "--broker", "--port", 18_790, "--json", *peers)
            with running(sys.executable, "-c", PROGRAM, *serve) as (said, process):
                yield Broker(said["url"], ",".join(found), [*found.values()], process)


async def wait_for_engines(session: aiohttp.ClientSession, served: Broker) -> None:
    """Until all four are known."""
    for _ in range(600):
        params = {"q": "warm", "engines": served.engines}
        async with session.get(f"{served.url}api/search", params=params) as answer:
            if answer.status == 200:
                return
        await asyncio.sleep(0.2)
    raise SystemExit("the engines are not known after two minutes")


async def ask(
    session: aiohttp.ClientSession, base: str, query: str, engines: str
) -> tuple[float, Any]:
    """Milliseconds, and the answer."""
    began = time.perf_counter()
    params = {"q": query, "engines": engines}
    async with session.get(f"{base}api/search", params=params) as answer:
        said = await answer.json()
    return 1000.0 * (time.perf_counter() - began), said


async def ask_directly(
    session: aiohttp.ClientSession, served: Broker, query: str
) -> float:
    """Milliseconds until the slowest of the engines has answered, all asked at once."""
    bases = (f"{url}/" for url in served.direct)
    asked = [ask(session, base, query, "") for base in bases]
    return max(spent_ms for spent_ms, _ in await asyncio.gather(*asked))


async def measure_added(served: Broker, queries: list[str]) -> None:
    async with aiohttp.ClientSession() as session:
        await wait_for_engines(session, served)
        added = []
        own = []
        slowest = []
        for query in queries[:WARM]:
            await ask(session, served.url, query, f"own,{served.engines}")
        began_s = served.processor_s()
        for query in queries[WARM:]:
            spent_ms, said = await ask(
                session, served.url, query, f"own,{served.engines}"
            )
            own_ms = said["engines"][0]["ms"]
            slowest_ms = await ask_directly(session, served, query)
            added.append(spent_ms - max(slowest_ms, own_ms))
            slowest.append(slowest_ms)
            own.append(own_ms)
        all_s = served.processor_s() - began_s
        for query in queries[WARM:]:
            await ask(session, served.url, query, "own")
        own_s = served.processor_s() - began_s - all_s
    count = len(added)
    print(f"{count} questions, four engines of {DELAY_MS:g} ms")
    print(
        f"slowest, asked directly: p50 {at(slowest, 0.5):.1f} ms, p95 {at(slowest, 0.95):.1f} ms"
    )
    print(f"broker adds p50 {at(added, 0.5):.1f} ms, p95 {at(added, 0.95):.1f} ms (15)")
    print(f"own answer p50 {at(own, 0.5):.1f} ms, p95 {at(own, 0.95):.1f} ms (300)")
    per_ms = 1000.0 / count
    print(
        f"processor: {all_s * per_ms:.1f} ms a question, own alone {own_s * per_ms:.1f}"
    )


async def measure_hung(served: Broker, queries: list[str]) -> None:
    async with aiohttp.ClientSession() as session:
        await wait_for_engines(session, served)
        first = []
        others = []
        whole = []
        for query in queries:
            times = await stream(session, served.url, query, f"own,{served.engines}")
            if times is None:
                continue  # it is left alone by now: nobody waits for it
            first.append(times[0])
            others.append(times[1])
            whole.append(times[2])
    print(f"one of four hangs, {len(whole)} questions that waited for it")
    print(f"own results p95 {at(first, 0.95):.0f} ms (300)")
    print(f"all others p95 {at(others, 0.95):.0f} ms (300)")
    late = at(whole, 0.95) - 1000.0 * WITHIN_S
    print(f"complete at the time-out + p95 {late:.0f} ms (50)")


async def stream(
    session: aiohttp.ClientSession, base: str, query: str, engines: str
) -> tuple[float, float, float] | None:
    """Milliseconds until own results, until all but the one that hangs, and until the end."""
    began = time.perf_counter()
    first = others = 0.0
    params = {"q": query, "engines": engines}
    async with session.get(f"{base}api/search/stream", params=params) as answer:
        event = ""
        async for line in answer.content:
            text = line.decode()
            now_ms = 1000.0 * (time.perf_counter() - began)
            if text.startswith("event: "):
                event = text.strip().removeprefix("event: ")
            elif text.startswith("data: "):
                said = json.loads(text.removeprefix("data: "))
                states = [one["state"] for one in said["engines"]]
                first = first or now_ms
                if states.count("answered") == 4:
                    others = others or now_ms
                if event == "done":
                    hung = "within" in said["engines"][-1]["reason"]
                    return (first, others, now_ms) if hung else None
    raise SystemExit("the stream ended without an end")


def at(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="an engine's folder")
    folder = parser.parse_args().folder
    queries = titles(folder, 300)
    with broker(folder, 0, queries) as served:
        asyncio.run(measure_added(served, queries))
    with broker(folder, 1, queries) as served:
        asyncio.run(measure_hung(served, queries[:12]))


if __name__ == "__main__":
    main()
