"""Carrying out what people order (app/folder/order_file.py), by calls of the journal: a restart
will know of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from trapline.app.commands.host import rows_of
from trapline.app.folder.order_file import FORGET, REMEMBER, OrderFile
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import GONE
from trapline.core.links import links_to
from trapline.core.ports import Store
from trapline.robot.journal import Journal


@dataclass(frozen=True, slots=True)
class OperatorOrders:
    orders: OrderFile
    journal: Journal
    store: Store
    collection: Collection
    book: HashUrlBook

    def obey(self, now_s: float) -> None:
        """Take over what people have ordered since."""
        for order, target in self.orders.news():
            standing = self.orders.standing
            # A start reads all lines again: one that a later line took back is not carried out once
            # more.
            if order == FORGET and standing.bars(target):
                self._forget(target, now_s)
            if order == REMEMBER and not standing.bars(target):
                self._remember(target, now_s)
            host = self.book.known_host(target)
            if host >= 0:
                self.journal.pause(host, now_s, paused=standing.stopped(target))
                self.journal.bound(host, standing.shares.get(target, 1.0), now_s)

    def _remember(self, target: str, now_s: float) -> None:
        """Pages that were to be forgotten may be visited again, from the beginning."""
        state = self.journal.controller.agenda.cards["state"]
        rows = [
            row
            for row in rows_of(self.store, target)
            if row.page < len(state) and state[row.page] == GONE
        ]
        self.journal.unmeet([row.page for row in rows], now_s)
        self.journal.admit(
            links_to([row.page for row in rows], [row.host for row in rows]), now_s
        )

    def _forget(self, target: str, now_s: float) -> None:
        pages = [row.page for row in rows_of(self.store, target)]
        self.journal.forget(pages, now_s)
        for page in pages:
            if self.collection.held(page) is not None:
                self.collection.note_gone(page)
