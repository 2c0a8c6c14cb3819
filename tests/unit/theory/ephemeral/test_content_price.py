"""The price of contents that are seen, on the continuous clock: that of short slots."""

from __future__ import annotations

import math

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.theory.ephemeral.content_price import content_price
from trapline.theory.ephemeral.observed import ObservedIndex
from trapline.theory.ephemeral.source import EphemeralSource


@pytest.mark.parametrize("arrivals", [1.0, 2.0])
def test_it_is_the_limit_of_short_slots(arrivals: float) -> None:
    """The slotted index is wrong by a share of the slot."""
    at = np.array([0.5, 1.2, 2.0, 3.0])
    slotted = [
        ObservedIndex(
            EphemeralSource(arrivals, utility=1.0, decay=1.0, period=slot), points=60
        ).price_at(at)
        for slot in (0.2, 0.1)
    ]
    limit = 2.0 * slotted[1] - slotted[0]
    ours = [content_price(x, arrivals) for x in at.tolist()]
    assert ours == pytest.approx(limit.tolist(), rel=0.02)


def test_the_first_item_is_worth_what_waiting_for_the_next_would_lose_of_it() -> None:
    assert content_price(0.8, 3.0) == pytest.approx(0.8 / 4.0)
    assert content_price(1.0 + 1e-9, 3.0) == pytest.approx(
        content_price(1.0, 3.0), rel=1e-6
    )


def test_many_arrivals_are_as_good_as_their_mean() -> None:
    near = [content_price(x, 199.9) for x in (50.0, 120.0, 260.0)]
    mean = [content_price(x, 200.0) for x in (50.0, 120.0, 260.0)]
    assert near == pytest.approx(mean, rel=0.1)
    assert math.isclose(content_price(1e6, 300.0), 1e6)


def test_it_rises_with_the_content_and_never_beyond_it() -> None:
    contents = np.linspace(0.0, 6.0, 40)
    prices = np.array([content_price(x, 1.5) for x in contents.tolist()])
    assert (np.diff(prices) > 0.0).all() and (prices <= contents).all()


@pytest.mark.parametrize(
    ("items", "arrivals"), [(-1.0, 1.0), (math.nan, 1.0), (1.0, -2.0)]
)
def test_what_is_no_content_is_refused(items: float, arrivals: float) -> None:
    with pytest.raises(BadNumber):
        content_price(items, arrivals)
