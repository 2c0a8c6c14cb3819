"""marginalia: sites are crawled again and again; where little has changed, most pages are skipped.

Once 25 pages of a site were fetched in a crawl, each further page is skipped with the share of
those that had not changed, at least 0 and at most 0.5 where up to 1,000 pages were gone through,
0.5 to 0.99 up to 10,000, and 0.75 to 0.99 beyond. (Source: MarginaliaSearch, CrawlerRevisitor.)

How often a page will be skipped in a row is drawn when it is visited, by the share as it is then;
its next visit is so many crawls away. A crawl of a site ends when as many pages were fetched or
skipped as it has.

>>> [skip_share(share=0.8, passed=passed) for passed in (900.0, 1001.0)]
[0.5, 0.8]
>>> skip_share(share=0.1, passed=20_000.0)
0.75
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple, Self

import numpy as np

from trapline.core.cards import Cards
from trapline.core.errors import BadNumber
from trapline.core.ports import Arrays, Pages, Seen
from trapline.policies.mind import Records, as_records, as_table, grow_records
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.theory.chance import mix_hash
from trapline.theory.kernel import bare_kernel

_UNIT: Final = 1e-6  # a second: the rate on the card of a page that is never skipped

SITE: Final = np.dtype(
    [(name, np.float64) for name in ("pages", "fetched", "unchanged", "skipped")]
)


class Mind(NamedTuple):
    seed: int
    after: float  # pages of a site, before any is skipped
    sites: Records
    pages: Records


@bare_kernel
def skip_share(share: float, passed: float) -> float:
    """With what probability a page is skipped where such a share had not changed, in a crawl that
    has passed so many pages.
    """
    if passed > 10_000.0:
        return min(max(share, 0.75), 0.99)
    if passed > 1_000.0:
        return min(max(share, 0.5), 0.99)
    return min(share, 0.5)


@bare_kernel
def _draw_skips(mind: Mind, page: int, site: int) -> float:
    """How many crawls will pass a page by that was fetched just now."""
    sites = mind.sites
    fetched = sites["fetched"][site]
    if fetched < mind.after:
        return 0.0
    passed = fetched + sites["skipped"][site]
    share = skip_share(sites["unchanged"][site] / fetched, passed)
    if share <= 0.0:
        return 0.0
    drawn = mix_hash(mind.seed, page, int(mind.pages["visits"][page]))
    return math.floor(math.log(drawn) / math.log(share))


@bare_kernel
def _end_crawl(mind: Mind, site: int) -> None:
    """All pages of the site were fetched or skipped: the next crawl begins."""
    sites = mind.sites
    if sites["fetched"][site] + sites["skipped"][site] >= sites["pages"][site]:
        sites["fetched"][site] = 0.0
        sites["unchanged"][site] = 0.0
        sites["skipped"][site] = 0.0


@bare_kernel
def _settle(cards: Cards, mind: Mind, page: int, seen: Seen, others: Pages) -> int:
    site = cards["host"][page]
    sites = mind.sites
    visits = mind.pages["visits"]
    if visits[page] == 0.0:
        sites["pages"][site] += 1.0
    visits[page] += 1.0
    skips = 0.0
    if seen.age_s > 0.0 and not math.isinf(seen.age_s):
        sites["fetched"][site] += 1.0
        sites["unchanged"][site] += 0.0 if seen.changed else 1.0
        skips = _draw_skips(mind, page, site)
        sites["skipped"][site] += skips
        _end_crawl(mind, site)
    cards["base"][page] = 0.0
    cards["worth"][page, 0] = 1.0
    cards["rate"][page, 0] = _UNIT / (1.0 + skips)
    cards["shape"][page, 0] = 1.0
    return 0


class Marginalia(CardPolicy):
    page_record = np.dtype([("visits", np.float64)])
    settle_kernel = staticmethod(_settle)

    def __init__(self, after: float = 25.0, seed: float = 0) -> None:
        """Pages of a site are skipped after so many were fetched."""
        if not 1.0 <= after < math.inf:
            raise BadNumber("after", after, "a finite number of pages, at least 1")
        pages = np.zeros(0, self.page_record)
        self.mind = Mind(int(seed), float(after), np.zeros(1, SITE), pages)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        """The laboratory's sites are small."""
        return cls(after=3.0)

    def fit(self, pages: int, hosts: int) -> None:
        super().fit(pages, hosts)
        have = len(self.mind.sites)
        if hosts > have:
            grown = grow_records(self.mind.sites, max(hosts, 2 * have))
            self.mind = self.mind._replace(sites=grown)

    def state(self) -> Arrays:
        return {**super().state(), "sites": as_table(self.mind.sites)}

    def restore(self, state: Arrays) -> None:
        super().restore(state)
        sites = as_records(np.asarray(state["sites"]), SITE)
        self.mind = self.mind._replace(sites=sites)
