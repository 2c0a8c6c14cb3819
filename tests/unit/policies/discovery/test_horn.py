"""horn: the best mean of a page and what it opened, however it is found."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from trapline.core.cards import blank_cards
from trapline.core.links import NO_LINKS, links_to
from trapline.core.ports import Found
from trapline.policies.discovery.horn import Horn
from trapline.policies.discovery.value import best_mean

shares = st.floats(0.0, 1.0).map(lambda share: round(share, 2))


def by_sorting(relevance: float, children: NDArray[np.float64]) -> float:
    ranked = np.sort(np.clip(children, 0.0, 1.0))[::-1]
    sums = np.cumsum(np.concatenate(([relevance], ranked)))
    return float((sums / np.arange(1, len(sums) + 1)).max())


@given(shares, st.lists(st.floats(-0.3, 1.3), max_size=12), shares)
def test_the_best_mean_is_that_of_the_best_children(
    relevance: float, scores: list[float], elsewhere: float
) -> None:
    given_scores = np.array(scores, np.float64)
    new = np.arange(len(scores)) % 3 != 1
    found = best_mean(relevance, given_scores, new, elsewhere)
    expected = by_sorting(relevance, np.append(given_scores[new], elsewhere))
    assert abs(found - expected) < 1e-12


def test_what_other_shards_fetch_counts_as_a_child() -> None:
    lessons = []
    for elsewhere in (0.0, 0.9):
        policy = Horn()
        cards = blank_cards(2)
        seeds = Found(-1, 1.0, links_to([0], [0]), np.array([True]))
        policy.discover(cards, seeds, 0.0)
        found = Found(0, 0.4, links_to([1], [0]), np.array([True]))
        policy.discover(cards, found, 1.0)
        end = Found(1, 0.1, NO_LINKS, np.zeros(0, np.bool_), elsewhere=elsewhere)
        policy.discover(cards, end, 2.0)
        lessons.append(policy.mind.weights.copy())
    assert (lessons[1] > lessons[0]).any()
