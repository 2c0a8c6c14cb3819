"""Everything that is read of a shard in PostgreSQL, by its owner and by others beside it.

While the server is away readers wait for it, up to their patience: nothing that was read before is
lost meanwhile.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import starmap
from typing import Any, Final

from trapline.core.errors import CheckpointLost, StoreAway, UnknownPage
from trapline.core.links import Links
from trapline.core.records import Diff, Outcome, Page, Robots, Visit
from trapline.core.storage import (
    Call,
    Change,
    ChangedLines,
    Checkpoint,
    Counts,
    Held,
    HostPages,
    HostRow,
    LinkText,
    UrlRow,
    Version,
)
from trapline.postgres.connection import Database
from trapline.stores.compression import unpack
from trapline.stores.link_blobs import unpack_links
from trapline.stores.past_texts import PastText, find_text, list_versions
from trapline.stores.postgres import rows
from trapline.stores.postgres.checkpoints import newest_checkpoint
from trapline.stores.postgres.one_moment import OneMoment
from trapline.stores.postgres.tallies import ranking_of
from trapline.stores.visit_rows import visit_of_row

PATIENCE_S: Final = 600.0  # with a server that is away
_PAUSE_S: Final = 0.2
_CHUNK: Final = 4096  # rows read at once
_DOCUMENTS: Final = 256  # documents read at once: they carry their text, or their links
_NOTHING: Final = Counts(hosts=0, known=0, held=0, visits=0, revision=0)


class PostgresReader:
    def __init__(
        self,
        database: Database,
        shard: int,
        *,
        moment: OneMoment | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`moment` is shared with the readers of other shards; None = it has its own."""
        self._database = database
        self._shard = shard
        self._patience_s = patience_s
        self._moment = moment or OneMoment(database)

    def counts(self) -> Counts:
        found = self._rows(rows.COUNTS)
        return Counts(*found[0]) if found else _NOTHING

    def hosts(self) -> list[HostRow]:
        return list(starmap(HostRow, self._rows(rows.HOSTS)))

    def host(self, host: int) -> HostRow:
        found = self._rows(rows.ONE_HOST, host)
        if not found:
            raise UnknownPage(host, self.counts().hosts)
        return HostRow(*found[0])

    def pages_by_host(self) -> dict[int, HostPages]:
        found = self._rows(rows.PAGES_BY_HOST)
        return {host: HostPages(known, held) for host, known, held in found}

    def robots(self, host: int) -> Robots | None:
        found = self._rows(rows.ROBOTS, host)
        return rows.robots_of_row(found[0]) if found else None

    def url(self, page: int) -> str:
        found = self._rows("SELECT url FROM @urls WHERE shard = %s AND page = %s", page)
        if not found:
            raise UnknownPage(page, self.counts().known)
        return str(found[0][0])

    def number_of(self, url: str) -> int | None:
        found = self._rows(
            "SELECT page FROM @urls WHERE shard = %s AND hashtext(url) = hashtext(%s)"
            " AND url = %s LIMIT 1",
            url,
            url,
        )
        return int(found[0][0]) if found else None

    def urls(self, first: int = 0) -> Iterator[UrlRow]:
        while chunk := self._rows(rows.URLS, first, _CHUNK):
            yield from starmap(UrlRow, chunk)
            first = chunk[-1][0] + 1

    def held(self, page: int) -> Held | None:
        found = self._rows(rows.HELD, page)
        return rows.held_of_row(found[0]) if found else None

    def count_relevant(self, least: float) -> int:
        sql = (
            "SELECT count(*) FROM @documents WHERE shard = %s AND held"
            " AND relevance >= %s"
        )
        return int(self._rows(sql, least)[0][0])

    def page(self, page: int) -> Page | None:
        found = self._rows(f"{rows.CHANGES} AND d.page = %s", page)
        return rows.change_of_row(found[0]).document if found else None

    def changes(self, after: int = 0) -> Iterator[Change]:
        # what comes later is for the next reading, else it might never end
        newest = self.counts().revision
        sql = (
            f"{rows.CHANGES} AND d.revision > %s AND d.revision <= %s"
            " ORDER BY d.revision LIMIT %s"
        )
        while chunk := self._rows(sql, after, newest, _DOCUMENTS):
            yield from map(rows.change_of_row, chunk)
            after = chunk[-1][0]

    def links(self, first: int = 0) -> Iterator[tuple[int, Links]]:
        sql = (
            "SELECT page, links FROM @links WHERE shard = %s AND page >= %s"
            " ORDER BY page LIMIT %s"
        )
        while chunk := self._rows(sql, first, _DOCUMENTS):
            for page, blob in chunk:
                yield page, unpack_links(bytes(blob))
            first = chunk[-1][0] + 1

    def link_texts(self, page: int) -> list[LinkText]:
        sql = "SELECT entries FROM @link_texts WHERE shard = %s AND page = %s"
        found = self._rows(sql, page)
        return ranking_of(bytes(found[0][0])) if found else []

    def diffs(self, after: int = 0) -> Iterator[tuple[int, Diff]]:
        while chunk := self._rows(rows.DIFFS, after, _CHUNK):
            yield from map(rows.diff_of_row, chunk)
            after = chunk[-1][0]

    def changed_lines(self, page: int) -> ChangedLines | None:
        sql = "SELECT at_s, lines FROM @last_changes WHERE shard = %s AND page = %s"
        found = self._rows(sql, page)
        return rows.lines_of_row(found[0]) if found else None

    def versions(self, page: int) -> list[Version]:
        found = self._rows(rows.HELD_TEXT, page)
        held = rows.past_text_of_row((0, *found[0])) if found else None
        return list_versions(self._past(page), held)

    def version_text(self, page: int, number: int) -> str | None:
        past = self._past(page)
        text = find_text(past, number)
        last = past[-1].number if past else 0
        if text is not None or number != last + 1:
            return text
        held = self.page(page)
        return None if held is None else held.text

    def _past(self, page: int) -> list[PastText]:
        return [rows.past_text_of_row(row) for row in self._rows(rows.PAST, page)]

    def failing(self) -> dict[int, str]:
        return {int(page): remark for page, remark in self._rows(rows.FAILING)}

    def newest_diff(self) -> int:
        found = self._rows("SELECT diffs FROM @totals WHERE shard = %s")
        return int(found[0][0]) if found else 0

    def simhashes(self) -> Iterator[tuple[int, int, int]]:
        first = 0
        while chunk := self._rows(rows.SIMHASHES, first, _CHUNK):
            yield from ((page, simhash, same_as) for page, simhash, same_as in chunk)
            first = chunk[-1][0] + 1

    def copies(self, page: int) -> list[int]:
        sql = (
            "SELECT page FROM @documents WHERE shard = %s AND same_as = %s"
            " AND same_as >= 0 AND held ORDER BY page"
        )
        return [int(copy) for (copy,) in self._rows(sql, page)]

    def visits(self, page: int | None = None, last: int = 100) -> list[Visit]:
        newest = "ORDER BY number DESC LIMIT %s"
        if page is None:
            found = self._rows(f"{rows.VISITS} {newest}", last)
        else:
            found = self._rows(f"{rows.VISITS} AND page = %s {newest}", page, last)
        return [visit_of_row(row) for row in found]

    def first_visit(self, page: int) -> Visit | None:
        first = "AND page = %s AND outcome = %s ORDER BY number LIMIT 1"
        found = self._rows(f"{rows.VISITS} {first}", page, Outcome.OK.value)
        return visit_of_row(found[0]) if found else None

    def history(self, after: int = -1) -> Iterator[Visit]:
        sql = f"{rows.VISITS} AND number > %s ORDER BY number LIMIT %s"
        while chunk := self._rows(sql, after, _CHUNK):
            yield from map(visit_of_row, chunk)
            after = chunk[-1][0]

    def note(self, key: str) -> str | None:
        found = self._rows(
            "SELECT value FROM @notes WHERE shard = %s AND key = %s", key
        )
        return str(found[0][0]) if found else None

    def calls(self, after: int) -> Iterator[Call]:
        sql = (
            "SELECT first, body FROM @calls WHERE shard = %s AND last > %s"
            " ORDER BY first LIMIT %s"
        )
        # a row may hold calls on both sides of a checkpoint
        after = max(after, self._calls_dropped())
        last = after
        while chunk := self._rows(sql, last, _DOCUMENTS):
            for first, body in chunk:
                for number, line in enumerate(json.loads(unpack(bytes(body))), first):
                    last = max(last, number)
                    if number > after:
                        yield Call(number, line)

    def load_checkpoint(self) -> Checkpoint | None:
        # As of one moment: its owner may write the next one, and drop this one, meanwhile.
        with self.one_moment():
            dropped = self._calls_dropped()
            checkpoint = newest_checkpoint(self._rows)
        if dropped > (checkpoint.calls if checkpoint else 0):
            raise CheckpointLost(self._database.shown, dropped)
        return checkpoint

    def _calls_dropped(self) -> int:
        found = self._rows("SELECT calls_dropped FROM @totals WHERE shard = %s")
        return int(found[0][0]) if found else 0

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All is read as of one moment inside; for a store that nobody else reads through."""
        with self._moment.hold():
            yield

    one_moment = snapshot

    def close(self) -> None:
        """Connections are the database's, which others use, too."""

    def _rows(self, text: str, *values: object) -> list[tuple[Any, ...]]:
        """`text` asks for the shard first."""
        sql = self._database.sql(text)
        if (held := self._moment.cursor) is not None:
            return list(held.execute(sql, (self._shard, *values)).fetchall())
        deadline_s = time.monotonic() + self._patience_s
        while True:
            try:
                with self._database.transaction() as cursor:
                    found = cursor.execute(sql, (self._shard, *values)).fetchall()
                return list(found)
            except StoreAway:
                if time.monotonic() >= deadline_s:
                    raise
                time.sleep(_PAUSE_S)
