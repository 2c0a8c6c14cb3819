"""The collection that known items are made of: an engine's folder, or a web of the laboratory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, Store, UrlRow
from trapline.core.urls import host_of
from trapline.laboratory.study.known_items import Called, plain
from trapline.laboratory.worlds import documents
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.reading.html.document import read_html
from trapline.reading.html.link_texts import link_texts
from trapline.reading.html.links import Anchor
from trapline.search.furniture import SAMPLE, Furniture, learn_furniture
from trapline.search.index import FullTextIndex
from trapline.search.index_folder import IndexFolder
from trapline.search.meaning import WordVectors, open_word_vectors
from trapline.search.ranking.word_queries import View
from trapline.stores.memory import MemoryStore
from trapline.stores.sqlite.store import SqliteStore

MOST_PAGES: Final = 20_000


def read_collection(
    data: Path | None, pages: int, most: int = MOST_PAGES
) -> list[Called]:
    """From a folder, or from a web of so many pages; at most so many."""
    store: Store = (
        world_store(pages) if data is None else SqliteStore(data, read_only=True)
    )
    try:
        return list(islice(_pages_with_names(store), most))
    finally:
        store.close()


def _pages_with_names(store: Store) -> Iterator[Called]:
    for change in store.changes():
        if change.document is not None and change.document.readable:
            yield Called(change.document, store.link_texts(change.page))


def vectors_of(data: Path | None) -> WordVectors | None:
    """Word vectors, if the folder's index has them."""
    if data is None or not IndexFolder(data / "index").has_meaning():
        return None
    return open_word_vectors()


def index_without(
    pages: Sequence[Called],
    held_out: Mapping[int, set[str]],
    vectors: WordVectors | None = None,
) -> View:
    """An index in memory that is not told some of the link texts."""
    index = FullTextIndex(None, vectors=vectors)
    furniture = furniture_by_host(pages)
    for page, names in pages:
        hidden = held_out.get(page.page, set())
        told = [name for name in names if plain(name.text) not in hidden]
        index.put(page, told, furniture[host_of(page.url)])
    index.commit()
    return index.view()


def furniture_by_host(pages: Sequence[Called]) -> dict[str, Furniture]:
    by_host = defaultdict(list)
    for page, _ in pages:
        by_host[host_of(page.url)].append((page.title, page.text))
    return {
        host: learn_furniture(some[:: 1 + len(some) // SAMPLE])
        for host, some in by_host.items()
    }


def world_store(pages: int) -> Store:
    """The pages of a linked web, read as a robot reads them."""
    web = LinkedWeb.generate(pages, max(1, pages // 200))
    hosts = [f"host{n}.test" for n in range(web.hosts)]
    home = [f"http://{name}/" for name in hosts].__getitem__
    urls = [
        home(int(web.truth.host[page])).rstrip("/") + documents.path(web, page)
        for page in range(pages)
    ]
    store = MemoryStore()
    store.commit(
        Batch(
            hosts=[HostRow(n, f"{name}:80", home(n)) for n, name in enumerate(hosts)],
            urls=[UrlRow(n, u, int(web.truth.host[n])) for n, u in enumerate(urls)],
        )
    )
    numbers = {url: number for number, url in enumerate(urls)}
    batch = Batch()
    for number, url in enumerate(urls):
        html = documents.html(web, number, 0.0, home)
        document = read_html(html.encode(), "text/html", url)
        batch.pages.append(
            Page(number, url, document.title, document.text, 1.0, 1, "", "", 1.0, 1.0)
        )
        batch.texts.append((number, _names(document.links, numbers, number)))
    store.commit(batch)
    return store


def _names(
    links: Sequence[Anchor], numbers: Mapping[str, int], own: int
) -> list[tuple[int, str]]:
    texts = link_texts([link.label for link in links])
    return [
        (numbers[link.url], said)
        for link, text in zip(links, texts, strict=True)
        if numbers.get(link.url, own) != own
        for said in text.split("\t")
        if said
    ]
