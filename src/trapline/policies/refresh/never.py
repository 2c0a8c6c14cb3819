"""never: no page is visited twice. For the laboratory, where discovery is looked at alone.

>>> from trapline.core.cards import blank_cards
>>> from trapline.core.records import Outcome
>>> Never().settle(blank_cards(1), 0, Outcome.OK, changed=True, relevance=1.0, news=0.0, age_s=9.0, now_s=7.0)
()
"""

from __future__ import annotations

from trapline.policies.refresh.card_policy import CardPolicy


class Never(CardPolicy):
    roles = frozenset({"refresh"})
    laboratory_only = True
