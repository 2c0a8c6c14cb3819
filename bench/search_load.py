"""How long do visitors wait for `trapline serve`? `--documents N`, `--visitors N`.

A folder with 20,000 documents is made on the spot and served by a process of its own. 200 visitors
ask at once, each for other words: p50 and p99 of the time until they have the whole page. Then
queries that are meant to hurt are asked one by one. Last, the same 200 ask the page of a running
`trapline demo`, whose robot works in the same process.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import aiohttp

from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite.store import SqliteStore

PROGRAM = "from trapline.app.commands.main import main; main()"
VOCABULARY = 200_000
WORDS_A_PAGE = 800
BUSY = ("--pages", "5000", "--hosts", "60")
NASTY = (
    "text:[a TO z]",
    "title:{* TO *}",
    "text:[* TO *] AND text:[a TO z]",
    "*",
    "text:*",
    "text:/.*a.*b.*/",
    "w*",
    '"w1 w"*',
    "w1~2 w2~2 w3~2",
    '"w1 w2"~100000',
    "text: IN [" + " ".join(f"w{n}" for n in range(200)) + "]",
    "w1^1000000000",
    " OR ".join(f"w{n}" for n in range(180)),
    " ".join(f"w{n}" for n in range(190)),
    '"' + " ".join(["w1"] * 190) + '"',
    " ".join(f'"w{n} w1"' for n in range(90)),
    "(" * 30 + "w1" + ")" * 30,
    "-w1",
    "-(" + " ".join(f"w{n}" for n in range(100)) + ")",
    "NOT " * 200 + "w1",
)


def word(rng: random.Random) -> str:
    """Few words are common and most are rare, as in any language."""
    return f"w{int(VOCABULARY ** rng.random())}"


def make_folder(folder: Path, documents: int) -> None:
    rng = random.Random(1)
    with_host = [HostRow(0, "a.example:80", "http://a.example/")]
    store = SqliteStore(folder)
    for first in range(0, documents, 1000):
        numbers = range(first, min(first + 1000, documents))
        store.commit(
            Batch(
                hosts=with_host if first == 0 else [],
                urls=[UrlRow(n, f"http://a.example/{n}", 0) for n in numbers],
                pages=[page(n, rng) for n in numbers],
            )
        )
    index = FullTextIndex(folder / "index")
    index.catch_up(store)
    index.close()
    store.close()


def page(number: int, rng: random.Random) -> Page:
    text = " ".join(word(rng) for _ in range(WORDS_A_PAGE))
    title = f"{word(rng)} {word(rng)}"
    url = f"http://a.example/{number}"
    return Page(number, url, title, text, rng.random(), number + 1, "", "", 1.0, 1.0)


@contextmanager
def running(*words: str) -> Iterator[str]:
    """The address that a command serves."""
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    try:
        for line in child.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+/", line):
                yield found[0]
                break
    finally:
        child.terminate()
        child.wait()


async def ask(
    session: aiohttp.ClientSession, url: str, query: str
) -> tuple[float, int]:
    began_s = time.monotonic()
    async with session.get(f"{url}search", params={"q": query}) as answer:
        await answer.read()
        return time.monotonic() - began_s, answer.status


async def ask_at_once(url: str, visitors: int, words: list[str]) -> None:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        await ask(session, url, "warm up")
        rng = random.Random(2)
        queries = [" ".join(rng.choices(words, k=2)) for _ in range(visitors)]
        answers = await asyncio.gather(*(ask(session, url, one) for one in queries))
    took_s = sorted(took for took, _ in answers)
    good = sum(status == 200 for _, status in answers)
    print(
        f"  {visitors} at once: p50 {took_s[len(took_s) // 2]:.2f} s, "
        f"p99 {took_s[int(0.99 * len(took_s))]:.2f} s, {good} answered, "
        f"{visitors - good} told to come back"
    )


async def ask_nasty(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        answers = [(*await ask(session, url, query), query) for query in NASTY]
    took_s, status, query = max(answers)
    print(
        f"  worst of {len(NASTY)} nasty queries: {1000 * took_s:.0f} ms, status {status} "
        f"({query[:40]})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--visitors", type=int, default=200)
    wishes = parser.parse_args()
    rng = random.Random(3)
    words = [word(rng) for _ in range(1000)]
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "engine"
        make_folder(folder, wishes.documents)
        print(f"`trapline serve`, {wishes.documents:,} documents:")
        with running("serve", str(folder), "--port", "8799") as url:
            asyncio.run(ask_at_once(url, wishes.visitors, words))
            asyncio.run(ask_nasty(url))
    print(f"`trapline demo {' '.join(BUSY)}`, while its robot works:")
    topical = [
        "space",
        "moon",
        "planet",
        "star",
        "orbit",
        "rocket",
        "telescope",
        "the",
        "of",
        "light",
    ]
    with running("demo", *BUSY, "--no-browser", "--port", "8799") as url:
        time.sleep(15.0)
        asyncio.run(ask_at_once(url, wishes.visitors, topical))


if __name__ == "__main__":
    main()
