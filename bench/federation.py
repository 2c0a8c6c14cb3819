"""Does a federation of real processes answer like one index? `python bench/federation.py FOLDER
PLACE`.

The pages of FOLDER are cut into topical engines, 30 % of them held by two, and written to PLACE
as folders beside one that holds everything (made once; a PLACE that is there is used again). Then a
directory, the engines and a broker run as `trapline` processes, and the broker is asked over HTTP:

- the share of the central ten that comes back, and the mean reciprocal rank of known items beside
  that of the central folder;
- how many engines were asked, and how long it took.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import numpy as np

from trapline.app.folder.folder_search import open_query_processor
from trapline.core.records import Page
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.core.urls import host_of
from trapline.laboratory.papers.oasis.federated_collection import TWICE, read_searchable
from trapline.laboratory.papers.oasis.federated_queries import AskedFor, make_queries
from trapline.laboratory.papers.oasis.topics import cut_by_topic
from trapline.laboratory.study.known_items import Called
from trapline.search.index import FullTextIndex
from trapline.search.questions import Question
from trapline.stores.sqlite.store import SqliteStore

PROGRAM = "from trapline.app.commands.main import main; main()"
LISTED = ("--listed", "127.0.0.1:*")
FIRST_PORT = 18_800
TEN = 10


def write_folder(folder: Path, pages: Sequence[Called]) -> None:
    """Each page keeps what others call it, told by the page before it."""
    store = SqliteStore(folder)
    names = list(dict.fromkeys(host_of(called.page.url) for called in pages))
    numbers = {name: number for number, name in enumerate(names)}
    batch = Batch(
        hosts=[HostRow(n, name, f"http://{name}/") for n, name in enumerate(names)]
    )
    for number, (page, texts) in enumerate(pages):
        batch.urls.append(UrlRow(number, page.url, numbers[host_of(page.url)]))
        batch.pages.append(_renumbered(page, number))
        source = (number or len(pages)) - 1
        batch.texts.append((source, [(number, text.text) for text in texts]))
    store.commit(batch)
    index = FullTextIndex(folder / "index")
    index.catch_up(store)
    index.close()
    store.close()


def _renumbered(page: Page, number: int) -> Page:
    return replace(page, page=number, same_as=-1)


def write_folders(pages: Sequence[Called], place: Path, engines: int) -> None:
    holders = cut_by_topic([called.page for called in pages], engines, TWICE, 0)
    write_folder(place / "central", pages)
    for engine in range(engines):
        own = [c for c, held in zip(pages, holders, strict=True) if engine in held]
        write_folder(place / f"engine{engine}", own)
        print(f"engine {engine}: {len(own):,} pages", flush=True)


@contextmanager
def running(*command: object) -> Iterator[str]:
    """The URL of a process that serves."""
    words = [sys.executable, "-c", PROGRAM, *map(str, command), "--json", *LISTED]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield str(json.loads(process.stdout.readline())["url"]).rstrip("/")
    finally:
        process.terminate()
        process.wait(60)


def ask(url: str, **said: object) -> Any:
    with urlopen(f"{url}/api/search?{urlencode(said)}", timeout=60) as answer:
        return json.loads(answer.read())


def wait_for_engines(url: str, engines: int) -> None:
    """Until the broker knows all the others."""
    names = ",".join(f"engine{n}" for n in range(1, engines))
    for _ in range(600):
        try:
            ask(url, q="warm", engines=names)
        except OSError:
            time.sleep(1.0)
        else:
            return
    raise SystemExit("the broker does not know all engines after ten minutes")


def measure(
    url: str, place: Path, pages: Sequence[Called], queries: list[AskedFor]
) -> None:
    central, store = open_query_processor(place / "central")
    urls = {called.page.page: called.page.url for called in pages}
    rows = defaultdict(list)
    for query in queries:
        began = time.perf_counter()
        said = ask(url, q=query.text)
        spent_ms = 1000.0 * (time.perf_counter() - began)
        found = [hit["url"] for hit in said["hits"]]
        ten = [hit.url for hit in central.ask(Question(query.text)).hits]
        asked = sum(one["state"] != "not asked" for one in said["engines"])
        failed = sum(one["state"] == "failed" for one in said["engines"])
        wanted = {urls[page] for page in query.wanted}
        share = len({*found} & {*ten}) / max(1, len(ten))
        row = (share, _rank(found, wanted), _rank(ten, wanted), asked, failed, spent_ms)
        rows[query.kind].append(row)
        rows["all"].append(row)
    store.close()
    print(
        "kind         queries  share of the ten   MRR  central  asked  failed  p50 ms  p95 ms"
    )
    for kind, some in sorted(rows.items()):
        table = np.array(some)
        share, rank, best, asked, failed = table[:, :5].mean(axis=0)
        p50, p95 = np.percentile(table[:, 5], (50, 95))
        half = 1.96 * table[:, 0].std() / len(table) ** 0.5
        print(
            f"{kind:12} {len(table):7}    {share:.3f} ± {half:.3f}  {rank:.3f}    {best:.3f}"
            f"  {asked:5.2f}  {failed:6.2f}  {p50:6.0f}  {p95:6.0f}"
        )


def _rank(urls: Sequence[str], wanted: set[str]) -> float:
    return next(
        (1.0 / place for place, url in enumerate(urls[:TEN], 1) if url in wanted), 0.0
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="an engine's folder")
    parser.add_argument("place", type=Path, help="where the federation is kept")
    parser.add_argument("--engines", type=int, default=16)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument(
        "--queries", type=int, default=150, help="titles; of others fewer"
    )
    given = parser.parse_args()
    pages = read_searchable(given.folder, 0, given.pages)
    if not (given.place / "central").exists():
        write_folders(pages, given.place, given.engines)
    with ExitStack() as stack:
        kept = given.place / "directory"
        directory = stack.enter_context(
            running("directory", kept, "--port", FIRST_PORT)
        )
        join = ("--directory", directory)
        urls = []
        for engine in range(given.engines):
            own = given.place / f"engine{engine}"
            port = ("--port", FIRST_PORT + 1 + engine)
            broker = ("--broker",) if engine == 0 else ()
            urls.append(
                stack.enter_context(running("serve", own, *port, *broker, *join))
            )
        wait_for_engines(urls[0], given.engines)
        measure(urls[0], given.place, pages, make_queries(pages, given.queries, 1))


if __name__ == "__main__":
    main()
