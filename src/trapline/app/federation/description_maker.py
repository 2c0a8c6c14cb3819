"""The description of a folder: what it holds, counted and signed, made anew as the folder changes.

Counting the words of 10,000 pages takes about two seconds, so it is done when somebody wants to
know, by a thread of its own, and kept in the folder.
"""

from __future__ import annotations

import hashlib
import heapq
import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import xxhash

from trapline.app.federation.description_file import DescriptionFile, Made
from trapline.app.federation.key_file import EngineKey
from trapline.app.folder.dashboard import estimates_of
from trapline.core.errors import TraplineError
from trapline.core.records import Page
from trapline.core.storage import SteadyStore
from trapline.oasis.deltas import pack_delta
from trapline.oasis.description import (
    LONGEST_NAME,
    LONGEST_TOPIC,
    MOST_LANGUAGES,
    Description,
    Packed,
)
from trapline.oasis.packing import pack_sample, pack_within, unpack_terms
from trapline.oasis.sample import MOST_PAGES, Sample
from trapline.oasis.signed_description import sign_description
from trapline.oasis.terms import TermTable
from trapline.search.query_processor import QueryProcessor
from trapline.search.statistics.page_words import weigh_pages
from trapline.search.statistics.term_statistics import term_statistics

FOLDER: Final = "oasis"
SOON_S: Final = 20.0
EVERY_S: Final = 600.0  # not more often, however fast the folder grows
_WEIGHED: Final = 2000  # pages in which common words are weighed
_REMEMBERED: Final = 4  # versions from which a delta can be made
_TOPIC_NOTE: Final = "judged"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who the engine is, and what it wants to tell."""

    name: str
    url: str
    key: EngineKey
    private_terms: bool = False


class DescriptionMaker:
    """From any thread."""

    def __init__(
        self,
        folder: Path,
        store: SteadyStore,
        processor: QueryProcessor,
        identity: Identity,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._store = store
        self._processor = processor
        self.identity = identity
        self._now = now
        self._file = DescriptionFile(folder / FOLDER)
        self._lock = threading.Lock()
        self._made: Made | None = None
        self._thread: threading.Thread | None = None
        self._versions: OrderedDict[int, TermTable] = OrderedDict()

    def current(self) -> Made:
        """The newest that there is. Whoever asks first waits; later a new one is made meanwhile."""
        with self._lock:
            if self._made is None:
                self._keep(self._read_saved() or self._make())
            assert self._made is not None
            if self._is_old(self._made) and not self._is_making():
                self._thread = threading.Thread(
                    target=self._renew, daemon=True, name="description"
                )
                self._thread.start()
            return self._made

    def delta(self, since: int) -> bytes | None:
        """What has changed since a version; None = it is not remembered."""
        with self._lock:
            old = self._versions.get(since)
            if self._made is None or old is None:
                return None
            return pack_delta(old, self._versions[self._made.version])

    def close(self) -> None:
        if self._thread is not None:
            self._thread.join(timeout=30.0)

    def _is_making(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _is_old(self, made: Made) -> bool:
        """A young folder grows fast: what tells less than half of it is made anew sooner."""
        counts = self._store.counts()
        outgrown = counts.held > 2 * made.signed["pages"]
        wait_s = SOON_S if outgrown else EVERY_S
        return self._now() >= made.made_s + wait_s and made.revision != counts.revision

    def _renew(self) -> None:
        try:
            made = self._make()
        except (TraplineError, OSError):
            return  # the old one still describes it, and the next who asks tries again
        with self._lock:
            self._keep(made)

    def _keep(self, made: Made) -> None:
        self._versions[made.version] = unpack_terms(made.terms)
        self._made = made
        while len(self._versions) > _REMEMBERED:
            self._versions.popitem(last=False)

    def _read_saved(self) -> Made | None:
        """What an earlier server made, if it is still true of this one."""
        made = self._file.read()
        if made is None:
            return None
        mine = {
            "key": self.identity.key.public,
            "url": self.identity.url,
            "name": self.identity.name[:LONGEST_NAME],
        }
        same = all(made.signed[name] == value for name, value in mine.items())
        private = made.sample is None
        return made if same and private == self.identity.private_terms else None

    # Making

    def _make(self) -> Made:
        now_s = self._now()
        revision = self._store.counts().revision
        numbers = self._choose_pages()
        view = self._processor.view()
        pages = view.searcher.num_docs
        table = TermTable.of_rows(pages, term_statistics(view, numbers))
        terms, kept = pack_within(table)
        sample = None if self.identity.private_terms else self._sample(numbers)
        version = max(self._file.version() + 1, int(now_s))
        estimates = estimates_of(self._folder, self._store)
        languages = view.searcher.terms_with_prefix(
            "language", "", limit=MOST_LANGUAGES
        )
        description = Description(
            self.identity.name[:LONGEST_NAME],
            self.identity.url,
            self.identity.key.public,
            version,
            now_s,
            pages,
            self._topic(),
            tuple((code, count) for code, count in languages if code),
            estimates and round(estimates.freshness.value, 4),
            estimates and round(estimates.recall.value, 4),
            terms=_packed_part(version, terms, kept),
            sample=sample and _packed_part(version, *sample),
        )
        signed = dict(sign_description(description, self.identity.key.sign).said)
        made = Made(signed, terms, sample and sample[0], revision, now_s)
        self._file.write(made)
        return made

    def _choose_pages(self) -> list[int]:
        """Pages whose URLs have the smallest hashes: the same ones in the next version."""
        rows = (
            (xxhash.xxh3_64_intdigest(row.url.encode()), row.page)
            for row in self._store.urls()
        )
        return [page for _, page in heapq.nsmallest(_WEIGHED, rows)]

    def _sample(self, numbers: list[int]) -> tuple[bytes, int]:
        sample = Sample.of_pages(weigh_pages(self._pages(numbers)))
        return pack_sample(sample), len(sample)

    def _pages(self, numbers: list[int]) -> Iterator[Page]:
        found = 0
        for number in numbers:
            page = self._store.page(number)
            if page is not None and page.searchable and found < MOST_PAGES:
                found += 1
                yield page

    def _topic(self) -> str:
        try:
            table, _ = json.loads(self._store.note(_TOPIC_NOTE) or "[{}, 0]")
        except ValueError:
            return ""
        return " ".join(str(table.get("words", "")).split())[:LONGEST_TOPIC]


def _packed_part(version: int, packed: bytes, kept: int) -> Packed:
    return Packed(version, len(packed), hashlib.sha256(packed).hexdigest(), kept)
