"""The polling world of `htraa`: its probabilities, its truth, its switches."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber, UnknownName
from trapline.core.records import Outcome
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.laboratory.worlds.truth import Truth, visit

RANK = np.arange(1, 513, dtype=np.float64)


def seen_at(truth: Truth, now_s: float) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which pages a visit to all of them finds changed."""
    found = [visit(truth, page, now_s) for page in range(len(truth.pages))]
    assert {outcome for outcome, _, _ in found} == {int(Outcome.OK)}
    return np.array([changed for _, changed, _ in found])


def test_zipf_is_alpha_over_rank_to_the_beta() -> None:
    np.testing.assert_allclose(
        PollingWorld.zipf(512, 0.9, 1.5).probabilities, 0.9 / RANK**1.5, rtol=1e-14
    )
    assert PollingWorld.zipf(3, 0.3, 0.0).probabilities.tolist() == [0.3] * 3


def test_a_shuffled_world_has_the_same_pages_in_an_order_that_its_seed_gives() -> None:
    worlds = [
        PollingWorld.zipf(512, order="shuffled", seed=seed).probabilities
        for seed in (0, 0, 1)
    ]
    assert np.array_equal(worlds[0], worlds[1]) and not np.array_equal(
        worlds[0], worlds[2]
    )
    np.testing.assert_allclose(np.sort(worlds[2])[::-1], 0.3 / RANK**1.5, rtol=1e-14)
    assert abs(np.corrcoef(np.argsort(-worlds[0]), RANK)[0, 1]) < 4.0 / np.sqrt(512)


def test_one_perturbation_swaps_two_neighbours() -> None:
    moved = np.flatnonzero(
        PollingWorld.zipf(512, swaps=1, seed=3).probabilities
        != PollingWorld.zipf(512).probabilities
    )
    assert len(moved) == 2 and moved[1] == moved[0] + 1


def test_perturbations_carry_pages_as_far_as_a_random_walk() -> None:
    """Each of n − 1 pairs is hit equally often, so a page takes 2·swaps/(n−1) steps of ±1."""
    where = np.argsort(
        -PollingWorld.zipf(512, swaps=10_000, seed=1).probabilities, kind="stable"
    )
    moved = where - np.arange(512)
    expected = 2 * 10_000 / 511
    for half in (moved[30:256], moved[256:-30]):
        assert abs((half**2).mean() / expected - 1.0) < 4.0 * np.sqrt(2.0 / 226)
    assert moved[-1] != 0  # the last takes part


def test_a_million_pages_and_a_million_swaps() -> None:
    world = PollingWorld.zipf(1_000_000, order="shuffled", swaps=1_000_000)
    truth = world.truth()
    assert len(world) == len(truth.pages) == 1_000_000
    assert np.sort(world.probabilities)[[0, -1]] == pytest.approx([0.3e-9, 0.3])


@pytest.mark.parametrize("gap", [1, 2, 7])
def test_after_so_many_steps_a_page_has_changed_with_probability_1_minus_q_to_the_gap(
    gap: int,
) -> None:
    truth = PollingWorld(np.full(4000, 0.2), seed=5).truth()
    seen_at(truth, 0.0)
    seen_at(truth, 3.0)
    chance = 1.0 - 0.8**gap
    assert abs(seen_at(truth, 3.0 + gap).mean() - chance) < 4.0 * np.sqrt(
        chance * (1 - chance) / 4000
    )


def test_nothing_but_polls_is_scarce_and_weights_are_relevance() -> None:
    truth = PollingWorld([0.5, 0.25], weights=[1.0, 0.25]).truth()
    assert truth.relevance.tolist() == [1.0, 0.25]
    assert truth.host.tolist() == [0, 1]
    assert not truth.gap_s.any() and not truth.latency_s.any()
    np.testing.assert_allclose(1.0 - np.exp(-truth.rate), [0.5, 0.25])


def test_a_switch_moves_a_page_one_rank_and_the_truth_with_it() -> None:
    world = PollingWorld.zipf(16, order="shuffled", switch_every=10, seed=2)
    truth = world.truth()
    for step in range(1, 200):
        before = world.probabilities
        one, other = world.switch(float(step), truth)
        ranks = np.argsort(-before, kind="stable").tolist()
        assert ranks.index(other) == ranks.index(one) + 1
        before[[one, other]] = before[[other, one]]
        assert np.array_equal(world.probabilities, before)
        np.testing.assert_allclose(-np.expm1(-truth.rate), before)
    assert np.all(truth.pages["next_change"][[one, other]] > 199.0)


def test_the_page_that_switches_is_drawn_from_the_zipf_distribution() -> None:
    world = PollingWorld.zipf(5, 0.9, 1.5, switch_every=1)
    counts = np.zeros(5)
    for _ in range(4000):
        ranks = np.argsort(-world.probabilities, kind="stable").tolist()
        one, _ = world.switch(0.0)
        counts[ranks.index(one)] += 1
    chance = np.arange(1, 5) ** -1.5
    chance /= chance.sum()
    assert counts[4] == 0  # the last has no successor
    assert np.all(
        abs(counts[:4] / 4000 - chance) < 4.0 * np.sqrt(chance * (1 - chance) / 4000)
    )


def test_after_a_switch_the_new_probability_counts_and_what_happened_before_stays() -> (
    None
):
    """Three steps at the old probability, two at the new: 1 − q³ before, 1 − q³·q'² if nobody
    looked meanwhile.
    """
    looked = np.zeros((4000, 2))
    unlooked = np.zeros((4000, 2))
    for seed in range(4000):
        world = PollingWorld([0.5, 0.1], switch_every=3, seed=seed)
        for found, looks in ((looked, True), (unlooked, False)):
            truth = world.truth()
            truth.pages["seen"] = 0
            if looks:
                seen_at(truth, 3.0)
            assert world.switch(3.0, truth) == (0, 1)
            found[seed] = seen_at(truth, 5.0)
    for found, chance in (
        (looked, [1 - 0.9**2, 1 - 0.5**2]),
        (unlooked, [1 - 0.5**3 * 0.9**2, 1 - 0.9**3 * 0.5**2]),
    ):
        expected = np.array(chance)
        assert np.all(
            abs(found.mean(axis=0) - expected)
            < 4.0 * np.sqrt(expected * (1 - expected) / 4000)
        )


def test_a_fresh_truth_takes_the_world_back_to_its_start() -> None:
    world = PollingWorld.zipf(64, switch_every=5, seed=4)
    start = world.probabilities
    first = [world.switch(0.0) for _ in range(20)]
    assert not np.array_equal(world.probabilities, start)
    truth = world.truth()
    assert np.array_equal(world.probabilities, start)
    np.testing.assert_allclose(-np.expm1(-truth.rate), start)
    assert [world.switch(0.0) for _ in range(20)] == first


def test_optimum_and_bound_are_found_once_and_anew_when_weighted_pages_switch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def value(name: str, chances: Any, *rest: Any) -> Any:
        asked.append(name)
        return chances @ rest[-1]

    stand_in = SimpleNamespace(
        best_rates=lambda *facts: "rates",
        detections=lambda p, rates, w: value("optimum", p, rates, w),
    )
    monkeypatch.setitem(sys.modules, "trapline.theory.polling", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "trapline.theory.polling.allocation", stand_in)
    monkeypatch.setitem(
        sys.modules,
        "trapline.theory.polling.whole_steps",
        SimpleNamespace(slotted_bound=lambda *f: value("bound", *f)),
    )
    plain = PollingWorld([0.5, 0.25], switch_every=1)
    weighted = PollingWorld([0.5, 0.25], weights=[1.0, 0.5], switch_every=1)
    for world, before, after in ((plain, 0.75, 0.75), (weighted, 0.625, 0.5)):
        assert (world.optimum, world.bound, world.optimum) == (before, before, before)
        world.switch(0.0)
        assert (world.optimum, world.bound) == (after, after)
    assert len(asked) == 2 + 4


BAD: dict[str, tuple[Any, ...]] = {
    "pages": (0, 1, -3, True, 2.5, 10**10),
    "alpha": (0.0, 1.0, -0.1, 1.5, np.nan),
    "beta": (-0.1, np.inf, np.nan),
    "swaps": (-1, 0.5, True),
    "switch_every": (0, -5, 1.5),
    "weights": ([1.0], [0.5, 1.1], [-0.1, 1.0], [np.nan, 1.0], [0.0, 0.0]),
    "seed": (-1, 0.5),
}


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name, values in BAD.items() for value in values],
)
def test_bad_numbers_are_named(name: str, value: Any) -> None:
    with pytest.raises(BadNumber):
        PollingWorld.zipf(**{"pages": 2, name: value})


@pytest.mark.parametrize(
    "chances",
    [[0.5], [], [[0.5, 0.5]], [0.0, 0.5], [0.5, 1.0], [0.5, np.nan], [-0.5, 0.5]],
)
def test_probabilities_lie_between_0_and_1_and_there_are_two_at_least(
    chances: Any,
) -> None:
    with pytest.raises(BadNumber):
        PollingWorld(chances)


def test_an_unknown_order_is_named() -> None:
    with pytest.raises(UnknownName, match="sorted"):
        PollingWorld.zipf(8, order="random")  # type: ignore[arg-type]


def test_irregular_switches_are_so_many_polls_apart_on_the_average() -> None:
    even = PollingWorld.zipf(8, switch_every=50)
    uneven = PollingWorld.zipf(8, switch_every=50, irregular=True, seed=3)
    assert even.switches(before=201).tolist() == [50, 100, 150, 200]
    assert even.switches(before=200).tolist() == [50, 100, 150]
    assert PollingWorld.zipf(8, irregular=True).switches(before=10**6).size == 0
    found = uneven.switches(before=100_000)
    periods = np.diff(found, prepend=0)
    assert periods.min() >= 1
    assert periods.mean() == pytest.approx(50.0, rel=0.08)
    assert periods.std() == pytest.approx(50.0, rel=0.12), "memory of nothing"
    assert uneven.switches(before=5_000).tolist() == found[found < 5_000].tolist()
    other = PollingWorld.zipf(8, switch_every=50, irregular=True, seed=4)
    assert other.switches(before=5_000).tolist() != found[found < 5_000].tolist()
