"""Numbers of pages and hosts in one shard, and in all of them together.

>>> third = ShardNumbers(shard=2, shards=4)
>>> third.unite(5), third.own(22), ShardNumbers.shard_of(22, 4)
(22, 5, 2)
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from trapline.core.links import Links
from trapline.core.records import Diff, Page, Visit
from trapline.core.storage import Change, HostRow, UrlRow


class ShardNumbers(NamedTuple):
    """`unite` gives the number among all shards, `own` the one in the shard; −1 = none."""

    shard: int
    shards: int

    @staticmethod
    def shard_of(united: int, shards: int) -> int:
        return united % shards

    def unite(self, own: int) -> int:
        return own if own < 0 else own * self.shards + self.shard

    def own(self, united: int) -> int:
        return united if united < 0 else united // self.shards

    def first_own(self, united: int) -> int:
        """The first number of the shard that is not before one among all.

        >>> [ShardNumbers(1, 4).first_own(united) for united in (0, 1, 2, 5, 6)]
        [0, 0, 1, 1, 2]
        """
        return max(0, -((self.shard - united) // self.shards))

    def host_row(self, row: HostRow) -> HostRow:
        return replace(row, host=self.unite(row.host))

    def url_row(self, row: UrlRow) -> UrlRow:
        return UrlRow(self.unite(row.page), row.url, self.unite(row.host))

    def page(self, page: Page) -> Page:
        number = self.unite(page.page)
        return replace(page, page=number, same_as=self.unite(page.same_as))

    def change(self, change: Change, revision: int) -> Change:
        document = change.document
        return Change(
            revision,
            self.unite(change.page),
            None if document is None else self.page(document),
        )

    def diff(self, diff: Diff) -> Diff:
        return replace(diff, page=self.unite(diff.page))

    def visit(self, visit: Visit) -> Visit:
        return replace(
            visit,
            number=self.unite(visit.number),
            page=self.unite(visit.page),
            host=self.unite(visit.host),
        )

    def has(self, united: int) -> bool:
        """Whether a number of a page, host or visit is one of this shard."""
        return united >= 0 and united % self.shards == self.shard

    def own_visit(self, visit: Visit) -> Visit:
        """As the shard itself has it."""
        return replace(
            visit,
            number=self.own(visit.number),
            page=self.own(visit.page),
            host=self.own(visit.host),
        )

    def links(self, links: Links) -> Links:
        found = links.copy()
        for name in ("page", "host"):
            known = found[name] >= 0
            found[name][known] = found[name][known] * self.shards + self.shard
        return found
