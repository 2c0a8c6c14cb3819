"""Robots killed with SIGKILL again and again while the web that they crawl changes, and what must
hold after each kill.

After a kill the folder is copied as it lies there and the copy is opened as a robot would: so the
next robot restarts from what the kill left, not from what a look at it tidied up. What happened is
taken from the server's log, never from the robot. The robot is the real command; only its
checkpoints and index commits come every second, so that kills meet them often.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from random import Random
from typing import Any, Final, Self

import tantivy

from tests.e2e.support.forks import Forked
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.demo.request_log import Arrival
from trapline.app.engine.from_settings import (
    live_policies,
    manners_of,
    request_controller,
)
from trapline.app.engine.restore import load_book, restore_controller
from trapline.app.settings import Settings, read_settings
from trapline.core.cards import GONE, HELD
from trapline.core.errors import TraplineError
from trapline.core.records import Kind, Outcome, Page, Visit
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.search.index import FullTextIndex
from trapline.stores.sqlite.store import SqliteStore

PROPERTIES: Final = (
    "opens unharmed",
    "no stored page lost",
    "no duplicate documents",
    "index equals store",
    "learnt state at most 1 s old",
    "no host hurried",
    "in flight repeated at most once",
)
INSTANTS: Final = ("start", "first visits", "anywhere", "commit", "checkpoint", "index")
OLD_S: Final = 1.0
# an answer's way to the robot, its processing, and one commit on an idle machine
STALL_S: Final = 0.25
PATIENCE_S: Final = 60.0
RARE: Final = 3  # pages that have a word
_GAP_S: Final = 0.2
_START_S: Final = 0.5  # in which a robot opens its folder and replays its journal
_ROBOT: Final = (
    "import trapline.live.commits as keeping; keeping.CHECKPOINT_S = keeping.INDEX_S = 1.0;"
    "from trapline.app.commands.main import main; main()"
)


def changing_world(seed: int) -> LinkedWeb:
    shape = Shape(
        gap_s=_GAP_S,
        change_every_s=(5.0, 200.0),
        life_s=120.0,
        born_share=0.2,
        dies_share=0.1,
    )
    return LinkedWeb.generate(100, 4, "space", seed, shape)


def settings_file(web: PracticeWeb, path: Path) -> Path:
    hosts = ", ".join(f'"{name}" = {_GAP_S}' for name in web.host_names())
    path.write_text(
        f'topic = "space"\nseeds = ["{web.home(0)}"]\n[budget]\nvisits = '
        f'"16/s"\n[manners]\nown = {{ {hosts} }}\n'
    )
    return path


class Stalls(threading.Thread):
    """How long this machine keeps a process waiting, for the processor and for the disk: robots
    suffer the same.
    """

    def __init__(self, probe: Path) -> None:
        super().__init__(daemon=True)
        self._probe, self._over, self._worst_s = probe, threading.Event(), 0.0

    def run(self) -> None:
        with self._probe.open("wb", buffering=0) as file:
            while not self._over.is_set():
                began_s = time.monotonic()
                time.sleep(0.05)
                file.write(b"x")
                os.fsync(file.fileno())
                self._worst_s = max(self._worst_s, time.monotonic() - began_s - 0.05)

    def worst_s(self) -> float:
        """Since it was last asked."""
        worst_s = self._worst_s
        self._worst_s = 0.0
        return worst_s

    def stop(self) -> None:
        self._over.set()
        self.join()


@dataclass(frozen=True, slots=True)
class Life:
    """One robot's life as its surroundings saw it, in seconds of time.monotonic()."""

    instant: str
    began_s: float
    killed_s: float
    stall_s: float  # the longest in this time


@dataclass(slots=True)
class Kept:
    """What a folder holds after a kill."""

    pages: dict[int, Page] = field(default_factory=dict)
    urls: list[str] = field(default_factory=list)  # page → URL
    visits: list[Visit] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)  # host → name:port


@dataclass(slots=True)
class Tally:
    """What was found wrong, by property, and what was measured."""

    kills: int = 0
    instants: Counter[str] = field(default_factory=Counter)
    violations: dict[str, list[str]] = field(
        default_factory=lambda: {name: [] for name in PROPERTIES}
    )
    # of the oldest answer that each kill lost; 0 = none was
    ages_s: list[float] = field(default_factory=list)
    lost: int = 0  # visits in flight at a kill, or answered and not yet committed

    def wrong(self) -> list[str]:
        return [
            f"{name}: {what}"
            for name, found in self.violations.items()
            for what in found
        ]


class Killing:
    """Kills robots on one folder; `tally` says what it did to the folder.

    The same seed draws the same instants.
    """

    def __init__(self, place: Path, seed: int) -> None:
        self._place, self._folder, self._rng = place, place / "engine", Random(seed)
        self.web = PracticeWeb(changing_world(seed), latency_s=0.01)
        self.tally = Tally()
        self._kept = Kept()
        self._instants: list[str] = []

    def __enter__(self) -> Self:
        self.web.start()
        self._file = settings_file(self.web, self._place / "topic.toml")
        self._settings: Settings = read_settings(self._file)
        self._stalls = Stalls(self._place / "probe")
        self._stalls.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stalls.stop()
        self.web.stop()

    def kill_one(self) -> None:
        """Let a robot live for a while, kill it, and judge what is left."""
        if not self._instants:
            self._instants = self._rng.sample(INSTANTS, len(INSTANTS))
        life = self._live(self._instants.pop())
        self.tally.kills += 1
        self.tally.instants[life.instant] += 1
        copy = self._place / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        if (self._folder / "store.sqlite").exists():
            shutil.copytree(self._folder, copy, ignore=shutil.ignore_patterns("*-shm"))
            self._judge(life, copy)

    # Killing

    def _live(self, instant: str) -> Life:
        self._stalls.worst_s()
        began_s = time.monotonic()
        words = ["crawl", str(self._file), "--dir", str(self._folder), "--json"]
        with Forked(_ROBOT, words) as robot:
            self._await(instant, robot)
            killed_s = time.monotonic()
            robot.kill()
            ended_by_itself = robot.communicate()[1]
        if robot.wait() >= 0:
            self._wrong(
                "opens unharmed",
                f"the robot ended by itself ({robot.returncode}): {ended_by_itself[-500:]}",
            )
        return Life(instant, began_s, killed_s, self._stalls.worst_s())

    def _await(self, instant: str, robot: Forked) -> None:
        if instant == "start":
            time.sleep(self._rng.uniform(0.0, _START_S))
            return
        requests = self.web.requests()
        _wait(lambda: self.web.requests() > requests or robot.poll() is not None)
        watched = {
            "commit": self._folder / "store.sqlite-wal",
            "checkpoint": self._folder,  # a file with another name appears in it
            "index": self._folder / "index",
        }
        if instant in watched:
            time.sleep(self._rng.uniform(0.0, 1.5))
            before = _stamp(watched[instant])
            _wait(
                lambda: _stamp(watched[instant]) != before or robot.poll() is not None
            )
            time.sleep(self._rng.uniform(0.0, 0.01))
        else:
            time.sleep(
                self._rng.uniform(0.0, 0.6 if instant == "first visits" else 3.0)
            )

    # Judging

    def _judge(self, life: Life, copy: Path) -> None:
        try:
            store = SqliteStore(copy)
        except TraplineError as problem:
            self._wrong("opens unharmed", str(problem))
            return
        try:
            before = self._kept
            self._kept = kept_in(store)
            self._judge_pages(before, self._kept)
            self._judge_index(store, copy / "index")
            self._judge_state(store)
        finally:
            store.close()
        self._judge_visits(life, before, self._kept.visits[len(before.visits) :])
        if hurried := self.web.gap_violations():
            self._wrong("no host hurried", f"{hurried} times so far")

    def _judge_pages(self, before: Kept, now: Kept) -> None:
        if (
            now.visits[: len(before.visits)] != before.visits
            or now.urls[: len(before.urls)] != before.urls
        ):
            self._wrong(
                "no stored page lost",
                "visits or URLs that were committed are others now",
            )
        gone = {
            visit.page
            for visit in now.visits[len(before.visits) :]
            if visit.outcome is Outcome.GONE
        }
        for page in before.pages.keys() - now.pages.keys() - gone:
            self._wrong("no stored page lost", before.pages[page].url)
        if len(set(now.urls)) < len(now.urls) or len(
            {page.url for page in now.pages.values()}
        ) < len(now.pages):
            self._wrong("no duplicate documents", "a URL has two numbers")
        if any(page.url != now.urls[number] for number, page in now.pages.items()):
            self._wrong(
                "no duplicate documents", "a document has another URL than its number"
            )

    def _judge_index(self, store: SqliteStore, folder: Path) -> None:
        index = FullTextIndex(folder)
        index.catch_up(store)
        index.close()
        found = indexed_in(folder)
        if len({page for page, _ in found}) < len(found):
            self._wrong("no duplicate documents", "the index has a page twice")
        pages = self._kept.pages
        wanted = {number: page for number, page in pages.items() if page.readable}
        if dict(found) != {page: held.changed_s for page, held in wanted.items()}:
            self._wrong(
                "index equals store",
                f"{len(found)} documents and {len(wanted)} pages to be found",
            )
        texts = {number: page.text for number, page in wanted.items()}
        if missed := words_missed(folder, rare_words(texts)):
            self._wrong("index equals store", f"words found elsewhere: {missed[:9]}")

    def _judge_state(self, store: SqliteStore) -> None:
        """The controller knows every visit that the store has: checkpoint, journal and pages speak
        of one instant.
        """
        settings = self._settings
        book = load_book(store)
        controller = request_controller(
            settings, live_policies(settings), book, manners_of(settings), store.robots
        )
        relearn = restore_controller(store, controller).relearn
        cards = controller.agenda.cards
        last = {
            visit.page: visit for visit in self._kept.visits if visit.kind is Kind.PAGE
        }
        stale = [page for page, visit in last.items() if not _knows(cards[page], visit)]
        held = {page for page in range(len(cards)) if cards["state"][page] == HELD}
        if relearn or stale or held != self._kept.pages.keys():
            said = f"to be learnt anew: {relearn}, {len(stale)} visits not known, held {len(held)}"
            self._wrong(
                "learnt state at most 1 s old", f"{said} of {len(self._kept.pages)}"
            )

    def _judge_visits(self, life: Life, before: Kept, committed: list[Visit]) -> None:
        """What the server answered in this life, against what was committed of it.

        A policy may come back to a page at any time; but then it knows the copy that it holds. Who
        asks for a page as if for the first time repeats a visit: once after a kill that lost it,
        never otherwise.
        """
        arrivals = self._arrivals(life)
        known = Counter(self._url(visit) for visit in committed)
        for url, times in known.items():
            if times > len(arrivals.get(url, [])):
                self._wrong(
                    "in flight repeated at most once",
                    f"{times} visits to {url} were kept, fewer made",
                )
        held = {page.url for page in before.pages.values()}
        for url, seen in arrivals.items():
            anew = sum(
                arrival.status == HTTPStatus.OK and not arrival.conditional
                for arrival in seen
            )
            if not url.endswith("/robots.txt") and anew > (url not in held):
                self._wrong(
                    "in flight repeated at most once",
                    f"{url} was fetched anew {anew} times",
                )
        lost = {
            url: seen[known[url] :]
            for url, seen in arrivals.items()
            if len(seen) > known[url]
        }
        self._judge_age(life, [seen[0].at_s for seen in lost.values()])
        self.tally.lost += sum(map(len, lost.values()))

    def _judge_age(self, life: Life, lost_s: list[float]) -> None:
        """The robot seals twice a second and then commits; a machine that is late for all is late
        for it, twice.
        """
        age_s = max((life.killed_s - at_s for at_s in lost_s), default=0.0)
        self.tally.ages_s.append(age_s)
        if age_s > OLD_S + STALL_S + 4.0 * life.stall_s:
            self._wrong(
                "learnt state at most 1 s old",
                f"{age_s:.2f} s (this machine stalled {life.stall_s:.2f} s)",
            )

    def _arrivals(self, life: Life) -> dict[str, list[Arrival]]:
        found: dict[str, list[Arrival]] = {}
        for host, name in enumerate(self.web.host_names()):
            for arrival in self.web.arrivals(host):
                if arrival.at_s >= life.began_s:
                    found.setdefault(f"http://{name}{arrival.path}", []).append(arrival)
        return found

    def _url(self, visit: Visit) -> str:
        if visit.kind is Kind.ROBOTS:
            return f"http://{self._kept.hosts[visit.host]}/robots.txt"
        return self._kept.urls[visit.page]

    def _wrong(self, name: str, what: str) -> None:
        self.tally.violations[name].append(f"kill {self.tally.kills}: {what}")


def visits(folder: Path) -> int:
    """Committed so far, also beside a robot at work."""
    try:
        store = SqliteStore(folder, read_only=True)
    except TraplineError:
        return 0  # not there yet
    found = store.counts().visits
    store.close()
    return found


def kept_in(store: SqliteStore) -> Kept:
    changes = [
        change.document for change in store.changes() if change.document is not None
    ]
    return Kept(
        pages={page.page: page for page in changes},
        urls=[row.url for row in store.urls()],
        visits=list(store.history()),
        hosts=[row.name for row in store.hosts()],
    )


def indexed_in(folder: Path) -> list[tuple[int, float]]:
    """(page, last changed) of every document of an index, read past the robot's own code."""
    if not (folder / "meta.json").exists():
        return []
    searcher = tantivy.Index.open(str(folder)).searcher()
    return _documents(searcher, tantivy.Query.all_query())


def rare_words(texts: dict[int, str]) -> dict[str, set[int]]:
    """Words that few pages have, and which: no host can be said to repeat them on every page."""
    having: dict[str, set[int]] = {}
    for page, text in texts.items():
        for word in re.findall(r"[^\W_]{1,30}(?![^\W_])", text.lower()):
            having.setdefault(word, set()).add(page)
    return {word: pages for word, pages in having.items() if len(pages) <= RARE}


def words_missed(folder: Path, words: dict[str, set[int]]) -> list[str]:
    """Those that an index finds on other pages."""
    if not words:
        return []
    index = tantivy.Index.open(str(folder))
    searcher = index.searcher()
    return [
        word
        for word, pages in words.items()
        for query in (tantivy.Query.term_query(index.schema, "spelt", word),)
        if {page for page, _ in _documents(searcher, query)} != pages
    ]


def _documents(
    searcher: tantivy.Searcher, query: tantivy.Query
) -> list[tuple[int, float]]:
    hits = searcher.search(query, max(searcher.num_docs, 1)).hits
    addresses = [address for _, address in hits]
    pages = searcher.fast_field_values("page", addresses)
    changed = searcher.fast_field_values("changed_s", addresses)
    return [(int(p or 0), float(c or 0.0)) for p, c in zip(pages, changed, strict=True)]


def _knows(card: Any, visit: Visit) -> bool:
    """Whether a page's card tells of its last visit. Of failures it only counts how many."""
    if visit.outcome is Outcome.GONE:
        return bool(card["state"] == GONE)
    return (
        bool(card["last"] == visit.ended_s)
        if visit.outcome <= Outcome.UNCHANGED
        else True
    )


def _stamp(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def _wait(until: Callable[[], bool]) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not until() and time.monotonic() < deadline_s:
        time.sleep(0.001)
