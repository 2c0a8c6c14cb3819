"""never: no page is visited twice. For the laboratory, where discovery is looked at alone.

>>> from trapline.core.cards import blank_cards
>>> from trapline.policies.refresh.refresh_policy import a_visit
>>> Never().settle(blank_cards(1), 0, a_visit(age_s=9.0, now_s=7.0))
()
"""

from __future__ import annotations

from collections.abc import Sequence

from trapline.core.cards import Cards
from trapline.core.ports import Seen
from trapline.policies.refresh.refresh_policy import RefreshPolicy


class Never(RefreshPolicy):
    laboratory_only = True

    def settle(self, cards: Cards, page: int, seen: Seen) -> Sequence[int]:
        return ()
