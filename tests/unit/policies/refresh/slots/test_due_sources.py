"""Choosing among very many sources: the same choices as when all of them are priced
in each slot.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.cards import HELD, blank_cards
from trapline.core.records import Outcome
from trapline.laboratory.worlds.ephemeral import random_sources
from trapline.policies.refresh.refresh_policy import a_visit
from trapline.policies.refresh.slots.due_sources import DueSources
from trapline.policies.refresh.slots.slot_chooser import SlottedChooser
from trapline.policies.refresh.whittle import ManySourcesWhittle, SlottedWhittle


@pytest.mark.parametrize("seed", range(4))
def test_the_choices_are_those_of_pricing_all(seed: int) -> None:
    """Also when the budget changes from slot to slot, down to nothing and up to everything."""
    sources = random_sources(120, seed)
    rng = np.random.default_rng(seed)
    cards = blank_cards(120)
    cards["state"] = HELD
    policies: list[SlottedChooser] = [
        SlottedWhittle(sources),
        ManySourcesWhittle(sources),
    ]
    for slot in range(1, 300):
        budget = 6 if slot % 20 else int(rng.integers(0, 121))
        chosen = [
            [policy.choose(cards, None, float(slot)) for _ in range(budget)]
            for policy in policies
        ]
        assert chosen[0] == chosen[1]
        for policy in policies:
            for page in chosen[0]:
                policy.settle(
                    cards, page, a_visit(Outcome.OK, True, 1.0, 1.0, 1.0, float(slot))
                )


def test_nothing_is_left_when_all_were_taken() -> None:
    policy = ManySourcesWhittle(random_sources(5, 1))
    assert sorted(policy.choose(None, None, 3.0) for _ in range(5)) == [0, 1, 2, 3, 4]
    assert policy.choose(None, None, 3.0) == -1


def test_up_are_those_whose_price_has_reached_the_floor() -> None:
    sources = random_sources(200, 2)
    last = np.zeros(200)
    now = 0
    due = DueSources(sources, last)
    rng = np.random.default_rng(3)
    for floor in (0.5, 0.5, 2.0, 0.1, 0.1, 0.1):
        for _ in range(20):
            now += int(rng.integers(1, 4))
            up = due.up(float(now), floor)
            np.testing.assert_array_equal(
                up, np.flatnonzero(sources.price(now - last) >= floor)
            )
            gone = up[rng.random(len(up)) < 0.3]
            last[gone] = now
            due.note_visit(gone)


def test_what_may_not_be_visited_does_not_hide_the_rest() -> None:
    """Only the ten cheapest of a thousand are held."""
    sources = random_sources(1_000, 4)
    cheapest = np.argsort(sources.price(5.0))[:10]
    cards = blank_cards(1_000)
    cards["state"][cheapest] = HELD
    policies: list[SlottedChooser] = [
        SlottedWhittle(sources),
        ManySourcesWhittle(sources),
    ]
    chosen = [
        [policy.choose(cards, None, 5.0) for _ in range(12)] for policy in policies
    ]
    assert chosen[0] == chosen[1] == [*cheapest[::-1].tolist(), -1, -1]


def lived(policy: SlottedChooser, first: int, slots: int) -> list[int]:
    cards = blank_cards(len(policy.last))
    cards["state"] = HELD
    found = []
    for slot in range(first, first + slots):
        pages = [policy.choose(cards, None, float(slot)) for _ in range(20)]
        for page in pages:
            policy.settle(
                cards, page, a_visit(Outcome.OK, True, 1.0, 1.0, 1.0, float(slot))
            )
        found += pages
    return found


def test_it_goes_on_where_it_was_saved() -> None:
    sources = random_sources(1_000, 5)
    one = ManySourcesWhittle(sources)
    other = ManySourcesWhittle(sources)
    lived(one, 1, 40)
    lived(other, 1, 7)
    other.restore(one.state())
    assert lived(one, 41, 30) == lived(other, 41, 30)


def test_visits_that_somebody_else_chose_count_too() -> None:
    sources = random_sources(1_000, 6)
    policies: list[SlottedChooser] = [
        SlottedWhittle(sources),
        ManySourcesWhittle(sources),
    ]
    cards = blank_cards(1_000)
    rng = np.random.default_rng(1)
    for slot in range(1, 60):
        strangers = rng.integers(0, 1_000, 30).tolist()
        for policy in policies:
            for page in strangers:
                policy.settle(
                    cards, page, a_visit(Outcome.OK, True, 1.0, 1.0, 1.0, float(slot))
                )
        assert lived(policies[0], slot + 1, 1) == lived(policies[1], slot + 1, 1)


def test_a_choice_that_came_to_nothing_may_be_made_again() -> None:
    sources = random_sources(1_000, 7)
    policies: list[SlottedChooser] = [
        SlottedWhittle(sources),
        ManySourcesWhittle(sources),
    ]
    for slot in range(1, 20):
        chosen = [
            [policy.choose(None, None, float(slot)) for _ in range(20)]
            for policy in policies
        ]
        assert chosen[0] == chosen[1]


def test_what_was_not_visited_after_all_is_up_again() -> None:
    due = DueSources(random_sources(50, 8), np.zeros(50))
    up = due.up(30.0, 0.5)
    assert up.size
    due.note_visit(up)
    assert due.up(31.0, 0.5).tolist() == due.up(31.0, 0.5).tolist()
    assert set(up.tolist()) <= set(due.up(31.0, 0.5).tolist())
