"""q-learning: a lookup table learns what visits to held pages earn (`omeara`, eqs. 9–11).

The paper's request controller chooses among fringe and held pages by one table of Q-values. The
reward (11) of a visit to a held page is max(r, r') if the page was modified, r if it is deleted,
and nothing otherwise: changes found, not seconds of freshness. The rows of held pages are states:
how long a page was left, in its own changes, and how well it is known (policies/q_states.py). S of
eq. (10) is what the visit listed beyond the market price, so that no link is paid twice.

The index (9) of a page rises with its age from row to row. Its offer is laid through the first
row whose index is as high as the market price (through the highest row where none is), and as high
as the highest row in the end. So an idle robot visits whatever is nearest to its price. With each
visit one other page's offer is written anew, in turn, because rows are shared.

Where the discovery policy of this name decides about the fringe, both learn in one table and
compete by the same values (policies/discovery/q_learning.py).

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> cards = blank_cards(2)
>>> policy = QRevisits()
>>> for page in (0, 1):
...     _ = policy.settle(cards, page, a_visit(relevance=0.5))
>>> for hour in range(1, 13):  # page 0 changes in every hour, page 1 in none
...     for page in (0, 1):
...         seen = a_visit(
...             changed=page == 0,
...             relevance=0.5,
...             age_s=3600.0,
...             now_s=3600.0 * hour,
...             market_price=0.3,
...         )
...         _ = policy.settle(cards, page, seen)
>>> from trapline.theory.price import offer_price
>>> cards["last"] = 43_200.0
>>> [bool(offer_price(cards, page, 46_800.0) > 0.3) for page in (0, 1)]
[True, False]
"""

from __future__ import annotations

import math
from typing import Final, Self

import numpy as np

from trapline.core.cards import BY_DUE, Cards
from trapline.core.errors import UserMistake
from trapline.core.ports import NOTHING_TO_SAY, Arrays, Explanation, Pages, Seen
from trapline.core.records import Outcome
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.edge_table import STEPS
from trapline.policies.mind import as_records, as_table, grow_records
from trapline.policies.q_states import (
    ALL_PAGES,
    HELD_PAGE,
    STATE,
    due_state,
    learn_visit,
    rate_of,
    state_of,
)
from trapline.policies.q_table import (
    PASSIVES,
    QMind,
    QSettings,
    QTable,
    check_name,
    check_steps,
)
from trapline.policies.refresh.card_policy import CardPolicy
from trapline.policies.refresh.refresh_policy import KnownPages
from trapline.policies.wording import say_rate
from trapline.theory.discovery.reward import reward
from trapline.theory.kernel import bare_kernel
from trapline.theory.price import inverse_bracket

_LOOKS: Final = 32  # cards looked at, at most, for the next one to write anew
_NEARLY: Final = (
    0.9  # of what an offer is worth in the end is what it is laid through, at most
)
_LEAST_WORTH: Final = 1e-6  # that a lesson is measured by
_GONE = int(Outcome.GONE)


@bare_kernel
def _lay_offer(cards: Cards, mind: QMind, page: int, market: float) -> None:
    """Through the row in which the page is worth the market price."""
    held = mind.held
    worth = held["worth"][page]
    wanted = market / worth if worth > 0.0 else 0.0
    revisits = held["visits"][page] - 1.0
    y, index, top = due_state(mind.states, revisits, wanted)
    cards["base"][page] = 0.0
    cards["shape"][page, 0] = math.inf
    if worth <= 0.0 or index <= 0.0:
        cards["worth"][page, 0] = 0.0
        return
    most = max(top, index / _NEARLY)
    age_s = y / rate_of(held, mind.all_held, page)
    cards["worth"][page, 0] = worth * most
    cards["rate"][page, 0] = inverse_bracket(index / most, math.inf) / age_s


@bare_kernel
def _begin(mind: QMind, page: int, relevance: float) -> None:
    """A page is held from now on."""
    held = mind.held
    held["worth"][page] = relevance
    held["relevance"][page] = relevance
    held["changes"][page] = 0.0
    held["watched_s"][page] = 0.0
    held["visits"][page] = 1.0


@bare_kernel
def _note_watch(mind: QMind, page: int, age_s: float, changed: bool) -> None:
    mind.held["watched_s"][page] += age_s
    mind.all_held["watched_s"][0] += age_s
    if changed:
        mind.held["changes"][page] += 1.0
        mind.all_held["changes"][0] += 1.0


@bare_kernel
def _learn(mind: QMind, page: int, seen: Seen) -> None:
    """Eq. (10) for a held page that was left, then visited."""
    held = mind.held
    settings = mind.settings
    gone = seen.outcome == _GONE
    before = held["relevance"][page]
    after = 0.0 if gone else seen.relevance
    gain = reward(False, seen.changed, gone, before, after) + settings.gamma * seen.news
    changed = gone or seen.changed
    worth = max(held["worth"][page], _LEAST_WORTH)
    revisits = held["visits"][page] - 1.0
    y = seen.age_s * rate_of(held, mind.all_held, page)
    # what pages of no worth gain says nothing of how often pages change
    share = gain / worth if worth > _LEAST_WORTH else 1.0 * changed
    learn_visit(
        mind.states,
        state_of(y, revisits),
        revisits,
        share,
        settings.gamma,
        settings.learns_passive,
    )
    _note_watch(mind, page, seen.age_s, changed)
    if changed:
        worth = held["worth"][page]
        held["worth"][page] = (1.0 - settings.alpha) * worth + settings.alpha * gain
    held["relevance"][page] = after
    held["visits"][page] += 1.0
    mind.edges.counts[STEPS] += 1


@bare_kernel
def _next_waiting(cards: Cards, mind: QMind, page: int) -> int:
    """The next page that waits for its time, in turn; −1 = none near."""
    all_held = mind.all_held
    heard = max(all_held["heard"][0], page + 1.0)
    all_held["heard"][0] = heard
    pages = min(int(heard), len(cards), len(mind.held))
    for _ in range(min(_LOOKS, pages)):
        other = int(all_held["turn"][0]) % pages
        all_held["turn"][0] = other + 1.0
        if (
            other != page
            and cards["filed"][other] == BY_DUE
            and mind.held["visits"][other] > 0.0
        ):
            return other
    return -1


@bare_kernel
def _settle(cards: Cards, mind: QMind, page: int, seen: Seen, others: Pages) -> int:
    known = mind.held["visits"][page] > 0.0
    again = known and seen.age_s > 0.0 and not math.isinf(seen.age_s)
    if again:
        _learn(mind, page, seen)
    if seen.outcome == _GONE:
        mind.held["visits"][page] = 0.0
        return 0
    if not again:
        _begin(mind, page, seen.relevance)
    _lay_offer(cards, mind, page, seen.market_price)
    other = _next_waiting(cards, mind, page)
    if other < 0:
        return 0
    _lay_offer(cards, mind, other, seen.market_price)
    others[0] = other
    return 1


class QRevisits(CardPolicy):
    hears_of_losses = True
    weighted = True
    settle_kernel = staticmethod(_settle)

    def __init__(
        self, alpha: float = 0.5, gamma: float = 0.1, *, passive: str = "learnt"
    ) -> None:
        check_steps(alpha, gamma)
        check_name("passive", passive, PASSIVES)
        settings = QSettings(
            float(alpha), float(gamma), learns_passive=PASSIVES[passive]
        )
        self.table = QTable(settings)

    @classmethod
    def example(cls, known: KnownPages) -> Self:
        return cls()

    @property
    def mind(self) -> QMind:
        return self.table.mind

    @mind.setter
    def mind(self, mind: QMind) -> None:
        self.table.mind = mind

    def learn_beside(self, discovery: DiscoveryPolicy) -> None:
        """One table for both, where the other has one."""
        shared = discovery.shared
        if not isinstance(shared, QTable):
            return
        own = self.mind.settings
        theirs = shared.mind.settings
        for name in ("alpha", "gamma", "learns_passive"):
            if getattr(own, name) != getattr(theirs, name):
                raise UserMistake(
                    "q-learning for both discovery and refresh learns one table: "
                    "give both the same alpha, gamma and passive"
                )
        shared.mind = shared.mind._replace(settings=theirs._replace(both=True))
        self.table = shared

    def fit(self, pages: int, hosts: int) -> None:
        if len(self.mind.held) < pages:
            self.mind = self.mind._replace(held=grow_records(self.mind.held, pages))

    def explain(self, page: int, host: int) -> Explanation:
        held = self.mind.held
        if not (0 <= page < len(held) and held["visits"][page] > 0.0):
            return NOTHING_TO_SAY
        worth, _, changes, _, visits = held[page].tolist()
        rate = float(rate_of(held, self.mind.all_held, page))
        sd = rate / math.sqrt(0.5 + changes)
        values = {"change_rate": rate, "worth": worth, "revisits": visits - 1.0}
        seen = f"{changes:.0f} changes in {visits - 1.0:.0f} visits"
        lines = [
            ("believed changes", f"{say_rate(rate, sd)}; seen: {seen}"),
            ("worth of a change", f"{worth:.3f}, in relevance"),
        ]
        return Explanation(values, lines)

    def state(self) -> Arrays:
        mind = self.mind
        return {
            "memory": as_table(mind.held),
            "states": as_table(mind.states),
            "numbers": as_table(mind.all_held),
        }

    def restore(self, state: Arrays) -> None:
        """What another version learnt in other rows is left alone."""
        mind = self.mind
        if np.shape(state["states"]) != as_table(mind.states).shape:
            return
        self.mind = mind._replace(
            held=as_records(np.asarray(state["memory"]), HELD_PAGE),
            states=as_records(np.asarray(state["states"]), STATE),
            all_held=as_records(np.asarray(state["numbers"]), ALL_PAGES),
        )
