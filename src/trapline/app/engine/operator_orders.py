"""Carrying out what people order (app/folder/orders/order_file.py).

Orders become calls of the journal, so that a restart knows of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from trapline.app.engine.listed_pages import ListedPages
from trapline.app.folder.host_rows import rows_of
from trapline.app.folder.orders.order_file import (
    FORGET,
    REMEMBER,
    SEEDING,
    VISIT,
    OrderFile,
)
from trapline.collection.collection import Collection
from trapline.collection.url_book import HashUrlBook
from trapline.core.cards import GONE
from trapline.core.links import links_to
from trapline.core.storage import Store
from trapline.robot.journal import Journal

NOTE: Final = "orders"  # how many orders were carried out


@dataclass(frozen=True, slots=True)
class OperatorOrders:
    file: OrderFile
    journal: Journal
    store: Store
    collection: Collection
    book: HashUrlBook
    listed_pages: ListedPages | None = None  # None = links are followed
    # whether a page is for another shard to visit, which has the same orders
    is_theirs: Callable[[str], bool] = lambda _: False

    def carry_out(self, now_s: float) -> bool:
        """Carry out what people have ordered since the last call; whether there was anything."""
        before = self.file.count
        orders = self.file.news()
        first_new = self._first_new(self.file.count)
        for number, (order, target) in enumerate(orders, before):
            # A start reads all lines again. A visit that was made then is not made again.
            if order != VISIT:
                self._carry_out(order, target, now_s)
            elif number >= first_new:
                self._visit(target, now_s)
        if orders:
            self.collection.note(NOTE, str(self.file.count))
        return bool(orders)

    def _first_new(self, count: int) -> int:
        """The number of the first order that no robot has carried out; `count` = so many are there.

        If there are fewer than were carried out, the file is another one.
        """
        done = int(self.store.note(NOTE) or 0)
        return done if done <= count else 0

    def _carry_out(self, order: str, target: str, now_s: float) -> None:
        in_force = self.file.in_force
        # one that a later line took back is not repeated
        if order == FORGET and in_force.bars(target):
            self._forget(target, now_s)
        if order == REMEMBER and not in_force.bars(target):
            self._remember(target, now_s)
        if (
            order in SEEDING
            and not in_force.bars(target)
            and not self.is_theirs(target)
        ):
            self.admit(target, now_s)
        host = self.book.known_host(target)
        if host >= 0:
            self.journal.pause(host, now_s, paused=in_force.stopped(target))
            self.journal.bound(host, in_force.shares.get(target, 1.0), now_s)

    def admit(self, url: str, now_s: float) -> int:
        """A page to visit, as if it were among the seeds; returns its number."""
        page, host = self.book.number(url)
        if self.listed_pages is not None:
            self.listed_pages.add(url)
        cards = self.journal.controller.agenda.cards
        gone = page < len(cards) and cards["state"][page] == GONE
        # Whoever names a page that was given up wants it tried again; a forgotten one never is.
        if gone and cards["not_before"][page] < math.inf:
            self.journal.unmeet([page], now_s)
        self.journal.admit(links_to([page], [host]), now_s)
        return page

    def _visit(self, url: str, now_s: float) -> None:
        if not self.file.in_force.bars(url) and not self.is_theirs(url):
            self.journal.order_visits([self.admit(url, now_s)], now_s)

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
            self.collection.note_forgotten(page)
