"""What the newest visits were made for: discovery, refresh or news."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trapline.app.folder.dashboard_figures import VisitShares
from trapline.app.folder.schedule.saved_schedule import SavedSchedule
from trapline.core.records import Kind, Visit
from trapline.core.storage import Store
from trapline.theory.planning.page_gains import Floats
from trapline.theory.planning.term_shares import news_shares


def visit_shares(
    schedule: SavedSchedule, store: Store, visits: Sequence[Visit]
) -> VisitShares | None:
    """A first visit is discovery; another one is split by the two terms of the page's card, at the
    age at which they come to the price that was paid. None = there was no visit to a page.
    """
    made = sorted(
        (visit for visit in visits if visit.kind is Kind.PAGE),
        key=lambda visit: visit.number,
    )
    if not made:
        return None
    again = _revisits(store, made)
    news = float(_news_shares(schedule, again).sum())
    count = len(made)
    return VisitShares(
        discovery=1.0 - len(again) / count,
        refresh=(len(again) - news) / count,
        news=news / count,
        visits=count,
    )


def join_shares(found: Sequence[VisitShares]) -> VisitShares | None:
    """Of several shards as of one robot.

    >>> join_shares([VisitShares(1.0, 0.0, 0.0, 30), VisitShares(0.0, 0.5, 0.5, 10)])
    VisitShares(discovery=0.75, refresh=0.125, news=0.125, visits=40)
    """
    visits = sum(one.visits for one in found)
    if not visits:
        return None
    discovery, refresh, news = (
        sum(getattr(one, name) * one.visits for one in found) / visits
        for name in ("discovery", "refresh", "news")
    )
    return VisitShares(discovery, refresh, news, visits)


def _revisits(store: Store, made: list[Visit]) -> list[Visit]:
    """Visits to pages that an earlier visit had read."""
    firsts = {page: store.first_visit(page) for page in {visit.page for visit in made}}
    return [
        visit
        for visit in made
        if (first := firsts[visit.page]) is not None and first.number < visit.number
    ]


def _news_shares(schedule: SavedSchedule, visits: list[Visit]) -> Floats:
    """Of each visit; none of a page that is newer than the schedule."""
    visits = [visit for visit in visits if visit.page < len(schedule.cards)]
    cards = schedule.cards[[visit.page for visit in visits]]
    prices = np.array([visit.price for visit in visits]) * cards["cost"]
    known = np.isfinite(prices) & (prices > 0.0)
    shares = np.zeros(len(visits))
    worth, rate, shape = (
        cards[name][known].astype(np.float64) for name in ("worth", "rate", "shape")
    )
    shares[known] = news_shares(worth, rate, shape, prices[known])
    return shares
