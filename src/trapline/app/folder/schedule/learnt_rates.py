"""Who knows how often pages change: the robot's own policy, or one that its visits teach."""

from __future__ import annotations

import math
from collections import deque
from typing import Final

from trapline.core.cards import blank_cards
from trapline.core.ports import Seen
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Store
from trapline.policies.refresh.posterior import Posterior
from trapline.policies.refresh.refresh_policy import RefreshPolicy

_TAUGHT: Final = 100_000  # newest visits from which rates are learnt, a few seconds


def policy_with_rates(refresh: RefreshPolicy, store: Store) -> RefreshPolicy:
    """The policy itself if it learns rates; else `posterior`, as if it had been there."""
    return refresh if refresh.learns_rates else _taught_by(store)


def _taught_by(store: Store) -> Posterior:
    policy = Posterior()
    cards = blank_cards(store.counts().known)
    for visit in deque(store.history(), _TAUGHT):
        if visit.kind is Kind.PAGE and visit.outcome <= Outcome.UNCHANGED:
            page = visit.page
            policy.settle(cards, page, _lesson(visit, float(cards["last"][page])))
            cards["last"][page] = visit.ended_s
            cards["host"][page] = visit.host
    return policy


def _lesson(visit: Visit, last_s: float) -> Seen:
    age_s = visit.ended_s - last_s if math.isfinite(last_s) else math.inf
    return Seen(
        outcome=int(visit.outcome),
        changed=visit.changed,
        relevance=visit.relevance,
        news=0.0,
        age_s=age_s,
        now_s=visit.ended_s,
        market_price=0.0,
    )
