"""An engine's folder made of the web box's files, by the robot's own reading, without a crawl."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Final

from search_sets import File, plain  # type: ignore[import-not-found]  # beside this file
from trapline.collection.duplicates import Duplicates
from trapline.core.records import Fetched, Kind, Page, Ticket
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.core.urls import canonical, host_of
from trapline.reading.answer import read_answer
from trapline.reading.readings import ReadDocument
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite.store import SqliteStore

_AT_ONCE: Final = 1000
_FETCHED_S: Final = 1.78e9
_TICKET: Final = Ticket(0, Kind.PAGE, 0, 0, 0.0, 0.0)


def make_folder(
    folder: Path, files: list[File], held_out: Mapping[str, set[str]]
) -> None:
    """Texts of links that are held out are not told to the page that they belong to."""
    store = SqliteStore(folder)
    urls = [canonical(file.url) for file in files]
    numbers = dict(zip(urls, count(), strict=False))
    names = list(dict.fromkeys(map(host_of, urls)))
    hosts = [HostRow(n, name, f"http://{name}/") for n, name in enumerate(names)]
    rows = [UrlRow(n, url, names.index(host_of(url))) for n, url in enumerate(urls)]
    store.commit(Batch(hosts=hosts, urls=rows))
    duplicates = Duplicates()
    for first in range(0, len(files), _AT_ONCE):
        batch = Batch()
        for number in range(first, min(first + _AT_ONCE, len(files))):
            _read_into(batch, number, files[number], numbers, held_out, duplicates)
        store.commit(batch)
    index = FullTextIndex(folder / "index")
    index.catch_up(store)
    index.close()
    store.close()


def _read_into(
    batch: Batch,
    number: int,
    file: File,
    numbers: Mapping[str, int],
    held_out: Mapping[str, set[str]],
    duplicates: Duplicates,
) -> None:
    url = canonical(file.url)
    body = file.path.read_bytes()
    fetched = Fetched(_TICKET, url, 0.0, 200, body=body, content_type="text/html")
    reading = read_answer(fetched)
    if not isinstance(reading, ReadDocument):
        return
    same_as = duplicates.put(number, reading.marks.simhash).get(number, -1)
    document = reading.document
    batch.pages.append(
        Page(
            number,
            url,
            document.title,
            document.text,
            1.0,
            reading.marks.fingerprint,
            "",
            "",
            _FETCHED_S,
            _FETCHED_S,
            reading.language,
            reading.marks.simhash,
            same_as,
        )
    )
    texts = [
        (numbers[target], text)
        for target, said in zip(reading.links.urls, reading.links.texts, strict=False)
        if numbers.get(target, number) != number
        for text in said.split("\t")
        if text and plain(text) not in held_out.get(target, ())
    ]
    batch.texts.append((number, texts))
