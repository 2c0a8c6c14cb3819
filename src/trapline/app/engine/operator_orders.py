"""Carrying out what people order (app/folder/order_file.py).

Orders become calls of the journal, so that a restart knows of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from trapline.app.folder.host_rows import rows_of
from trapline.app.folder.order_file import FORGET, REMEMBER, OrderFile
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import GONE
from trapline.core.links import links_to
from trapline.core.storage import Store
from trapline.robot.journal import Journal


@dataclass(frozen=True, slots=True)
class OperatorOrders:
    file: OrderFile
    journal: Journal
    store: Store
    collection: Collection
    book: HashUrlBook

    def carry_out(self, now_s: float) -> None:
        """Carry out what people have ordered since the last call."""
        in_force = self.file.in_force
        for order, target in self.file.news():
            # A start reads all lines again. One that a later line took back is not repeated.
            if order == FORGET and in_force.bars(target):
                self._forget(target, now_s)
            if order == REMEMBER and not in_force.bars(target):
                self._remember(target, now_s)
            host = self.book.known_host(target)
            if host >= 0:
                self.journal.pause(host, now_s, paused=in_force.stopped(target))
                self.journal.bound(host, in_force.shares.get(target, 1.0), now_s)

    def _remember(self, target: str, now_s: float) -> None:
        """Pages that were to be forgotten may be visited again, from the beginning."""
        state = self.journal.controller.agenda.cards["state"]
        rows = [
            row
            for row in rows_of(self.store, target)
            if row.page < len(state) and state[row.page] == GONE
        ]
        pages = [row.page for row in rows]
        hosts = [row.host for row in rows]
        self.journal.unmeet(pages, now_s)
        self.journal.admit(links_to(pages, hosts), now_s)

    def _forget(self, target: str, now_s: float) -> None:
        pages = [row.page for row in rows_of(self.store, target)]
        self.journal.forget(pages, now_s)
        for page in pages:
            if self.collection.held(page) is not None:
                self.collection.note_gone(page)
