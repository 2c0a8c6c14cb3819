"""Directories little known bid more, as far as directories were seen to differ."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.cards import FRINGE, Cards, blank_cards
from trapline.core.links import LINK, NO_LINKS, Links, links_to
from trapline.core.ports import SEEDS, Found
from trapline.policies.discovery.value import Value

PAGES = 400
DIRECTORIES = 40
SEED = PAGES - 1


def cards() -> Cards:
    blank = blank_cards(PAGES)
    blank["state"] = FRINGE
    return blank


def directory_of(page: int) -> int:
    return page % DIRECTORIES


def all_links() -> Links:
    links = np.zeros(SEED, LINK)
    links["page"] = np.arange(SEED)
    links["directory"] = 1 + links["page"] % DIRECTORIES
    links["prefix"] = 1000 + links["directory"]
    return links


def begun() -> Value:
    policy = Value()
    one = np.array([True])
    policy.discover(cards(), Found(SEEDS, 1.0, links_to([SEED], [0]), one), 0.0)
    new = np.ones(SEED, np.bool_)
    policy.discover(cards(), Found(SEED, 0.5, all_links(), new), 1.0)
    return policy


def visit(policy: Value, page: int, relevance: float) -> None:
    found = Found(page, relevance, NO_LINKS, np.zeros(0, np.bool_))
    policy.discover(cards(), found, 2.0)


def curiosity(policy: Value, page: int) -> float:
    return float(policy.explain(page).values["unsure"])


def differing() -> Value:
    """Pages of half of the first twenty directories are relevant."""
    policy = begun()
    for page in range(200):
        if directory_of(page) < 20:
            visit(policy, page, float(directory_of(page) % 2))
    return policy


def test_who_knows_little_of_a_directory_wants_to_know_more() -> None:
    policy = differing()
    page = 300 + 39 - 300 % DIRECTORIES  # of a directory where nobody has been
    before = curiosity(policy, page)
    values = policy.explain(page).values
    assert values["score"] == policy.rescore(page)
    assert policy.rescore(page) == pytest.approx(values["learnt"], abs=2.0)
    assert before > 0.15
    assert before > 2.0 * curiosity(policy, 201)  # of a known one
    visit(policy, page - DIRECTORIES, 0.5)
    assert curiosity(policy, page) < before


def test_where_all_directories_are_alike_there_is_nothing_to_learn() -> None:
    policy = begun()
    first = curiosity(policy, 399 - 1)
    for page in range(200):
        if directory_of(page) < 20:
            visit(policy, page, 0.5)
    assert curiosity(policy, 39) < 0.4 * first
    assert curiosity(differing(), 39) > first


def test_without_a_directory_there_is_none() -> None:
    policy = begun()
    nowhere = links_to([3], [0])
    lone = Value()
    lone.discover(cards(), Found(9, 0.5, nowhere, np.array([True])), 0.0)
    assert curiosity(lone, 3) == 0.0 < curiosity(policy, 3)


def test_curiosity_is_no_promise_and_is_not_taught() -> None:
    """What a page opens counts by what it is expected to be, not by how little is known of it."""
    taught = []
    for between in (0.0, 1e3):
        policy = begun()
        policy.mind.spreads["weight"] = 1.0
        policy.mind.spreads["between"] = between
        policy.mind.spreads["within"] = between
        link = all_links()[5:6]
        scores = policy.discover(cards(), Found(3, 0.0, link, np.array([True])), 2.0)
        taught.append((policy.mind.weights.tolist(), float(scores.scores[0])))
    assert taught[0][0] == taught[1][0]
    assert taught[1][1] > taught[0][1] + 1.0


def test_it_survives_a_restart_and_folders_that_know_nothing_of_it() -> None:
    policy = differing()
    state = {key: np.array(value) for key, value in policy.state().items()}
    other = Value()
    other.restore(state)
    assert other.rescore(39) == policy.rescore(39)
    del state["spreads"]
    older = Value()
    older.restore(state)
    assert 0.0 < curiosity(older, 39) != curiosity(policy, 39)
