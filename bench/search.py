"""How well and how fast does the search answer? `bench/search.py WEBBOX`, the folder of a web box.

Quality on nine documentation hosts, with known items and questions of its own (search_sets.py):
mean reciprocal rank within ten, and for questions the share answered at place 1 and within 5.
Then the processor time of a query, snippets counted, on these and (`--all`) on the whole box.
`--meaning` asks once more with word vectors; `--keep DIR` leaves the folder of the nine hosts.
`--serve` asks over a kept connection, asks 200 at once, and asks 50 times a second beside a crawl.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from search_folder import make_folder  # type: ignore[import-not-found]  # beside this file
from search_serving import measure_serving  # type: ignore[import-not-found]
from search_sets import NINE, Item, Sets, box_files, make_sets  # type: ignore[import-not-found]
from trapline.app.folder.folder_search import open_query_processor
from trapline.app.folder.reindex import reindex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Question

GOALS = {"titles": 0.95, "bodies": 0.72, "link texts": 0.78}


def place_of(processor: QueryProcessor, item: Item) -> int:
    """0 = not within ten."""
    hits = processor.ask(Question(item.query)).hits
    return next((at for at, hit in enumerate(hits, 1) if hit.url in item.urls), 0)


def measure_quality(processor: QueryProcessor, sets: Sets) -> None:
    for name, items in sets.named().items():
        places = [place_of(processor, item) for item in items]
        mrr = sum(1 / place for place in places if place) / len(places)
        told = f"{name:<11} n={len(items):<5} MRR {mrr:.3f}"
        if name in GOALS:
            print(f"{told}  (goal {GOALS[name]})", flush=True)
            continue
        first = sum(place == 1 for place in places) / len(places)
        five = sum(1 <= place <= 5 for place in places) / len(places)
        print(
            f"{told}  @1 {first:.2f} (goal .58)  @5 {five:.2f} (goal .80)", flush=True
        )


def measure_time(processor: QueryProcessor, sets: Sets) -> None:
    """Processor time a query with ten snippets."""
    spent = []
    for items in sets.named().values():
        for item in items[:200]:
            began = time.process_time()
            processor.ask(Question(item.query))
            spent.append(1000 * (time.process_time() - began))
    spent.sort()
    p50, p95 = (spent[int(len(spent) * share)] for share in (0.5, 0.95))
    print(
        f"processor time a query: p50 {p50:.1f} ms, p95 {p95:.1f} ms (goal 12)",
        flush=True,
    )


def measure_folder(folder: Path, sets: Sets, *, quality: bool) -> None:
    processor, store = open_query_processor(folder)
    print(f"{store.counts().held:,} pages", flush=True)
    if quality:
        measure_quality(processor, sets)
    for query in ("warm", "up"):
        processor.ask(Question(query))
    measure_time(processor, sets)
    store.close()


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("box", type=Path)
    parser.add_argument("--size", type=int, default=1000, help="known items of a kind")
    parser.add_argument("--all", action="store_true", help="the whole box as well")
    parser.add_argument("--meaning", action="store_true", help="by word vectors, too")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="leave the folder here"
    )
    parser.add_argument("--serve", action="store_true", help="over HTTP as well")
    wishes = parser.parse_args(arguments)
    if wishes.keep and wishes.keep.exists():
        parser.error(f"{wishes.keep} exists: name a folder that does not")
    files = list(box_files(wishes.box, NINE))
    sets = make_sets(files, wishes.size)
    with tempfile.TemporaryDirectory() as place:
        nine = Path(place) / "nine"
        make_folder(nine, files, sets.held_out)
        measure_folder(nine, sets, quality=True)
        if wishes.keep:
            shutil.copytree(nine, wishes.keep)
        if wishes.meaning:
            print(reindex(nine, meaning=True))
            measure_folder(nine, sets, quality=True)
            reindex(nine, meaning=False)
        if wishes.serve:
            measure_serving(nine, sets)
        if wishes.all:
            whole = Path(place) / "all"
            make_folder(whole, list(box_files(wishes.box)), {})
            measure_folder(whole, sets, quality=False)


if __name__ == "__main__":
    main()
