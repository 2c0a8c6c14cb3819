"""Four hosts on loopback that lead to each other, and crawls of them in two shards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from tests.e2e.support.command import trapline
from tests.e2e.support.shard_looks import LONG_S
from tests.e2e.support.site import Site

ADDRESSES: Final = tuple(f"127.0.81.{number}" for number in range(1, 5))
PAGES: Final = 4  # of each host, / among them
TOPICS: Final = ("moon", "comet", "crater", "nebula")


@contextmanager
def four_sites() -> Iterator[list[Site]]:
    with ExitStack() as stack:
        sites = [
            stack.enter_context(
                Site({"/": ""}, address=address, robots="User-agent: *\n")
            )
            for address in ADDRESSES
        ]
        for number, site in enumerate(sites):
            site.pages.update(_pages(number, [one.url("/") for one in sites]))
        yield sites


def _pages(number: int, homes: list[str]) -> dict[str, str]:
    word = TOPICS[number]
    near = "".join(f'<a href="/{n}">{word} {n}</a> ' for n in range(1, PAGES))
    far = "".join(f'<a href="{home}">a sky</a> ' for home in homes)
    text = f"Everything about the {word} and its orbit, told at length for readers."
    pages = {
        f"/{n}": f"<title>{word} {n}</title><p>{text} Part {n}.</p>{far}"
        for n in range(1, PAGES)
    }
    return {"/": f"<title>{word}</title><p>{text}</p>{near}{far}", **pages}


def crawl_sites(sites: list[Site], settings: Path, *where: object) -> None:
    """`trapline crawl … --shards 2` until everything is held."""
    own = "".join(f'"{site.host}" = 0.05\n' for site in sites)
    settings.write_text(f"[manners.own]\n{own}[budget]\nvisits = 100.0\n")
    seeds = [site.url("/") for site in sites]
    visits = 3 * PAGES * len(sites)  # some are made again while others wait
    words = ("--shards", 2, "--workers", 1, "--warc", "--visits", visits)
    done = trapline("crawl", settings, *seeds, *words, *where, timeout_s=LONG_S)
    assert done.returncode == 0, done.stderr
