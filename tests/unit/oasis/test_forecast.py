"""The forecast sums to one, and as many are asked as it needs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.unit.oasis.hand_made import MOON, three
from trapline.oasis.federation import Federation
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.forecast import Forecast, choose


def test_shares_sum_to_one_and_the_best_comes_first() -> None:
    shares = Forecast().shares(QueryKeys(((MOON,),)), Federation.of(three()))
    assert shares.sum() == pytest.approx(1.0)
    assert np.argmax(shares) == 0
    assert choose(shares, 1.0)[0] == 0


def test_nobody_is_asked_where_nobody_is() -> None:
    shares = Forecast().shares(QueryKeys(((MOON,),)), Federation.of([]))
    assert choose(shares) == ()


@pytest.mark.parametrize(
    ("enough", "asked"), [(0.0, 1), (0.5, 1), (0.6, 2), (0.8, 2), (0.9, 3), (1.0, 4)]
)
def test_as_many_are_asked_as_are_needed(enough: float, asked: int) -> None:
    shares = np.array([0.1, 0.5, 0.3, 0.1])
    assert choose(shares, enough) == (1, 2, 0, 3)[:asked]


def test_never_more_than_the_most() -> None:
    assert len(choose(np.full(256, 1 / 256), 0.95, most=6)) == 6
