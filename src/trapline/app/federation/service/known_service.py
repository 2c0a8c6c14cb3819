"""What a broker's folder knows of its service: past queries, engines, and what they share."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import apsw
import numpy as np

from trapline.app.demand.demand_file import day_now
from trapline.app.federation.description_file import DescriptionFile
from trapline.app.federation.query_memory import OWN
from trapline.app.federation.query_memory_file import (
    FILE,
    QueryDay,
    first_day,
    read_queries,
)
from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.store_link import engine_name
from trapline.core.errors import DescriptionUnreadable
from trapline.oasis.description import Description, read_description
from trapline.oasis.packing import unpack_terms
from trapline.oasis.service.past_queries import (
    Overlap,
    PastQuery,
    PlannedEngine,
    ShownPage,
)
from trapline.oasis.service.service_plan import plan_service
from trapline.oasis.service.suggestion import Suggestion
from trapline.oasis.terms import TermTable, places_of, term_key
from trapline.search.tongues import tongue_of
from trapline.topic.word_hashes import telling_words

DAYS: Final = 30  # of queries that are looked at
_DESCRIPTIONS: Final = "oasis"  # the folder of the own description
_LEAST_SHOWN: Final = 20  # pages of an engine among results, to say what it shares


@dataclass(frozen=True, slots=True)
class KnownService:
    own: str  # the name of the folder's own engine
    queries: list[PastQuery]
    engines: list[PlannedEngine]
    overlaps: list[Overlap]

    def suggest(self) -> list[Suggestion]:
        """In words as people type them."""
        typed = _typed_words(self.queries)
        found = plan_service(self.queries, self.engines, self.overlaps)
        return [
            replace(one, words=tuple(typed.get(word, word) for word in one.words))
            for one in found
        ]


def known_service(folder: Path, days: int = DAYS) -> KnownService:
    """From a folder alone; a broker may be at work there. FolderMissing where no engine is."""
    open_for_reading(folder).close()
    today = day_now()
    since = max(today - days + 1, first_day(folder, today))
    rows = read_queries(folder, since)
    words = sorted({word for row in rows for word in telling_words(row.query)})
    engines = _engines(folder, words)
    names = {key: engine.name for key, engine in engines.items()}
    for key in {key for row in rows for key in row.hits}:
        names.setdefault(key, key[:8])  # it has left
    span = today - since + 1
    return KnownService(
        names[OWN],
        [_past_query(row, names, span) for row in rows if row.times],
        list(engines.values()),
        _overlaps(rows, names),
    )


def _typed_words(queries: Iterable[PastQuery]) -> dict[str, str]:
    """For the normal form of each word the one that is typed most often."""
    typed: dict[str, Counter[str]] = defaultdict(Counter)
    for query in queries:
        for word in query.text.split():
            for known in telling_words(word):
                typed[known][word] += 1
    return {word: forms.most_common(1)[0][0] for word, forms in typed.items()}


def _past_query(row: QueryDay, names: dict[str, str], span: int) -> PastQuery:
    shown = [
        ShownPage(url, names.get(engine, engine), url in row.opened_pages)
        for url, engines in row.pages.items()
        for engine in engines
    ]
    return PastQuery(
        row.query,
        tuple(telling_words(row.query)),
        row.times / span,
        row.found,
        row.best,
        min(1.0, row.opened / row.times),
        {names[key]: hits for key, hits in row.hits.items()},
        tuple(shown),
        row.times,
    )


def _overlaps(rows: Iterable[QueryDay], names: dict[str, str]) -> list[Overlap]:
    """By the pages that people saw: how many of one's the other held, too."""
    hits: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for row in rows:
        hits.update(row.hits)
        both.update(row.pairs)
    found = []
    for pair, count in sorted(both.items()):
        one, other = pair.split(" ", 1)
        fewer = min(hits[one], hits[other])
        if fewer >= _LEAST_SHOWN and {one, other} <= names.keys():
            share = min(1.0, count / fewer)
            found.append(Overlap(names[one], names[other], share))
    return found


def _engines(folder: Path, words: Sequence[str]) -> dict[str, PlannedEngine]:
    """By key; the folder's own among them."""
    found: dict[str, PlannedEngine] = {}
    taken: set[str] = set()
    for key, description, table in [_own_engine(folder), *_other_engines(folder)]:
        name = description.name if description else engine_name(folder)
        if name in taken and description:
            name = f"{name}·{description.fingerprint}"
        taken.add(name)
        topic = description.topic if description else _topic_noted(folder)
        tongues = [code for code, _ in description.languages] if description else []
        documents = _documents(table, words, tongues or ["en"])
        pages = description.pages if description else _pages_held(folder)
        own_words = frozenset(telling_words(topic))
        found[key] = PlannedEngine(
            name,
            topic,
            pages,
            own_words,
            documents,
        )
    return found


_Engine = tuple[str, Description | None, TermTable]


def _own_engine(folder: Path) -> _Engine:
    made = DescriptionFile(folder / _DESCRIPTIONS).read()
    if made is None:
        return OWN, None, TermTable.empty()
    return OWN, read_description(made.signed), _table(made.terms)


def _other_engines(folder: Path) -> list[_Engine]:
    """As the broker has them in `oasis.sqlite`; none where it knows none, or it is damaged."""
    if not (folder / FILE).exists():
        return []
    connection = apsw.Connection(str(folder / FILE), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.set_busy_timeout(5_000)
        rows = list(connection.execute("SELECT key, said FROM engines ORDER BY key"))
        parts = dict(
            connection.execute("SELECT key, packed FROM parts WHERE part = 'terms'")
        )
    except apsw.Error:
        return []
    finally:
        connection.close()
    read = [(str(key), _description(str(said or ""))) for key, said in rows]
    return [
        (key, description, _table(parts.get(key)))
        for key, description in read
        if description is not None
    ]


def _description(said: str) -> Description | None:
    try:
        return read_description(json.loads(said)) if said else None
    except (ValueError, DescriptionUnreadable):
        return None


def _table(packed: object) -> TermTable:
    try:
        return unpack_terms(packed) if isinstance(packed, bytes) else TermTable.empty()
    except DescriptionUnreadable:
        return TermTable.empty()


def _documents(
    table: TermTable, words: Sequence[str], tongues: Sequence[str]
) -> dict[str, int]:
    """How many pages have each word, in the tongue in which most have it."""
    found: dict[str, int] = {}
    for code in dict.fromkeys(tongues):
        tongue = tongue_of(code)
        for word in words:
            keys = [term_key(tongue.code, stem) for stem in tongue.stems(word)]
            places = places_of(table.keys, np.array(keys, np.uint64))
            held = [int(table.documents[place]) for place in places if place >= 0]
            if len(held) == len(keys) and held:
                found[word] = max(found.get(word, 0), min(held))
    return found


def _pages_held(folder: Path) -> int:
    store = open_for_reading(folder)
    try:
        return store.counts().held
    finally:
        store.close()


def has_topic(folder: Path) -> bool:
    """Whether the folder's robot looks for something, or holds whatever it finds."""
    topic = _topic_table(folder)
    return bool(topic.get("words") or topic.get("examples"))


def _topic_noted(folder: Path) -> str:
    return str(_topic_table(folder).get("words", ""))


def _topic_table(folder: Path) -> dict[str, Any]:
    """As the last robot had it in its settings."""
    store = open_for_reading(folder)
    try:
        settings = json.loads(store.note("settings") or "{}")
    finally:
        store.close()
    return dict(settings.get("topic") or {})
