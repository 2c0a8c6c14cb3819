"""The world of ephemeral sources: its means are the paper's recursion, its randomness has the right
moments.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from trapline.core.errors import BadNumber, UnknownName
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.theory.ephemeral.source import EphemeralSource, Sources

TWO = Sources.of([EphemeralSource(250.0, 1.0, 0.7), EphemeralSource(20.0, 0.5, 0.2)])


def dropping(sources: Sources, lifetime: ArrayLike) -> Sources:
    """The same sources, what is older than so many slots being dropped."""
    return replace(sources, lifetime=np.asarray(lifetime, np.float64))


def test_the_mean_model_is_the_recursion_of_the_paper() -> None:
    world = EphemeralWorld(TWO)
    expected = np.zeros(2)
    for slot in range(12):
        world.step()
        expected = TWO.survival * expected + TWO.gain
        assert world.content == pytest.approx(expected)
        if slot % 3 == 0:
            assert world.visit(0) == pytest.approx(expected[0])
            expected[0] = 0.0
    assert world.now == 12
    assert world.content[1] == pytest.approx(TWO.content(12)[1])


def test_a_visit_takes_all() -> None:
    world = EphemeralWorld(dropping(TWO, 3), model="stochastic")
    for _ in range(5):
        world.step()
    assert world.visit(1) > 0.0
    assert world.visit(1) == 0.0
    world.step()
    assert world.content[1] < world.content[0]


@pytest.mark.parametrize(
    ("utilities", "square"), [("constant", 1.0), ("exponential", 2.0)]
)
def test_one_slot_of_the_stochastic_model_has_the_right_mean_and_variance(
    utilities: Any, square: float
) -> None:
    """Mean u; variance Λ·E[ξ²]·(1 − e^(−2μ))/(2μ): both within four standard errors over many equal
    sources.
    """
    count = 40_000
    rate = 3.0
    worth = 0.5
    decay = 0.4
    sources = Sources(
        np.full(count, rate), np.full(count, worth), np.full(count, decay)
    )
    world = EphemeralWorld(sources, model="stochastic", utilities=utilities, seed=7)
    world.step()
    found = world.content
    variance = rate * square * worth**2 * -np.expm1(-2.0 * decay) / (2.0 * decay)
    assert abs(found.mean() - sources.gain[0]) < 4.0 * np.sqrt(variance / count)
    spread = (found - found.mean()) ** 2
    assert abs(spread.mean() - variance) < 4.0 * spread.std() / np.sqrt(count)


def test_unvisited_sources_settle_at_their_ceiling() -> None:
    count = 5_000
    sources = Sources(np.full(count, 3.0), np.ones(count), np.full(count, 0.4))
    world = EphemeralWorld(sources, model="stochastic", seed=3)
    for _ in range(40):
        world.step()
    error = world.content.std() / np.sqrt(count)
    assert abs(world.content.mean() - 3.0 / 0.4) < 4.0 * error


@pytest.mark.parametrize("lifetime", [1, 3, 10])
def test_items_that_outlive_their_time_are_gone(lifetime: int) -> None:
    """Only the last M slots count: u*·(1 − a^M)."""
    world = EphemeralWorld(dropping(TWO, lifetime))
    for _ in range(60):
        world.step()
    assert world.content == pytest.approx(TWO.ceiling * (1.0 - TWO.survival**lifetime))


def test_lifetimes_hold_in_the_stochastic_model_too() -> None:
    count = 5_000
    lifetime = 3
    sources = Sources(np.full(count, 3.0), np.ones(count), np.full(count, 0.4))
    world = EphemeralWorld(dropping(sources, lifetime), model="stochastic", seed=5)
    for _ in range(20):
        world.step()
    expected = sources.ceiling[0] * (1.0 - sources.survival[0] ** lifetime)
    assert abs(world.content.mean() - expected) < 4.0 * world.content.std() / np.sqrt(
        count
    )
    assert world.content.min() >= 0.0


def test_each_source_may_have_a_lifetime_of_its_own() -> None:
    three = Sources(np.full(3, 20.0), np.ones(3), np.full(3, 0.2))
    world = EphemeralWorld(dropping(three, [2, np.inf, 5]))
    for _ in range(9):
        world.step()
    assert world.content == pytest.approx(three.content([2, 9, 5]))
    world.visit(2)
    world.step()
    assert world.content == pytest.approx(three.content([2, 10, 1]))


def test_contents_are_never_below_0() -> None:
    """Items that come seldom: what is left when the last is gone is exactly nothing."""
    sources = Sources(np.full(200, 0.3), np.full(200, 0.1), np.full(200, 0.3))
    world = EphemeralWorld(
        dropping(sources, 4), model="stochastic", utilities="exponential", seed=2
    )
    lowest = []
    for _ in range(300):
        world.step()
        lowest.append(world.content.min())
    assert min(lowest) == max(lowest) == 0.0


def test_parameters_change_when_they_are_said_to() -> None:
    later = Sources.of(
        [EphemeralSource(10.0, 1.0, 0.7), EphemeralSource(900.0, 0.5, 0.2)]
    )
    last = Sources.of([EphemeralSource(1.0, 1.0, 0.1), EphemeralSource(1.0, 0.5, 0.2)])
    world = EphemeralWorld(TWO, changes=((5, last), (3, later)))
    brought = []
    for _ in range(6):
        world.step()
        brought.append(world.visit(0))
        world.visit(1)
    first, second, third = (float(sources.gain[0]) for sources in (TWO, later, last))
    assert brought == pytest.approx([first, first, second, second, third, third])


def test_the_same_seed_is_the_same_world() -> None:
    worlds = [EphemeralWorld(TWO, model="stochastic", seed=seed) for seed in (1, 1, 2)]
    for world in worlds:
        world.step()
    assert (
        worlds[0].content.tolist()
        == worlds[1].content.tolist()
        != worlds[2].content.tolist()
    )


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"model": "medium"}, UnknownName),
        ({"utilities": "heavy"}, UnknownName),
        ({"changes": ((3, replace(TWO, lifetime=np.array([5.0]))),)}, BadNumber),
        ({"seed": -1}, BadNumber),
        ({"changes": ((3, Sources.of([EphemeralSource(1.0, 1.0, 1.0)])),)}, BadNumber),
    ],
)
def test_impossible_worlds_are_refused(
    options: dict[str, Any], error: type[Exception]
) -> None:
    with pytest.raises(error):
        EphemeralWorld(TWO, **options)
