"""A collection for indexes in parts, with copies in one shard and of another one."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.reading.identity.simhash import simhash
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite.store import SqliteStore

PAGES: Final = 400
HOSTS: Final = 8
_LETTERS: Final = "bdfgklmnprstvz"


def words_of_world(rng: random.Random) -> list[str]:
    """A language: some words are on every page, most on few."""
    return [
        "".join(rng.choice(_LETTERS) + rng.choice("aeiou") for _ in range(3))
        for _ in range(1200)
    ]


def write_collection(folder: Path) -> list[str]:
    """Pages on everything; returns queries of one to three of their words."""
    rng = random.Random(1)
    words = words_of_world(rng)
    weights = [1.0 / (rank + 5.0) for rank in range(len(words))]
    store = SqliteStore(folder)
    hosts = [HostRow(n, f"h{n}.test:80", f"http://h{n}.test/") for n in range(HOSTS)]
    store.commit(Batch(hosts=hosts))
    pages = []
    for number in range(PAGES):
        said = rng.choices(words, weights, k=rng.randrange(60, 200))
        title = " ".join(rng.choices(words, weights, k=3))
        pages.append(page_of(number, title, " ".join(said)))
    put_pages(store, pages)
    index = FullTextIndex(folder / "index")
    index.catch_up(store)
    index.close()
    store.close()
    return [" ".join(rng.choices(words[20:], k=rng.randrange(1, 4))) for _ in range(60)]


def page_of(number: int, title: str, text: str, same_as: int = -1) -> Page:
    return Page(
        number,
        f"http://h{number % HOSTS}.test/{number}",
        title,
        text,
        0.5,
        number + 1,
        "",
        "",
        1_000_000.0 + number,
        1_000_000.0 + number,
        "en",
        simhash(text),
        same_as,
    )


def put_pages(store: SqliteStore, pages: list[Page]) -> None:
    rows = [UrlRow(one.page, one.url, one.page % HOSTS) for one in pages]
    known = store.counts().known
    new = [row for row in rows if row.page >= known]
    store.commit(Batch(urls=new, pages=pages))
