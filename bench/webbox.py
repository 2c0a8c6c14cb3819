"""How much does one pass over a real multi-host web find?

The web is the web box, a folder built by its own script (BOX below), read from disk.

    python bench/webbox.py BOX --topic databases
    python bench/webbox.py BOX --topic "tea kettles" --hosts a.test:18097,b.test:18097 --examples 15

A topic is words, and examples drawn from the pages of hosts. Pages go through the real response
processor (relevance, links and their clues), then policies through the real request controller.
Every page of the box is parsed once and every topic judged once, which takes minutes; both are kept
in --cache. A bench informs, tests judge: exit code 0.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from trapline.core.errors import UserMistake
from trapline.core.links import Links
from trapline.core.ports import UrlBook
from trapline.core.records import Fetched, Kind, Outcome, Ticket
from trapline.core.urls import host_of
from trapline.laboratory.compare.discovery import (
    DiscoveryWishes,
    compare_discovery,
    marks_in,
)
from trapline.laboratory.compare.policy_names import names_in
from trapline.laboratory.study.report import Report
from trapline.laboratory.worlds.crawled import crawled_truth
from trapline.laboratory.worlds.world_files import World, save_world
from trapline.reading.answer import analyse_document
from trapline.reading.html.document import Document
from trapline.reading.readings import Unreadable
from trapline.robot.response.response_processor import ResponseProcessor
from trapline.topic import topic as topic_room
from trapline.topic.topic import Topic
from trapline.topic.word_hashes import WordCounts, count_words
from webbox_disk import Read, Walk  # type: ignore[import-not-found]  # it stands beside this file

# words, and how the manifest names the subject of the hosts that give examples
TOPICS: Final = {
    "databases": ("database query transaction index table SQL", "databases"),
    "astronomy": ("astronomy telescope sky coordinates galaxy star", "astronomy"),
    "music": ("music notation score sound synthesis instrument", "music"),
    "mail": ("mail delivery SMTP message transfer mailbox", "mail"),
    "machine learning": (
        "machine learning classifier training clustering regression",
        "machine learning",
    ),
    "search": ("full text search engine indexing documents", "search/indexing"),
    "geography": ("geographic map raster vector geometry projection", "geography"),
    "graphics": ("image editing layer colour brush picture", "graphics"),
}
_PLACES: Final = 1 << 24  # of words, by hash
LEAST_LETTERS: Final = 500  # of the text of an example
WANTED: Final = {  # of `value`, topic databases
    1: {
        "R@1000": 0.42,
        "R@5000": 0.88,
        "R@20000": 0.97,
        "P@5000": 0.78,
        "P@20000": 0.92,
    },
    20: {"polite P@5000": 0.69, "polite P@20000": 0.79},
}


@dataclass(frozen=True, slots=True)
class Subject:
    name: str
    words: str
    hosts: tuple[str, ...]  # that give examples
    examples: int
    seed: int  # that draws them
    ruler: bool  # relevance by the ruler (class Ruler), not the topic's own

    def file(self, kept: Path) -> Path:
        """Another topic or another way to judge, another name."""
        said = repr((self, (kept / "index.json").stat().st_size))
        digest = hashlib.sha256(said.encode())
        for source in sorted(Path(topic_room.__file__).parent.glob("*.py")):
            digest.update(source.read_bytes())
        return (
            kept / f"world-{self.name.replace(' ', '-')}-{digest.hexdigest()[:12]}.npz"
        )


class FixedBook:
    """The box's pages, by number; everything else is page −1."""

    def __init__(self, urls: list[str]) -> None:
        self.urls = urls
        names = sorted({host_of(url) for url in urls})
        hosts = {name: number for number, name in enumerate(names)}
        self.host = np.array([hosts[host_of(url)] for url in urls], np.int32)
        self._numbers = {
            url: (page, int(self.host[page])) for page, url in enumerate(urls)
        }

    def number(self, url: str) -> tuple[int, int]:
        return self._numbers.get(url, (-1, -1))


class Ruler:
    """Plain TF-IDF over the whole box: relevance is clip((cosine − 0.1)/0.1, 0, 1)."""

    def __init__(self) -> None:
        self._documents = 0
        self._holding = np.zeros(_PLACES, np.int32)  # documents that hold a word
        self._topic = np.zeros(_PLACES)

    def learn(self, counts: WordCounts) -> None:
        self._documents += 1
        self._holding[counts.words & (_PLACES - 1)] += 1

    def aim(self, words: str, examples: list[WordCounts]) -> None:
        """Half keywords, half the centroid of the examples."""
        for documents in ([count_words("", words)], examples):
            half = np.zeros(_PLACES)
            for counts in documents:
                half[counts.words & (_PLACES - 1)] += self._parts(counts)
            self._topic += half / max(1e-9, float(np.linalg.norm(half)))
        self._topic /= max(1e-9, float(np.linalg.norm(self._topic)))

    def __call__(self, title: str, text: str) -> float:
        counts = count_words(title, text)
        cosine = float(self._parts(counts) @ self._topic[counts.words & (_PLACES - 1)])
        return min(1.0, max(0.0, (cosine - 0.1) / 0.1))

    def _parts(self, counts: WordCounts) -> NDArray[np.float64]:
        held = np.maximum(1, self._holding[counts.words & (_PLACES - 1)])
        parts = (1.0 + np.log(counts.times)) * np.log((self._documents + 1) / held)
        return np.asarray(parts / max(1e-9, float(np.linalg.norm(parts))))


@contextmanager
def bar(what: str, total: int) -> Iterator[Progress]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        progress.add_task(what, total=total)
        yield progress


def taught(walk: Walk, subject: Subject, pages: int) -> tuple[Topic, Ruler]:
    """The topic with its examples, after it has met all words of the box: a web at rest is judged
    by one measure.
    """
    topic = Topic.from_text(subject.words, expects=subject.examples > 0)
    ruler = Ruler()
    examples = {
        url: count_words(some.title, some.text)
        for url, some in _examples(walk, subject, pages).items()
    }
    for url, counts in examples.items():
        topic.exemplify(url, counts)
    with bar("words", pages) as progress:
        for page in walk.documents():
            if page.document is not None:
                counts = count_words(page.document.title, page.document.text)
                topic.learn(counts, topic.judge(counts))
                ruler.learn(counts)
            progress.advance(progress.task_ids[0])
    ruler.aim(subject.words, list(examples.values()))
    return topic, ruler


def _examples(walk: Walk, subject: Subject, pages: int) -> dict[str, Document]:
    """As many from each host (half of all pages about databases are of one), drawn by a hash of the
    URL.
    """
    lots: dict[str, list[tuple[str, str, Document]]] = {
        host: [] for host in subject.hosts
    }
    with bar("examples", pages) as progress:
        for page in walk.documents() if subject.examples else ():
            progress.advance(progress.task_ids[0])
            host = host_of(page.url)
            document = page.document
            if document and host in lots and len(document.text) >= LEAST_LETTERS:
                lot = hashlib.sha256(f"{subject.seed} {page.url}".encode()).hexdigest()
                lots[host] = sorted(
                    [*lots[host], (lot, page.url, document)], key=lambda one: one[:2]
                )[: subject.examples]
    ranked = sorted(
        (rank, *one) for some in lots.values() for rank, one in enumerate(some)
    )[: subject.examples]
    if len(ranked) < subject.examples:
        raise UserMistake(
            f"there are {len(ranked)} pages to draw {subject.examples} examples from: name "
            "other --hosts"
        )
    return {url: document for _, _, url, document in ranked}


def judged_world(walk: Walk, subject: Subject, urls: list[str]) -> World:
    book = FixedBook(urls)
    topic, ruler = taught(walk, subject, len(urls))
    # It has met all words already.
    topic.frequencies.learn = lambda words: False  # type: ignore[method-assign]
    processor = ResponseProcessor(
        cast("UrlBook", book),
        topic,
        lambda page: None,
        ruler if subject.ruler else None,
    )
    relevance = np.zeros(len(urls))
    links = {}
    gone = []
    seeds = []
    with bar("judging", len(urls)) as progress:
        for number, page in enumerate(walk.documents()):
            here, _ = book.number(page.url)
            outcome, relevance[here], found = _processed(processor, here, page, number)
            if outcome not in (Outcome.OK, Outcome.MOVED):
                gone.append(here)
            links[here] = found[found["page"] >= 0]
            if page.url == walk.box.hub:
                seeds = links[here]["page"].tolist()
            progress.advance(progress.task_ids[0])
    hosts = int(book.host.max()) + 1
    truth = crawled_truth(
        host=book.host,
        relevance=relevance,
        rate=np.zeros(len(urls)),
        gone=gone,
        links=sorted(links.items()),
        gap_s=np.ones(hosts),
        latency_s=np.zeros(hosts),
    )
    return World(subject.words, seeds, truth, urls)


def _processed(
    processor: ResponseProcessor, here: int, page: Read, number: int
) -> tuple[Outcome, float, Links]:
    ticket = Ticket(number, Kind.PAGE, here, 0, 0.0, 0.0)
    fetched = Fetched(ticket, page.url, 0.0, status=page.status, location=page.location)
    reading = (
        analyse_document(page.document, page.url)
        if page.document
        else Unreadable("nothing to read")
    )
    observation = processor.process(fetched, 0.0, reading).observation
    return observation.outcome, observation.relevance, observation.links


def show(report: Report, every: int, wanted: bool) -> None:
    table = Table(
        *report.columns,
        title=f"at most every {every} steps" if every > 1 else "no gaps",
        title_justify="left",
    )
    targets = WANTED.get(every, {}) if wanted else {}
    for row in report.rows:
        table.add_row(*(_cell(row.get(name)) for name in report.columns))
    if targets:
        table.add_row(
            *(
                "wanted" if name == "id" else _cell(targets.get(name, ""))
                for name in report.columns
            )
        )
    console = Console()
    (console if console.is_terminal else Console(width=160)).print(table)
    print(report.remarks[0], flush=True)


def _cell(value: object) -> str:
    return (
        "–"
        if value is None
        else f"{value:.3f}"
        if isinstance(value, float)
        else str(value)
    )


def subject_of(words: argparse.Namespace, walk: Walk) -> Subject:
    said, about = TOPICS.get(words.topic, (words.topic, None))
    hosts = sorted(words.hosts.split(",")) if words.hosts else []
    if about is not None and not hosts:
        hosts = sorted(
            name for name, subject in walk.box.subjects.items() if subject == about
        )
    name = words.topic if words.topic in TOPICS else words.topic.split()[0]
    return Subject(
        name,
        said,
        tuple(hosts),
        words.examples if hosts else 0,
        words.seed,
        words.ruler,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Discovery on the web box.")
    parser.add_argument("box", type=Path)
    parser.add_argument(
        "--topic", default="databases", help=f"words, or one of: {', '.join(TOPICS)}"
    )
    parser.add_argument(
        "--hosts", default="", help="name:port,… whose pages are examples"
    )
    parser.add_argument("--examples", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1, help="draws other examples")
    parser.add_argument(
        "--policies", default="value,best-first,breadth-first,random,fringe-greedy"
    )
    parser.add_argument("--marks", default="1000,5000,20000")
    parser.add_argument(
        "--every",
        type=int,
        default=20,
        help="also with so many steps from one fetch of a host to the next",
    )
    parser.add_argument(
        "--ruler",
        action="store_true",
        help="relevance by plain TF-IDF over the whole box, not the topic's own",
    )
    parser.add_argument("--cache", type=Path, default=Path("/tmp/wb-cache"))
    parser.add_argument("--workers", type=int, default=2)
    words = parser.parse_args()
    walk = Walk(words.box, words.cache, words.workers)
    with bar("parsing", 1) as progress:
        urls = walk.read(
            lambda done, known: progress.update(
                progress.task_ids[0], completed=done, total=known
            )
        )
    subject = subject_of(words, walk)
    path = subject.file(words.cache)
    if not path.exists():
        save_world(path, judged_world(walk, subject, urls))
    judge = "the ruler: plain TF-IDF" if subject.ruler else "the topic itself"
    print(
        f"{subject.words}; {subject.examples} examples from {len(subject.hosts)} hosts; "
        f"relevance by {judge}"
    )
    policies = names_in(words.policies)
    marks = marks_in(words.marks)
    for every in dict.fromkeys((1, words.every)):
        wishes = DiscoveryWishes(
            policies, path, marks=marks, seeds=2, every=every, workers=0
        )
        with bar(f"passes, every {every}", 100) as progress:
            report = compare_discovery(
                wishes,
                lambda share, _: progress.update(
                    progress.task_ids[0], completed=100 * share
                ),
                None,
            )
        show(report, every, subject.name == "databases")


if __name__ == "__main__":
    try:
        main()
    except UserMistake as mistake:
        sys.exit(f"webbox: {mistake}")
