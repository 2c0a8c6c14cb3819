"""What does a search over four parts add, and how near is its order to that of one index?

`bench/search_parts.py [FOLDER]`: one `trapline serve` of the whole, four with `--part K/4` and a
front over them, all processes of their own on loopback. Each query is asked of both, in turns, over
kept connections, several times; p50 and p95 of what the front takes longer. Then the order: the
share of the first ten that both have, how often the first is the same, and rank correlation.
Processor time a query tells what a busy machine hides: parts on processors of their own add what
the front takes and what the busiest part takes more than the whole.

Without a folder one is made of words that are as frequent as in a language (search_load.py); with
`--queries FILE` they are read from there, one a line.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from search_load import PROGRAM, make_folder, word  # type: ignore[import-not-found]
from trapline.app.folder.folder_search import open_query_processor

PARTS = 4
GOAL_MS = 15.0
REMEMBERED_S = 31.0
WARM = 20  # queries that are not measured


class Asked(NamedTuple):
    ms: float
    answer: Any


class Server(NamedTuple):
    url: str
    pid: int

    def cpu_ms(self) -> float:
        """Processor time that it has used."""
        after_name = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2]
        user, system = after_name.split()[11:13]
        return 1000.0 * (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def running(*words: str) -> Iterator[Server]:
    """A command that serves."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    try:
        line = child.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found, f"{words} said {line!r}"
        yield Server(found[0], child.pid)
    finally:
        child.terminate()
        child.wait(30)


async def ask(session: aiohttp.ClientSession, url: str, query: str) -> Asked:
    began_s = time.perf_counter()
    said = {"q": query, "typing": "true"}
    async with session.get(f"{url}/api/search", params=said) as answer:
        found = await answer.json()
        assert answer.status == 200, found
    return Asked(1000.0 * (time.perf_counter() - began_s), found)


async def measure(
    whole: str, front: str, queries: list[str], passes: int
) -> list[list[tuple[Asked, Asked]]]:
    """In turns, so that both have the same neighbours on the machine; by query."""
    found: list[list[tuple[Asked, Asked]]] = [[] for _ in queries]
    async with aiohttp.ClientSession() as session:
        for query in queries[:WARM]:
            await ask(session, whole, f"{query} warm")
            await ask(session, front, f"{query} warm")
        for one_pass in range(passes):
            began_s = time.monotonic()
            for number, query in enumerate(queries):
                if (number + one_pass) % 2:
                    one = await ask(session, whole, query)
                    all_parts = await ask(session, front, query)
                else:
                    all_parts = await ask(session, front, query)
                    one = await ask(session, whole, query)
                found[number].append((one, all_parts))
            if one_pass + 1 < passes:  # the front remembers words that were just asked
                left_s = began_s + REMEMBERED_S - time.monotonic()
                await asyncio.sleep(max(0.0, left_s))
    return found


def share(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def tell_times(name: str, whole: list[float], front: list[float]) -> None:
    added = [b - a for a, b in zip(whole, front, strict=True)]
    print(f"{name}:")
    for who, values in (("whole", whole), ("front", front), ("added", added)):
        print(
            f"  {who} p50 {share(values, 0.5):.1f} ms, p95 {share(values, 0.95):.1f} ms"
        )
    gap = share(front, 0.95) - share(whole, 0.95)
    print(f"  p95 beside p95: {gap:+.1f} ms (goal {GOAL_MS:g})", flush=True)


def tell_order(pairs: list[tuple[Asked, Asked]]) -> None:
    shared, correlations = [], []
    first = totals = 0
    for one, all_parts in pairs:
        wanted = [hit["url"] for hit in one.answer["hits"]]
        found = [hit["url"] for hit in all_parts.answer["hits"]]
        totals += one.answer["total"] == all_parts.answer["total"]
        if not wanted:
            continue
        shared.append(len(set(wanted) & set(found)) / len(wanted))
        first += wanted[0] == (found or [""])[0]
        both = [url for url in wanted if url in found]
        if len(both) > 2:
            places = [float(found.index(url)) for url in both]
            correlations.append(statistics.correlation(list(range(len(both))), places))
    print(
        f"{len(pairs)} queries: {totals} with the same total; of the first ten "
        f"{statistics.mean(shared):.1%} are the same, the first is in {first / len(shared):.1%}, "
        f"rank correlation {statistics.mean(correlations):.3f}"
    )


def queries_of(folder: Path, number: int) -> list[str]:
    """One to four words of pages, as they stand there together."""
    rng = random.Random(3)
    _, store = open_query_processor(folder)
    known = store.counts().known
    queries: list[str] = []
    while len(queries) < number:
        page = store.page(rng.randrange(known))
        words = re.findall(r"\w{3,}", page.text) if page is not None else []
        if len(words) > 8:
            at = rng.randrange(len(words) - 4)
            queries.append(" ".join(words[at : at + rng.randrange(1, 5)]))
    store.close()
    return queries


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--queries", type=Path)
    parser.add_argument("--number", type=int, default=200, help="of queries")
    parser.add_argument(
        "--passes", type=int, default=3, help="each query is asked so often"
    )
    parser.add_argument("--documents", type=int, default=5_000, help="if one is made")
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder = wishes.folder or Path(place) / "engine"
        if wishes.folder is None:
            make_folder(folder, wishes.documents)
        if wishes.queries:
            queries = wishes.queries.read_text().splitlines()[: wishes.number]
        elif wishes.folder:
            queries = queries_of(folder, wishes.number)
        else:
            rng = random.Random(3)
            queries = [
                " ".join(word(rng) for _ in range(3)) for _ in range(wishes.number)
            ]
        whole = stack.enter_context(running("serve", str(folder), "--port", "18780"))
        parts = [
            stack.enter_context(
                running(
                    "serve",
                    str(folder),
                    "--part",
                    f"{n}/{PARTS}",
                    "--port",
                    f"{18780 + n}",
                )
            )
            for n in range(1, PARTS + 1)
        ]
        listed = ",".join(part.url for part in parts)
        words = ("serve", "--parts", listed, "--port", "18790", "--within", "30")
        front = stack.enter_context(running(*words))
        load = os.getloadavg()[0]
        print(f"load {load:.1f} on {os.cpu_count()} processors", flush=True)
        servers = [whole, front, *parts]
        before = [server.cpu_ms() for server in servers]
        found = asyncio.run(measure(whole.url, front.url, queries, wishes.passes))
        spent = [
            server.cpu_ms() - old for server, old in zip(servers, before, strict=True)
        ]
        asked = wishes.passes * len(queries) + WARM
        each = [f"{ms / asked:.1f}" for ms in spent]
        print(
            f"processor time a query in ms: whole {each[0]}, front {each[1]}, "
            f"parts {', '.join(each[2:])}"
        )
        every = [pair for pairs in found for pair in pairs]
        tell_times(
            "as it was",
            [one.ms for one, _ in every],
            [all_parts.ms for _, all_parts in every],
        )
        tell_times(
            f"the fastest of {wishes.passes} for each query",
            [min(one.ms for one, _ in pairs) for pairs in found],
            [min(all_parts.ms for _, all_parts in pairs) for pairs in found],
        )
        tell_order([pairs[0] for pairs in found])
        print(f"load {os.getloadavg()[0]:.1f} at the end")


if __name__ == "__main__":
    main()
