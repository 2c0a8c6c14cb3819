"""Counting link texts in PostgreSQL: what a batch touches is read at once, and written at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from trapline.core.links import LinkTexts
from trapline.core.storage import Batch, LinkText
from trapline.stores.compression import BadBytes
from trapline.stores.link_tallies import Tally, is_news
from trapline.stores.sqlite_tallies import pack_texts, unpack_texts
from trapline.stores.text_counting import Refusals, count_texts


def ranking_of(entries: bytes) -> list[LinkText]:
    with _damage_shown():
        return Tally(0, entries.decode()).ranking()


@contextmanager
def _damage_shown() -> Iterator[None]:
    """Bytes that were not written here become BadBytes."""
    try:
        yield
    except (ValueError, IndexError) as failure:
        raise BadBytes(f"link texts that cannot be read: {failure}") from failure


class PostgresTallies:
    """The tallies that one batch touches."""

    def __init__(self, cursor: Any, sql: Any, shard: int) -> None:
        self._cursor = cursor
        self._sql = sql
        self._shard = shard
        self._hosts: dict[int, int] = {}
        self._tallies: dict[int, Tally] = {}
        self._changes_before: dict[int, int] = {}
        self._contributions: dict[int, LinkTexts] = {}
        self._written: dict[int, LinkTexts] = {}

    def count(self, batch: Batch, refusals: Refusals) -> list[int]:
        """Count what a batch says; returns the pages of which the index is to hear."""
        said = dict(batch.texts)
        pages = {*batch.gone, *(page for page, _ in batch.links), *said}
        if not pages:
            return []
        self._load(pages, said)
        with _damage_shown():
            count_texts(batch, self, refusals)
        return self._save()

    def host(self, page: int) -> int:
        return self._hosts[page]

    def tally(self, target: int) -> Tally:
        found = self._tallies.setdefault(target, Tally())
        self._changes_before.setdefault(target, found.changes)
        return found

    def contribution(self, page: int) -> LinkTexts:
        return self._contributions.get(page, ())

    def write(self, page: int, counted: LinkTexts) -> None:
        self._written[page] = counted

    def _load(self, pages: set[int], said: dict[int, LinkTexts]) -> None:
        for page, host in self._ask("SELECT page, host FROM @urls", pages):
            self._hosts[page] = host
        for page, texts in self._ask("SELECT page, texts FROM @link_sources", pages):
            self._contributions[page] = unpack_texts(bytes(texts))
        before = self._contributions.values()
        targets = {target for texts in (*said.values(), *before) for target, _ in texts}
        found = self._ask("SELECT page, changes, entries FROM @link_texts", targets)
        for page, changes, entries in found:
            self._tallies[page] = Tally(changes, bytes(entries).decode())

    def _ask(self, text: str, pages: Iterable[int]) -> list[tuple[Any, ...]]:
        numbers = list(pages)
        if not numbers:
            return []
        sql = self._sql(f"{text} WHERE shard = %s AND page = ANY(%s::bigint[])")
        return list(self._cursor.execute(sql, (self._shard, numbers)).fetchall())

    def _save(self) -> list[int]:
        """Write what has changed; returns the targets of which the index is to hear."""
        changed = [
            (target, before)
            for target, before in self._changes_before.items()
            if self._tallies[target].changes > before
        ]
        self._save_tallies([target for target, _ in changed])
        self._save_sources()
        return [
            target
            for target, before in changed
            if is_news(before, self._tallies[target].changes)
        ]

    def _save_tallies(self, targets: list[int]) -> None:
        if not targets:
            return
        tallies = [self._tallies[target] for target in targets]
        self._cursor.execute(
            self._sql(
                "INSERT INTO @link_texts SELECT %s, * FROM"
                " unnest(%s::bigint[], %s::bigint[], %s::bytea[])"
                " ON CONFLICT (shard, page) DO UPDATE SET changes = excluded.changes,"
                " entries = excluded.entries"
            ),
            (
                self._shard,
                targets,
                [tally.changes for tally in tallies],
                [tally.entries.encode() for tally in tallies],
            ),
        )

    def _save_sources(self) -> None:
        kept = {page: texts for page, texts in self._written.items() if texts}
        gone = [page for page, texts in self._written.items() if not texts]
        if gone:
            self._cursor.execute(
                self._sql(
                    "DELETE FROM @link_sources WHERE shard = %s"
                    " AND page = ANY(%s::bigint[])"
                ),
                (self._shard, gone),
            )
        if kept:
            self._cursor.execute(
                self._sql(
                    "INSERT INTO @link_sources SELECT %s, * FROM"
                    " unnest(%s::bigint[], %s::bytea[])"
                    " ON CONFLICT (shard, page) DO UPDATE SET texts = excluded.texts"
                ),
                (self._shard, list(kept), [pack_texts(one) for one in kept.values()]),
            )
