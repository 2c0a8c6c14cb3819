"""What a broker knows: engines with descriptions, statistics and samples, what was found wrong with
them, and what queries have taught. Kept in the folder (`known_engines_file.py`).

Whoever puts something in has verified it. What a question needs is one `Snapshot`, made by a thread
whenever something has changed; questions under way keep theirs.
"""

from __future__ import annotations

import hashlib
import io
import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from trapline.app.federation.known_engines_file import (
    FILE,
    EngineRow,
    KnownEnginesFile,
    KnownFinding,
)
from trapline.core.errors import DescriptionUnreadable
from trapline.oasis.description import (
    Description,
    Limits,
    Packed,
    fingerprint_of,
    read_description,
)
from trapline.oasis.fair_sum import (
    MOST_WORDS,
    FairSum,
    most_counted,
    words_a_page,
)
from trapline.oasis.federation import Federation, Member
from trapline.oasis.lessons import Lessons, LessonsState
from trapline.oasis.merging.engine_hits import Finding, Wrong
from trapline.oasis.packing import unpack_sample, unpack_terms
from trapline.oasis.sample import Sample
from trapline.oasis.shared_table import SharedTable, table_version
from trapline.oasis.signed_description import SignedDescription
from trapline.oasis.terms import TermTable
from trapline.search.tongues import tongue_of

TRAPLINE: Final = "trapline"
OWN: Final = "own"  # how the broker's own collection is called among engines
TERMS: Final = "terms"
SAMPLE: Final = "sample"
_LESSONS: Final = "lessons"


@dataclass(frozen=True, slots=True)
class KnownEngine:
    key: str  # public key; of a neighbour its kind and URL
    kind: str  # "trapline", or "searxng", "opensearch", "plain": a neighbour
    name: str
    url: str
    description: Description | None = None
    source: str = ""  # where it was heard of
    heard_s: float = 0.0
    asked_at: str = (
        ""  # of a neighbour: the template of its address, if it has told one
    )

    @property
    def fingerprint(self) -> str:
        return fingerprint_of(self.key)

    @property
    def limits(self) -> Limits:
        return self.description.limits if self.description else Limits(20, 2.0)

    @property
    def is_neighbour(self) -> bool:
        return self.kind != TRAPLINE


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a question needs to know of engines, at one moment."""

    engines: Mapping[str, KnownEngine] = field(default_factory=dict)  # by key
    federation: Federation = field(default_factory=lambda: Federation.of([]))
    tongues: tuple[str, ...] = ("en",)
    own_key: str = ""  # "" = the own collection has no description yet

    @property
    def neighbours(self) -> list[KnownEngine]:
        return [engine for engine in self.engines.values() if engine.is_neighbour]

    def shown_name(self, engine: KnownEngine) -> str:
        """Two of one name are told apart."""
        same = [e for e in self.engines.values() if e.name == engine.name]
        many = len(same) > 1
        return f"{engine.name}·{engine.fingerprint}" if many else engine.name


@dataclass(frozen=True, slots=True)
class OwnStatistics:
    """Of the broker's own collection."""

    description: Description
    terms: TermTable
    sample: Sample


class KnownEngines:
    """From any thread."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._file = KnownEnginesFile(folder)
        self._now = now
        self._changing = threading.Lock()
        self._own: OwnStatistics | None = None
        # keys of engines whose descriptions are not believed
        self.doubted: frozenset[str] = frozenset()
        self.snapshot = Snapshot()

    def close(self) -> None:
        self._file.close()

    # Putting in

    def put(self, signed: SignedDescription, source: str) -> None:
        """A description of which the signature was checked."""
        found = signed.description
        said = json.dumps(signed.as_json())
        row = (found.key, TRAPLINE, found.url, found.name, said, source, self._now())
        self._file.put_engine(EngineRow(*row))

    def put_neighbour(
        self,
        kind: str,
        url: str,
        name: str,
        asked_at: str = "",
    ) -> None:
        key = f"{kind}:{url}"
        row = EngineRow(
            key,
            kind,
            url,
            name,
            asked_at,
            "named",
            self._now(),
        )
        self._file.put_engine(row)

    def put_part(
        self,
        key: str,
        part: str,
        wanted: Packed,
        packed: bytes,
    ) -> None:
        """Statistics or a sample; DescriptionUnreadable unless it is what the engine signed."""
        if hashlib.sha256(packed).hexdigest() != wanted.digest:
            raise DescriptionUnreadable(f"its {part} are not those that it has signed")
        if part == TERMS:
            self._check_words(key, unpack_terms(packed))
        else:
            unpack_sample(packed)
        self._file.put_part(
            key,
            part,
            wanted.digest,
            packed,
        )

    def _check_words(self, key: str, terms: TermTable) -> None:
        words = words_a_page(terms)
        if words > MOST_WORDS:
            said = f"{words:,.0f} different words a page: they do not count"
            self.note_findings([Finding(key, Wrong.DESCRIPTION, said)])

    def has_part(
        self,
        key: str,
        part: str,
        wanted: Packed | None,
    ) -> bool:
        held = self._file.part(key, part)
        return wanted is None or (held is not None and held[0] == wanted.digest)

    def touch(self, key: str) -> None:
        self._file.touch(key, self._now())

    def forget(self, key: str) -> None:
        self._file.forget(key)

    def set_own(self, own: OwnStatistics) -> None:
        self._own = own

    # What was found, and what was learnt

    def note_findings(self, findings: Iterable[Finding]) -> None:
        rows = [(one.engine, one.wrong.value, one.detail) for one in findings]
        if rows:
            self._file.note_findings(rows, self._now())

    def findings(self) -> list[KnownFinding]:
        """What was found wrong with engines, the newest first."""
        return self._file.findings()

    def keep_lessons(self, lessons: Lessons) -> None:
        state = lessons.state()
        packed = io.BytesIO()
        np.savez(
            packed,
            weights=state.weights,
            engines=np.array(state.engines, np.str_),
            records=state.records,
        )
        self._file.keep(_LESSONS, packed.getvalue())

    def lessons(self) -> Lessons:
        """As they were kept; none if that cannot be read."""
        packed = self._file.kept_value(_LESSONS)
        if packed is None:
            return Lessons()
        try:
            with np.load(io.BytesIO(packed), allow_pickle=False) as kept:
                engines = tuple(str(engine) for engine in kept["engines"])
                state = LessonsState(kept["weights"], engines, kept["records"])
                return Lessons.restore(state)
        except (ValueError, KeyError, OSError, EOFError):
            return Lessons()

    # Reading

    def engines(self) -> list[KnownEngine]:
        return [_read_row(row) for row in self._file.engines()]

    def rebuild(self) -> Snapshot:
        """A snapshot of all that is known now. Takes a while: not in a thread that answers."""
        with self._changing:
            engines = {engine.key: engine for engine in self.engines()}
            own = self._own
            if own is not None:
                engines.pop(own.description.key, None)
            described = [e for e in engines.values() if e.description is not None]
            members = [self._member(engine) for engine in described]
            if own is not None:
                members.insert(0, _own_member(own))
            self.snapshot = Snapshot(
                engines,
                Federation.of(members, _sum_tables(members)),
                _tongues([e.description for e in described], own),
                own.description.key if own is not None else "",
            )
            return self.snapshot

    def _member(self, engine: KnownEngine) -> Member:
        """What cannot be read (an older Trapline wrote it) is the same as nothing, and so is what
        is not believed: only lessons ask such an engine, until it brings something.
        """
        if engine.key in self.doubted:
            return Member(engine.key, TermTable.empty(), Sample.empty())
        terms = TermTable.empty()
        sample = Sample.empty()
        try:
            if packed := self._file.part(engine.key, TERMS):
                terms = unpack_terms(packed[1])
            if packed := self._file.part(engine.key, SAMPLE):
                sample = unpack_sample(packed[1])
        except DescriptionUnreadable:
            pass
        part = engine.description and engine.description.terms
        return Member(
            engine.key,
            terms,
            sample,
            part.version if part else 0,
        )


def read_known(folder: Path) -> tuple[dict[str, KnownEngine], list[KnownFinding]]:
    """Engines by key, and findings; nothing where no broker was at work. One may be just now."""
    if not (folder / FILE).exists():
        return {}, []
    file = KnownEnginesFile(folder)
    try:
        engines = [_read_row(row) for row in file.engines()]
        return {engine.key: engine for engine in engines}, file.findings()
    finally:
        file.close()


def _read_row(row: EngineRow) -> KnownEngine:
    """It was verified when it was put in."""
    parts = row.key, row.kind, row.name, row.url
    if row.kind != TRAPLINE:
        return KnownEngine(
            *parts, source=row.source, heard_s=row.heard_s, asked_at=row.said
        )
    description = read_description(json.loads(row.said))
    return KnownEngine(
        *parts,
        description,
        row.source,
        row.heard_s,
    )


def _own_member(own: OwnStatistics) -> Member:
    return Member(
        own.description.key,
        own.terms,
        own.sample,
        own.description.version,
    )


def _sum_tables(members: list[Member]) -> SharedTable:
    """The sum over the members; none drowns the others."""
    total = FairSum(most_counted(member.pages for member in members))
    for member in members:
        total.add(member.terms)
    return total.finish(table_version({m.key: m.version for m in members}))


def _tongues(
    descriptions: Iterable[Description | None], own: OwnStatistics | None
) -> tuple[str, ...]:
    """Those of all engines, the most frequent first; English where none is told."""
    pages: dict[str, int] = {"en": 1}
    for description in (*descriptions, own and own.description):
        for language, count in description.languages if description else ():
            code = tongue_of(language).code
            pages[code] = pages.get(code, 0) + count
    return tuple(sorted(pages, key=lambda code: -pages[code])[:8])
