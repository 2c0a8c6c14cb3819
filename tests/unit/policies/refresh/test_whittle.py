"""whittle in slots, through the request controller: the exact long-run rewards of Table I."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.laboratory.runs.slots import run_slots
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.laboratory.worlds.ephemeral_table import REWARDS, SOURCES, TABLE_I
from trapline.policies.refresh.whittle import SlottedWhittle, Whittle
from trapline.theory.ephemeral.cycle import long_run_reward
from trapline.theory.ephemeral.observed import ObservedIndex
from trapline.theory.ephemeral.source import EphemeralSource, Sources

PERIODS = {1: 2, 2: 7, 3: 4}


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_the_controller_earns_the_exact_long_run_reward(budget: int) -> None:
    run = run_slots(
        SlottedWhittle(SOURCES),
        EphemeralWorld(SOURCES),
        budget,
        100 + 20 * PERIODS[budget],
    )
    assert run.rewards[100:].mean() == pytest.approx(REWARDS[budget], abs=1e-5)
    assert run.visits.sum() == budget * len(run.rewards)


@pytest.mark.parametrize("budget", [1, 2, 3])
def test_it_visits_as_the_exact_cycle_says(budget: int) -> None:
    exact = long_run_reward(TABLE_I, budget)
    long = run_slots(
        SlottedWhittle(SOURCES),
        EphemeralWorld(SOURCES),
        budget,
        100 + 20 * exact.period,
    )
    short = run_slots(SlottedWhittle(SOURCES), EphemeralWorld(SOURCES), budget, 100)
    assert exact.period == PERIODS[budget]
    assert (long.visits - short.visits).tolist() == (
        20 * exact.period * exact.rates
    ).round(9).tolist()


def test_of_the_mean_model_it_is_the_same_whether_contents_are_seen() -> None:
    world = EphemeralWorld(SOURCES)
    seeing = SlottedWhittle(
        SOURCES, observed=np.ones(4, np.bool_), seen=lambda: world.content
    )
    by_content = run_slots(seeing, world, 2, 300)
    by_age = run_slots(SlottedWhittle(SOURCES), EphemeralWorld(SOURCES), 2, 300)
    assert by_content.rewards == pytest.approx(by_age.rewards, rel=1e-12)
    assert by_content.prices == pytest.approx(by_age.prices, rel=1e-9)


def test_an_index_may_be_handed_in_for_what_is_seen() -> None:
    world = EphemeralWorld(SOURCES)
    world.step()
    only_4 = np.array([False, False, False, True])
    policy = SlottedWhittle(
        SOURCES, observed=only_4, seen=lambda: world.content, index=lambda x: 1000.0 + x
    )
    assert policy.choose(None, None, now_s=1.0) == 3
    assert policy.paid == pytest.approx(1000.0 + SOURCES.gain[3])
    assert policy.choose(None, None, now_s=1.0) == 0


def test_observed_sources_need_somebody_who_sees() -> None:
    with pytest.raises(BadNumber, match="seen"):
        SlottedWhittle(SOURCES, observed=np.ones(4, np.bool_))


def test_on_the_continuous_clock_it_is_an_offer_of_worth_and_rate() -> None:
    pages = Whittle(SOURCES).mind.pages
    assert pages["rate"] == pytest.approx(SOURCES.decay)
    assert pages["worth"] == pytest.approx(SOURCES.worth)


def test_what_is_written_of_sources_not_observed_does_no_harm() -> None:
    observed = np.array([False, True, False, False])
    policy = SlottedWhittle(
        SOURCES, observed=observed, seen=lambda: np.array([np.nan, 400.0, np.nan, -1.0])
    )
    prices = policy.prices(3.0)
    assert prices[~observed] == pytest.approx(SOURCES.price(3.0)[~observed])
    assert prices[1] == pytest.approx(TABLE_I[1].price_at(400.0))


def test_each_source_may_have_an_index_of_its_own() -> None:
    rare = [
        EphemeralSource(2.0, 1.0, 0.35),
        EphemeralSource(1.0, 3.0, 0.7),
        EphemeralSource(1.0, 3.0, 0.2),
    ]
    indices = [ObservedIndex(source, points=50) for source in rare]
    observed = np.array([True, False, True])
    contents = np.array([5.0, np.nan, 8.0])
    policy = SlottedWhittle(
        Sources.of(rare), observed=observed, seen=lambda: contents, index=indices
    )
    wanted = [indices[0].price_at(5.0), rare[1].price(2.0), indices[2].price_at(8.0)]
    assert policy.prices(2.0) == pytest.approx(wanted, rel=1e-12)
    assert wanted[0] != pytest.approx(rare[0].price_at(5.0), rel=0.01)


@pytest.mark.parametrize(
    ("observed", "seen", "index"),
    [
        (np.ones(3, np.bool_), np.ones(4), None),
        (np.ones(4, np.bool_), np.ones(3), None),
        (np.ones(4, np.bool_), np.ones(4), [ObservedIndex(TABLE_I[0])] * 3),
        (np.ones(4, np.bool_), np.ones(4), lambda contents: contents[:2]),
    ],
)
def test_wrong_numbers_of_anything_are_refused(
    observed: Any, seen: Any, index: Any
) -> None:
    with pytest.raises(BadNumber, match="number of"):
        SlottedWhittle(
            SOURCES, observed=observed, seen=lambda: seen, index=index
        ).prices(1.0)
