"""Counting link texts in PostgreSQL: what a batch touches is read at once, and written at once."""

from __future__ import annotations

from trapline.core.links import LinkTexts
from trapline.core.storage import Batch, LinkText
from trapline.stores.link_tallies import Tally, is_news
from trapline.stores.packed_texts import pack_texts, text_damage_shown, unpack_texts
from trapline.stores.postgres.statements import Statements
from trapline.stores.text_counting import Refusals, count_texts


def ranking_of(entries: bytes) -> list[LinkText]:
    with text_damage_shown():
        return Tally(0, entries.decode()).ranking()


class PostgresTallies:
    """The tallies that one batch touches."""

    def __init__(self, statements: Statements, batch: Batch) -> None:
        """Asks for what the pages of the batch have said before."""
        self._statements = statements
        self._said = dict(batch.texts)
        self._hosts: dict[int, int] = {}
        self._tallies: dict[int, Tally] = {}
        self._changes_before: dict[int, int] = {}
        self._contributions: dict[int, LinkTexts] = {}
        self._written: dict[int, LinkTexts] = {}
        pages = {*batch.gone, *(page for page, _ in batch.links), *self._said}
        new = {row.page for row in batch.urls}
        self._hosts.update((row.page, row.host) for row in batch.urls)
        self._hosts.update((visit.page, visit.host) for visit in batch.visits)
        unknown = pages - self._hosts.keys()  # that others than visits speak of
        select = "SELECT page, host FROM @urls"
        self._found_hosts = statements.ask_of(select, unknown) if unknown else None
        known = pages - new
        select = "SELECT page, texts FROM @link_sources"
        self._found_sources = statements.ask_of(select, known) if known else None

    def count(self, batch: Batch, refusals: Refusals) -> list[int]:
        """Count what a batch says; returns the pages of which the index is to hear."""
        self._load(refusals)
        with text_damage_shown():
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

    def _load(self, refusals: Refusals) -> None:
        if self._found_hosts is not None:
            self._hosts.update(self._found_hosts.fetchall())
        if self._found_sources is not None:
            for page, texts in self._found_sources.fetchall():
                self._contributions[page] = unpack_texts(bytes(texts))
        targets = self._targets(refusals)
        if targets:
            select = "SELECT page, changes, entries FROM @link_texts"
            found = self._statements.ask_of(select, targets)
            for page, changes, entries in found.fetchall():
                self._tallies[page] = Tally(changes, bytes(entries).decode())

    def _targets(self, refusals: Refusals) -> set[int]:
        """Pages whose tallies may change: not those whose texts stay, or are refused at once."""
        targets: set[int] = set()
        for page in self._said.keys() | self._contributions.keys():
            before = set(self.contribution(page))
            said = set(self._said.get(page, ()))
            host = self._hosts[page]
            targets.update(target for target, _ in before - said)
            targets.update(
                target
                for target, text in said - before
                if not refusals.has(target, text, host)
            )
        return targets

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
        found = [(target, self._tallies[target]) for target in targets]
        self._statements.insert(
            "@link_texts (shard, page, changes, entries)",
            "bigint bigint bytea",
            [(page, tally.changes, tally.entries.encode()) for page, tally in found],
            "ON CONFLICT (shard, page) DO UPDATE SET changes = excluded.changes,"
            " entries = excluded.entries",
        )

    def _save_sources(self) -> None:
        kept = [(page, texts) for page, texts in self._written.items() if texts]
        gone = [page for page, texts in self._written.items() if not texts]
        self._statements.delete("@link_sources", gone)
        self._statements.insert(
            "@link_sources (shard, page, texts)",
            "bigint bytea",
            [(page, pack_texts(texts)) for page, texts in kept],
            "ON CONFLICT (shard, page) DO UPDATE SET texts = excluded.texts",
        )
