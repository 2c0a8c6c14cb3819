"""How long do visitors of `trapline serve` wait, alone, in a crowd, and beside a crawl?

- One after another over a kept connection: p50 of the time until the whole answer is there.
- 200 at once: how many were lost, p99.
- 50 a second for 30 s, of a running `trapline demo`, whose robot works in the same process: p99,
  and how many visits the robot made meanwhile, beside as long a time without questions.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp

from search_load import PROGRAM  # type: ignore[import-not-found]  # beside this file
from search_sets import Sets  # type: ignore[import-not-found]

AT_ONCE = 200
A_SECOND = 50
FOR_S = 30.0


def measure_serving(folder: Path, sets: Sets) -> None:
    queries = [item.query for items in sets.named().values() for item in items]
    with _running("serve", str(folder), "--port", "18766"):
        asyncio.run(_alone("http://127.0.0.1:18766", queries[:300]))
        asyncio.run(_crowd("http://127.0.0.1:18766", queries[:AT_ONCE]))
    with tempfile.TemporaryDirectory() as place:
        busy = ("--pages", "5000", "--hosts", "60", "--dir", f"{place}/demo")
        with _running("demo", *busy, "--port", "18767", "--seconds", "90"):
            asyncio.run(_beside_a_crawl("http://127.0.0.1:18767", queries))


@contextmanager
def _running(*arguments: str) -> Iterator[None]:
    command = [sys.executable, "-c", PROGRAM, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


async def _ask(session: aiohttp.ClientSession, base: str, query: str) -> float:
    """The time until the whole answer is there; a negative one if it was refused."""
    began = time.perf_counter()
    async with session.get(f"{base}/api/search", params={"q": query}) as answer:
        await answer.read()
        return (1 if answer.status == 200 else -1) * (time.perf_counter() - began)


async def _wait_for(session: aiohttp.ClientSession, base: str) -> None:
    for _ in range(300):
        try:
            await _ask(session, base, "warm")
            return
        except aiohttp.ClientError:
            await asyncio.sleep(0.2)


async def _alone(base: str, queries: list[str]) -> None:
    async with aiohttp.ClientSession() as session:
        await _wait_for(session, base)
        waits = sorted([await _ask(session, base, query) for query in queries])
    p50, p95 = _at(waits, 0.5), _at(waits, 0.95)
    print(f"kept connection: p50 {p50:.1f} ms (goal 10), p95 {p95:.1f} ms", flush=True)


async def _crowd(base: str, queries: list[str]) -> None:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        began = time.perf_counter()
        waits = await asyncio.gather(*(_ask(session, base, q) for q in queries))
        rate = len(queries) / (time.perf_counter() - began)
    lost = sum(wait < 0 for wait in waits)
    p99 = _at(sorted(map(abs, waits)), 0.99)
    told = f"p99 {p99:.0f} ms (goal 1500), {rate:.0f} answers/s"
    print(f"{len(queries)} at once: {lost} lost, {told}", flush=True)


async def _beside_a_crawl(base: str, queries: list[str]) -> None:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        await _wait_for(session, base)
        await asyncio.sleep(5.0)
        undisturbed = await _visits_during(session, base, asyncio.sleep(FOR_S / 2))
        waits: list[float] = []
        asking = _ask_steadily(session, base, queries, waits)
        disturbed = await _visits_during(session, base, asking)
    lost = sum(wait < 0 for wait in waits)
    p99 = _at(sorted(map(abs, waits)), 0.99)
    slower = 1.0 - disturbed / undisturbed
    print(
        f"{A_SECOND}/s beside a crawl: {lost} of {len(waits)} lost, p99 {p99:.0f} ms (goal 150); "
        f"crawl {disturbed:.0f} visits/s beside {undisturbed:.0f}: {slower:.0%} slower (goal 20 %)",
        flush=True,
    )


async def _ask_steadily(
    session: aiohttp.ClientSession, base: str, queries: list[str], waits: list[float]
) -> None:
    began = time.perf_counter()
    tasks = []
    for number in range(int(A_SECOND * FOR_S)):
        await asyncio.sleep(max(0.0, began + number / A_SECOND - time.perf_counter()))
        query = queries[number % len(queries)]
        tasks.append(asyncio.create_task(_ask(session, base, query)))
    waits += await asyncio.gather(*tasks)


async def _visits_during(
    session: aiohttp.ClientSession, base: str, work: Awaitable[None]
) -> float:
    """Visits a second while something else is done."""
    began, before = time.perf_counter(), await _visits(session, base)
    await work
    return (await _visits(session, base) - before) / (time.perf_counter() - began)


async def _visits(session: aiohttp.ClientSession, base: str) -> int:
    async with session.get(f"{base}/api/status") as answer:
        return int((await answer.json())["visits"])


def _at(waits: list[float], share: float) -> float:
    """A quantile in milliseconds."""
    return 1000 * waits[min(len(waits) - 1, int(share * len(waits)))]
