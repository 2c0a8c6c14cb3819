"""The bound of the full model: no schedule of a tiny world exceeds it, and where it can be exact it
is near.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.theory.discovery.full_model import full_model_bound

LENGTH = 6
Floats = NDArray[np.float64]


def draw(seed: int, pages: int = 3) -> tuple[Floats, Floats, Floats, Floats]:
    """Relevance, rates, births and deaths at whole seconds; page 0 is always there."""
    rng = np.random.default_rng(seed)
    born = rng.integers(0, 3, pages).astype(np.float64)
    dies = rng.integers(4, 9, pages).astype(np.float64)
    born[0] = 0.0
    dies[0] = 9.0
    rate = np.where(rng.random(pages) < 0.2, 0.0, 10.0 ** rng.uniform(-2.0, 0.7, pages))
    return rng.uniform(0.1, 1.0, pages), rate, born, dies


def alive(relevance: Floats, born: Floats, dies: Floats) -> Floats:
    """Relevance alive in each second."""
    seconds = np.arange(LENGTH)[:, None]
    return np.asarray((relevance * ((born <= seconds) & (seconds < dies))).sum(axis=1))


def earned(
    schedule: tuple[int, ...],
    relevance: Floats,
    rate: Floats,
    born: Floats,
    dies: Floats,
) -> float:
    """Mean recall, exactly: page schedule[t] is fetched at second t; −1 = none."""
    there = alive(relevance, born, dies)
    total = 0.0
    last: dict[int, int] = {}
    for second, fetched in enumerate(schedule):
        if fetched >= 0 and born[fetched] <= second < dies[fetched]:
            last[fetched] = second
        for page, since in last.items():
            if second < dies[page]:
                total += (
                    relevance[page]
                    / there[second]
                    * fresh_for(rate[page], second - since)
                )
    return total / LENGTH


def fresh_for(rate: float, age: float) -> float:
    """Expected seconds of the next one for which a page fetched `age` ago is fresh."""
    return (
        1.0
        if rate == 0.0
        else (math.exp(-rate * age) - math.exp(-rate * (age + 1.0))) / rate
    )


def bound_of(
    relevance: Floats, rate: Floats, born: Floats, dies: Floats, cells: int = 60
) -> float:
    there = np.repeat(alive(relevance, born, dies), cells // LENGTH)
    return full_model_bound(
        relevance, rate, born, dies, there=there, length_s=float(LENGTH), budget=1.0
    )


@pytest.mark.parametrize("seed", range(6))
def test_no_schedule_of_a_tiny_world_exceeds_the_bound(seed: int) -> None:
    world = draw(seed)
    best = max(
        earned(schedule, *world)
        for schedule in itertools.product((-1, 0, 1, 2), repeat=LENGTH)
    )
    assert best <= bound_of(*world) <= 2.0 * best


def test_pages_that_do_not_change_are_taken_in_order_of_relevance() -> None:
    """One fetch a second, and one at once: page k waits for k seconds.

    Only cells and one fetch more are given away.
    """
    relevance = np.array([1.0, 0.8, 0.6, 0.4, 0.2])
    still = np.zeros(5)
    here = np.zeros(5)
    stays = np.full(5, 9.0)
    best = earned((0, 1, 2, 3, 4, -1), relevance, still, here, stays)
    assert best == pytest.approx((6.0 + 0.8 * 5 + 0.6 * 4 + 0.4 * 3 + 0.2 * 2) / 18.0)
    assert best <= bound_of(relevance, still, here, stays, cells=600) < best + 0.11


def test_with_time_enough_it_is_the_bound_of_freshness() -> None:
    """Two pages alike share the budget: each fresh a share (f/D)·(1 − e^(−D/f)) of the time, f =
    1/2, D = 1.
    """
    long_s = 3_000.0
    found = full_model_bound(
        [1.0, 1.0],
        [1.0, 1.0],
        [0.0, 0.0],
        [long_s, long_s],
        there=[2.0] * 50,
        length_s=long_s,
        budget=1.0,
    )
    assert found == pytest.approx(0.5 * (1.0 - math.exp(-2.0)), rel=1e-3)


@pytest.mark.parametrize("fetches", [2, 3, 5])
def test_of_a_page_that_is_alone_all_fetches_are_made(fetches: int) -> None:
    """One fetch at once and B·T more, evenly spaced: k·(1 − e^(−DT/k))/(DT), D = 1, T = 2.

    (λ is found within 1 %.)
    """
    found = full_model_bound(
        [1.0],
        [1.0],
        [0.0],
        [9.0],
        there=[1.0] * 40,
        length_s=2.0,
        budget=(fetches - 1) / 2.0,
    )
    exact = fetches * (1.0 - math.exp(-2.0 / fetches)) / 2.0
    assert exact - 1e-9 <= found <= 1.01 * exact


def test_a_larger_budget_allows_no_less() -> None:
    relevance, rate, born, dies = draw(11, pages=40)
    there = np.repeat(alive(relevance, born, dies), 10)
    found = [
        full_model_bound(
            relevance, rate, born, dies, there=there, length_s=6.0, budget=budget
        )
        for budget in (0.5, 1.0, 3.0, 30.0, 3_000.0)
    ]
    assert found == sorted(found) and found[0] < 0.5 * found[-1]


def test_what_is_given_away_counts_where_less_was_alive_at_first() -> None:
    """Page 1 is half of all that is there until page 0 is born; a bound that forgot that would be
    too low.
    """
    relevance = np.array([1.0, 1.0])
    still = np.zeros(2)
    born = np.array([5.0, 0.0])
    dies = np.full(2, 9.0)
    best = earned((1, -1, -1, -1, -1, 0), relevance, still, born, dies)
    assert best == pytest.approx(1.0)
    assert bound_of(relevance, still, born, dies) >= best - 1e-12  # rounding


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"relevance": [1.0, -0.5]}, "a relevance"),
        ({"relevance": [1.0, math.nan]}, "a relevance"),
        ({"rate": [1.0]}, "rates"),
        ({"rate": [1.0, -1.0]}, "a change rate"),
        ({"dies_s": [5.0, -1.0]}, "a page's death"),
        ({"born_s": [0.0, math.nan]}, "a page's death"),
        ({"there": [2.0, 0.0]}, "the relevance alive"),
        ({"length_s": 0.0}, "the length"),
        ({"budget": math.inf}, "the budget"),
    ],
)
def test_bad_input_is_named(change: dict[str, object], words: str) -> None:
    given: dict[str, object] = {
        "relevance": [1.0, 1.0],
        "rate": [1.0, 1.0],
        "born_s": [0.0, 0.0],
        "dies_s": [5.0, 5.0],
        "there": [2.0, 2.0],
        "length_s": 5.0,
        "budget": 1.0,
    }
    with pytest.raises(BadNumber, match=words):
        full_model_bound(**(given | change))  # type: ignore[arg-type]
