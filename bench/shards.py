"""What does a page cost when a crawl is cut into shards? One web, crawled by one engine, by shards
in a folder and by shards in PostgreSQL.

    python bench/shards.py                        every way, once
    python bench/shards.py --rounds 3             medians of so many runs of each, in turn
    python bench/shards.py --pages 60             so many pages of each of 60 hosts (40)
    python bench/shards.py --only plain,2x2       some ways; SHARDSxWORKERS, pgSHARDSxWORKERS

How to read the table
    Each way crawls every page of the web (shards_web.py: half of all links lead to other hosts) by
    `trapline crawl`, twice: once with a tenth of the pages. CPU-ms a page is the difference of what
    both took in user and system time, with children, by the difference of their pages: starting
    and ending are left out. server is what PostgreSQL took beside it, likewise. beside is the way's
    CPU-ms by that of the first way; aim: two workers at most 1.15 of one engine.
    visits/s by the clock, over the pages of the second run.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median_low
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from processor_time import tree_s  # type: ignore[import-not-found]
from shards_web import url  # type: ignore[import-not-found]
from speed_sites import _free_port, _wait_for  # type: ignore[import-not-found]

HERE: Final = Path(__file__).parent
HOSTS: Final = 60
WAYS: Final = ("plain", "1x1", "2x2", "pg2x1", "pg2x2", "pg64x1", "pg64x2")
SETTINGS: Final = """
seeds = [{seeds}]
[topic]
words = "books of pages"
[budget]
visits = "unlimited"
[refresh]
policy = "nutch-adaptive"
[manners]
own = {{ {own} }}
"""


class Run(NamedTuple):
    pages: int
    cpu_s: float
    server_s: float
    wall_s: float


class Cost(NamedTuple):
    """Of one page more."""

    cpu_ms: float
    server_ms: float
    per_s: float


@contextmanager
def served(pages: int) -> Iterator[int]:
    port = _free_port()
    command = [sys.executable, str(HERE / "shards_web.py"), str(port), str(HOSTS)]
    server = subprocess.Popen([*command, str(pages)])
    try:
        _wait_for(port)
        yield port
    finally:
        server.terminate()
        server.wait()


def crawl(way: str, pages: int) -> Run:
    with served(pages) as port, tempfile.TemporaryDirectory() as home:
        settings = Path(home, "crawl.toml")
        seeds = ", ".join(f'"{url(host, 0, port)}"' for host in range(0, HOSTS, 6))
        hosts = [url(host, 0, port).split("/")[2] for host in range(HOSTS)]
        own = ", ".join(f'"{host}" = 0.0' for host in hosts)
        settings.write_text(SETTINGS.format(seeds=seeds, own=own))
        command = [sys.executable, "-m", "trapline", "crawl", str(settings), "--json"]
        command += ["--dir", str(Path(home, "engine")), "--yes"]
        command += ["--visits", str(HOSTS * pages), *_words(way)]
        server = _server_of(way)
        before_s = tree_s(server)
        began_s = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        told = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took_s = time.perf_counter() - began_s
        if process.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
        held = json.loads(told)["pages_held"]
        server_s = tree_s(server) - before_s
        return Run(held, used.ru_utime + used.ru_stime, server_s, took_s)


def _words(way: str) -> list[str]:
    if way == "plain":
        return []
    shards, workers = way.removeprefix("pg").split("x")
    words = ["--shards", shards, "--workers", workers]
    if way.startswith("pg"):
        from tests.postgres_server import fresh_address

        return [*words, "--store", fresh_address()]
    return words


def _server_of(way: str) -> int:
    """Its first process; 0 = there is none."""
    if not way.startswith("pg"):
        return 0
    from tests.postgres_server import server_process

    return server_process()


def cost(way: str, pages: int) -> Cost:
    few = crawl(way, max(2, pages // 10))
    many = crawl(way, pages)
    more = many.pages - few.pages
    cpu_s = many.cpu_s - few.cpu_s
    server_s = many.server_s - few.server_s
    wall_s = max(many.wall_s - few.wall_s, 1e-3)
    return Cost(1e3 * cpu_s / more, 1e3 * server_s / more, more / wall_s)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--pages", type=int, default=40, help="of each host")
    parser.add_argument("--only", default=",".join(WAYS))
    wishes = parser.parse_args()
    ways = wishes.only.split(",")
    found: dict[str, list[Cost]] = {way: [] for way in ways}
    for _ in range(wishes.rounds):
        for way in ways:
            found[way].append(cost(way, wishes.pages))
            print(f"{way}: {found[way][-1]}", file=sys.stderr, flush=True)
    print(f"{'':<8} {'CPU-ms a page':>14} {'beside':>7} {'server':>7} {'visits/s':>9}")
    first = median_low(one.cpu_ms for one in found[ways[0]])
    for way in ways:
        cpu_ms, server_ms, per_s = map(median_low, zip(*found[way], strict=True))
        beside = cpu_ms / first
        print(
            f"{way:<8} {cpu_ms:>14.2f} {beside:>7.2f} {server_ms:>7.2f} {per_s:>9.0f}"
        )


if __name__ == "__main__":
    main()
