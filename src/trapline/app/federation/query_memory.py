"""What a broker remembers of queries: noted at once, written down every second.

For `trapline engines suggest`. The broker calls `note` once for each question that a person asked,
when its answer is complete, and `note_opened` when a result was opened; never for lessons, nor for
queries that are typed or passed on by another broker.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Final

import apsw

from trapline.app.demand.demand_file import day_now
from trapline.app.demand.tally import normal_query
from trapline.app.federation.query_memory_file import (
    LONGEST_URL,
    QueryDay,
    add_queries,
)
from trapline.app.output.standard_output import print_remark

OWN: Final = "own"  # how the broker's own collection is called among engines
WRITE_S: Final = 1.0
MOST: Final = 500  # different queries between two writings
SEEN: Final = 10  # results at which people look


@dataclass(frozen=True, slots=True)
class AnsweredPage:
    url: str
    engines: tuple[str, ...]  # keys of all that held it; OWN among them


class QueryMemory:
    """From any thread. What cannot be written is not remembered, and that is told once."""

    def __init__(self, folder: Path, say: Callable[[str], None] = print_remark) -> None:
        self._folder = folder
        self._say = say
        self._noted: dict[str, QueryDay] = {}
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._has_said = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="queries")
        self._thread.start()

    def note(
        self,
        query: str,
        *,
        asked: Sequence[str],
        pages: Sequence[AnsweredPage],
        found: int,
        best: float,
    ) -> None:
        """A question was answered, by the engines asked, with these pages, best first.

        `best` is the score of the first over the sum of the rarities of the words.
        """
        text = normal_query(query)
        if text:
            self._add(answered_query(text, day_now(), asked, pages, found, best))

    def note_opened(self, query: str, url: str) -> None:
        """A result was opened."""
        text = normal_query(query)
        if text:
            self._add(opened_query(text, day_now(), url))

    def write(self) -> None:
        with self._writing:
            with self._lock:
                noted = self._noted
                self._noted = {}
            if not noted:
                return
            try:
                add_queries(self._folder, noted.values())
            except (apsw.Error, OSError) as failure:
                self._tell(failure)

    def close(self) -> None:
        self._over.set()
        self._thread.join(timeout=5.0)
        self.write()

    def _add(self, one: QueryDay) -> None:
        with self._lock:
            known = self._noted.get(one.query)
            if known is not None:
                self._noted[one.query] = known.plus(one)
            elif len(self._noted) < MOST:
                self._noted[one.query] = one

    def _run(self) -> None:
        while not self._over.wait(WRITE_S):
            self.write()

    def _tell(self, failure: Exception) -> None:
        if not self._has_said:
            self._has_said = True
            self._say(f"queries cannot be remembered in {self._folder}: {failure}")


def answered_query(
    text: str,
    day: int,
    asked: Sequence[str],
    pages: Sequence[AnsweredPage],
    found: int,
    best: float,
) -> QueryDay:
    """One question as a row; scores come from strangers, so what is no number is nothing."""
    hits: dict[str, int] = {}
    pairs: dict[str, int] = {}
    for page in pages[:SEEN]:
        holders = sorted(set(page.engines))
        for engine in holders:
            hits[engine] = hits.get(engine, 0) + 1
        for one, other in combinations(holders, 2):
            pair = f"{one} {other}"
            pairs[pair] = pairs.get(pair, 0) + 1
    return QueryDay(
        text,
        day,
        1,
        max(0, found),
        best if 0.0 <= best < math.inf else 0.0,
        0,
        dict.fromkeys(sorted(asked), 1),
        hits,
        pairs,
        {page.url: list(page.engines) for page in pages[:SEEN]},
    )


def opened_query(text: str, day: int, url: str) -> QueryDay:
    urls = (url,) if len(url) <= LONGEST_URL else ()
    return QueryDay(text, day, 0, 0, 0.0, 1, {}, {}, {}, {}, urls)
