"""What the newest visits were made for: discovery, refresh or news."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from trapline.app.folder.dashboard_figures import VisitShares
from trapline.app.folder.schedule.saved_schedule import SavedSchedule
from trapline.core.cards import HELD
from trapline.core.records import Kind, Turn, Visit
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
    again = _revisits(schedule, store, made)
    news = float(_news_shares(schedule, again).sum())
    count = len(made)
    return VisitShares(
        discovery=1.0 - len(again) / count,
        refresh=(len(again) - news) / count,
        news=news / count,
        visits=count,
    )


def _revisits(schedule: SavedSchedule, store: Store, made: list[Visit]) -> list[Visit]:
    """Visits to pages that were held before; the first visit to a page that is new is none."""
    after = max(0, store.newest_diff() - len(made))
    new = {diff.page for _, diff in store.diffs(after) if diff.turn is Turn.NEW}
    found = []
    for visit in made:
        if visit.page in new:
            new.discard(visit.page)
        elif _was_held(schedule, visit.page):
            found.append(visit)
    return found


def _was_held(schedule: SavedSchedule, page: int) -> bool:
    cards = schedule.cards
    return page < len(cards) and bool(cards["state"][page] == HELD)


def _news_shares(schedule: SavedSchedule, visits: list[Visit]) -> Floats:
    cards = schedule.cards[[visit.page for visit in visits]]
    prices = np.array([visit.price for visit in visits]) * cards["cost"]
    known = np.isfinite(prices) & (prices > 0.0)
    shares = np.zeros(len(visits))
    worth, rate, shape = (
        cards[name][known].astype(np.float64) for name in ("worth", "rate", "shape")
    )
    shares[known] = news_shares(worth, rate, shape, prices[known])
    return shares
