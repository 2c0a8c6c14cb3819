"""Contestants of the full model that no live robot runs: they do half of the work, or share it by a
rule.
"""

from __future__ import annotations

import math

import numpy as np

from trapline.core.cards import FRINGE, Cards
from trapline.core.ports import Found, Scores
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.discovery.discovery_policy import scores_of
from trapline.policies.discovery.value import Value
from trapline.robot.agenda.filing import file_card
from trapline.robot.request_controller import RequestController

_NONE = np.zeros(0, np.int64)


class UnpricedValue(Value):
    """The order of `value`, with scores that no price can be made of: the stated share of the
    budget decides.
    """

    rescores = False

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        scored = super().discover(cards, found, now_s)
        return scores_of(scored.pages, math.inf, -scored.scores)


class BreadthFirstUntil(BreadthFirst):
    """From `until_s` on, pages that are found are not offered."""

    def __init__(self, until_s: float) -> None:
        super().__init__()
        self.until_s = until_s

    def discover(self, cards: Cards, found: Found, now_s: float) -> Scores:
        return (
            super().discover(cards, found, now_s)
            if now_s < self.until_s
            else scores_of(_NONE, 0.0, now_s)
        )


def close_fringe(controller: RequestController, now_s: float) -> None:
    """Strike the offers of all pages that were never fetched."""
    agenda = controller.agenda
    for page in np.flatnonzero(agenda.cards["state"] == FRINGE).tolist():
        agenda.cards["base"][page] = -math.inf
        file_card(agenda.books, page, now_s)
