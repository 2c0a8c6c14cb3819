"""Writing a full-text index (Tantivy): what the store has goes in, what is lost is made anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final

import tantivy

from trapline.core.errors import DiskFull, FolderUnwritable, StoreCorrupt
from trapline.core.records import Page
from trapline.core.storage import Change, LinkText, Store
from trapline.core.urls import host_of
from trapline.search.furniture import NO_FURNITURE, Furniture
from trapline.search.host_furniture import NEWS_UP_TO, sample_pages
from trapline.search.index_documents import add_simhash, document_of, site_of
from trapline.search.open_index import OpenIndex

# changes between commits while catching up: a kill repeats at most so much work
_EVERY: Final = 5_000
_AT_ONCE: Final = 500  # changes that are read together


class IndexWriting(OpenIndex):
    """All of `FullTextIndex` but the search."""

    def update(self, changes: Iterable[Change], store: Store | None = None) -> int:
        """Put changes in, to be seen after `commit`; doing it twice is harmless.

        With a store also what others call the pages, and without what their hosts repeat. Returns
        how many there were.
        """
        count = 0
        for change in changes:
            self._replace(change.page, change.document, store)
            self._reached = max(self._reached, change.revision)
            count += 1
        return count

    def put(
        self,
        page: Page,
        names: Sequence[LinkText] = (),
        furniture: Furniture = NO_FURNITURE,
    ) -> None:
        """Put in a page that is not there, under the names that others have for it."""
        writer = self._writer or self._open_writer()
        with self._naming_damage():
            document = document_of(page, names, furniture, self._vectors)
            if self._with_texts:
                add_simhash(document, page)
            writer.add_document(document)

    def _replace(self, page: int, document: Page | None, store: Store | None) -> None:
        if document is not None and not self._part.holds(document.url):
            return  # it is in another part, and never was here
        writer = self._writer or self._open_writer()
        with self._naming_damage():
            # Not delete_documents_by_term: tantivy-py 0.27 deletes nothing with it when the
            # field is unsigned.
            writer.delete_documents_by_query(
                tantivy.Query.term_query(self._schema, "page", page)
            )
        if document is None or not document.readable:
            return
        if store is None:
            self.put(document)
            return
        furniture = self.furniture_of(site_of(host_of(document.url)), store)
        self.put(document, store.link_texts(page), furniture)

    def commit(self) -> None:
        if self._writer is None:
            return
        with self._naming_damage():
            self._writer.commit()
            self._index.reload()
            self.revision = self._reached
            if self._disk is not None and self._on_disk:
                self._disk.note(self.revision, meaning=self._meaning)

    def take_in(self, store: Store) -> bool:
        """Put in what the store has and the index has not; `catch_up` has less to do then.

        True: from the beginning.
        """
        return self._mend(self._take_in, store)

    def catch_up(self, store: Store) -> bool:
        """Make searchable whatever the store has.

        True: the index was made anew, from the beginning.
        """
        return self._mend(self._catch_up, store)

    def _take_in(self, store: Store) -> bool:
        if self._read_only and self._on_disk:
            return False
        if self._reached > store.counts().revision:
            self._clear()  # the index of another store, or of one that was set back
        anew = self.revision == 0
        changes = store.changes(self._reached)
        since = 0
        while batch := list(islice(changes, _AT_ONCE)):
            self._learn_furniture(batch)
            since += self.update(batch, store)
            self._put_again(store)
            if since >= _EVERY:
                since = 0
                self.commit()
                if anew:
                    newest = store.counts().revision
                    told = f"{self.revision:,} of {newest:,} changes"
                    self._say(f"making the index: {told}")
        return anew

    def _learn_furniture(self, batch: list[Change]) -> None:
        """Of hosts that nothing is known of, from what is put in now."""
        by_site: dict[str, list[tuple[str, str]]] = {}
        for change in batch:
            if change.document is not None:
                page = change.document
                site = site_of(host_of(page.url))
                by_site.setdefault(site, []).append((page.title, page.text))
        with self._naming_damage():
            for site, pages in by_site.items():
                self._furniture.learn_first(site, self.view(), pages)

    def _put_again(self, store: Store) -> None:
        """Pages of hosts whose furniture became known after they had been put in."""
        for site in self._furniture.take_news():
            with self._naming_damage():
                pages = sample_pages(site, self.view(), NEWS_UP_TO)
            for page in pages:
                self._replace(page, store.page(page), store)

    def _catch_up(self, store: Store) -> bool:
        anew = self._take_in(store)
        if self._reached > self.revision:
            self.commit()
        return anew and self.revision > 0

    def _mend(self, work: Callable[[Store], bool], store: Store) -> bool:
        """Work, on a new index if the old one is gone from the disk or shows damage."""
        if self._on_disk and self.revision > 0 and not self._disk_stamp():
            self._start_over()
        self._hurt = False
        try:
            return work(store)
        except (StoreCorrupt, FolderUnwritable):
            if not self._hurt or not self._on_disk or self._disk is None:
                raise
            # Tantivy does not say why it has stopped.
            if not self._disk.has_room():
                raise DiskFull(self._disk.path) from None
            self._start_over()
            return work(store)

    def close(self) -> None:
        writer = self._writer
        self._writer = None
        if writer is not None:
            with suppress(ValueError):  # a merge that failed has changed nothing
                writer.wait_merging_threads()

    def _clear(self) -> None:
        if self._disk is not None and self._on_disk:
            self._disk.note(0, meaning=self._meaning)
        (self._writer or self._open_writer()).delete_all_documents()
        self.revision = 0
        self._reached = 0
