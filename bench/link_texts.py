"""What does it cost to keep what others call a page? A crawl of real pages, without its network.

    python bench/link_texts.py FOLDER …          each FOLDER is a host, with HTML pages in it
    python bench/link_texts.py --most 1000 …     at most so many pages of each (500)

How to read the table
    The pages of all hosts are read breadth first, a page of each host in turn, and committed fifty
    at a time to two stores in turn: one is told the texts of links, the other is not. commit is
    milliseconds of processor a page, KB what a page takes on disk. indexed again is how often a
    page that is held gets a new revision because others call it something else.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Final

from trapline.collection.collection import Collection
from trapline.collection.duplicates import Duplicates
from trapline.collection.url_book import HashUrlBook
from trapline.core.links import Links, LinkTexts
from trapline.core.records import Fetched, Kind, Ticket
from trapline.live.digest import Digester
from trapline.reading.answer import read_answer
from trapline.reading.html.document import read_html
from trapline.reading.html.link_texts import link_texts
from trapline.reading.packing import pack_reading, unpack_reading
from trapline.reading.readings import ReadDocument
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.scope.gate import Gate
from trapline.stores.sqlite.store import SqliteStore
from trapline.topic.topic import Topic

EVERY: Final = 50  # pages a commit
LONGEST: Final = 1_000_000  # bytes
TIMED: Final = 300  # pages whose reading is timed


class Silent(Collection):
    """Does not pass on what pages call others."""

    def note_links(self, page: int, links: Links, texts: LinkTexts = ()) -> None:
        super().note_links(page, links)


class Scene:
    """A digester and its store, without a robot."""

    def __init__(self, make: type[Collection], folder: Path) -> None:
        self.folder = folder
        self.store = SqliteStore(folder)
        self.book = HashUrlBook(1, self.store.url)
        self.collection = make(self.store, self.book)
        processor = ResponseProcessor(self.book, Topic(()), self.collection.held)
        self.digester = Digester(self.collection, processor, Duplicates(), Gate())
        self.seconds = 0.0

    def take_in(self, number: int, answer: Fetched) -> None:
        page, host = self.book.number(answer.url)
        ticket = Ticket(number, Kind.PAGE, page, host, number, 1.0)
        self.digester.digest(_answer(ticket, answer.url, answer.body), number)

    def commit(self) -> None:
        self.seconds += _seconds_of(self.collection.flush)

    def bytes_used(self) -> int:
        return sum(file.stat().st_size for file in self.folder.iterdir())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=500)
    orders = parser.parse_args()
    walks = [islice(_walk(folder), orders.most) for folder in orders.folders]
    turns = chain.from_iterable(zip_longest(*walks))
    pages = [answer for answer in turns if answer is not None]
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)  # as the robot has it
    with tempfile.TemporaryDirectory() as place:
        _measure_commits(pages, Path(place))
    _measure_reading(pages[:: len(pages) // TIMED + 1])


def _walk(folder: Path) -> Iterator[Fetched]:
    """The pages of a host, breadth first."""
    home = f"http://{folder.name.lower()}.test/"
    found = (file for file in folder.rglob("*.html") if file.is_file())
    files = {home + str(file.relative_to(folder)): file for file in found}
    first = min(files, key=lambda url: ("index" not in url, len(url)))
    met = {first}
    queue = deque([first])
    while queue:
        url = queue.popleft()
        body = files[url].read_bytes()
        answer = _answer(Ticket(0, Kind.PAGE, 0, 0, 0.0, 1.0), url, body)
        reading = read_answer(answer)
        if len(body) > LONGEST or not isinstance(reading, ReadDocument):
            continue
        yield answer
        for target in reading.links.urls:
            if target in files and target not in met:
                met.add(target)
                queue.append(target)


def _answer(ticket: Ticket, url: str, body: bytes) -> Fetched:
    return Fetched(ticket, url, 1.0, 200, body=body, content_type="text/html")


def _measure_commits(pages: Sequence[Fetched], place: Path) -> None:
    with_texts = Scene(Collection, place / "with")
    without = Scene(Silent, place / "without")
    scenes = [with_texts, without]
    for number, page in enumerate(pages, 1):
        for scene in scenes:
            scene.take_in(number, page)
        if number % EVERY == 0 or number == len(pages):
            scenes.reverse()
            for scene in scenes:
                scene.commit()
    for name, scene in (("with", with_texts), ("without", without)):
        ms = 1e3 * scene.seconds / len(pages)
        size = scene.bytes_used() / 1e3 / len(pages)
        print(f"{name + ' texts':14} commit {ms:.3f} ms a page, {size:.1f} KB a page")
    counts = with_texts.store.counts()
    again = counts.revision - without.store.counts().revision
    print(f"{counts.held:,} pages held; indexed again {again / counts.held:.2f} times")


def _measure_reading(pages: Sequence[Fetched]) -> None:
    whole = 0.0
    texts = 0.0
    for turn in range(6):
        counts = turn > 0  # the first turn warms up
        for page in pages:
            whole += counts * _seconds_of(partial(_read, page))
            document = read_html(page.body, page.content_type, page.url)
            labels = [anchor.label for anchor in document.links]
            texts += counts * _seconds_of(partial(link_texts, labels))
    ms = 1e3 * whole / 5 / len(pages)
    print(f"reading {ms:.2f} ms a page, {100 * texts / whole:.1f} % of it for texts")


def _read(page: Fetched) -> None:
    unpack_reading(pack_reading(read_answer(page)))


def _seconds_of(work: Callable[[], object]) -> float:
    before = time.process_time()
    work()
    return time.process_time() - before


if __name__ == "__main__":
    main()
