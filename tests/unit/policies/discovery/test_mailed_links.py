"""Links that another shard has found: worth what they would be if they had been found at home, and
the page that they were found on is taught the same.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.cards import FRINGE, Cards, blank_cards
from trapline.core.links import LINK, NO_LINKS, Links, links_to
from trapline.core.ports import MAILED, SEEDS, Found
from trapline.policies.discovery.value import Value

PARENT, TARGET = 0, 1
OWN, ABROAD = 0, 1  # hosts
RELEVANCE = 0.6


def link(anchor: float, page: int = TARGET, host: int = ABROAD) -> Links:
    found = np.zeros(1, LINK)
    found["page"] = page
    found["host"] = host
    found["anchor"] = anchor
    found["address"] = 0.5 * anchor
    found["place"] = 0.25
    found["directory"] = 77
    found["prefix"] = 78
    found["tokens"] = [1, 2, 3, 0, 0, 0]
    return found


def cards() -> Cards:
    blank = blank_cards(8)
    blank["state"] = FRINGE
    blank["depth"] = [1, 2, 0, 0, 0, 0, 0, 0]
    return blank


def found_at_parent(links: Links, elsewhere: float = 0.0) -> Found:
    new = np.ones(len(links), np.bool_)
    return Found(PARENT, RELEVANCE, links, new, elsewhere=elsewhere)


def begun() -> Value:
    """Knows the parent by a link of a seed to it."""
    policy = Value()
    one = np.array([True])
    policy.discover(cards(), Found(SEEDS, 1.0, links_to([2], [OWN]), one), 0.0)
    parent = link(0.3, PARENT, OWN)
    policy.discover(cards(), Found(2, 0.5, parent, one), 1.0)
    return policy


@pytest.mark.parametrize("anchor", [0.0, 0.4, 0.9])
def test_a_mailed_link_scores_as_one_found_at_home(anchor: float) -> None:
    home = begun()
    found = home.discover(cards(), found_at_parent(link(anchor)), 2.0)
    away = begun()
    # so that it knows as many pages
    away.discover(cards(), found_at_parent(NO_LINKS), 2.0)
    mailed = Found(MAILED, RELEVANCE, link(anchor), np.array([True]))
    received = away.discover(cards(), mailed, 2.0)
    assert received.pages.tolist() == [TARGET]
    at_home = dict(zip(found.pages.tolist(), found.scores.tolist(), strict=True))
    [score] = received.scores.tolist()
    assert score == pytest.approx(at_home[TARGET], abs=0.01)
    said = [policy.mind.known[TARGET] for policy in (home, away)]
    for clue in ("best", "links", "anchor", "address", "depth", "abroad", "place"):
        assert said[0][clue] == said[1][clue], clue


@pytest.mark.parametrize("anchor", [0.0, 0.9])
def test_its_page_learns_what_it_would_if_the_link_were_its_own(anchor: float) -> None:
    home = begun()
    home.discover(cards(), found_at_parent(link(anchor)), 2.0)
    away = begun()
    foreign = link(anchor, -1, -1)
    promised = away.appraise(PARENT, RELEVANCE, foreign)
    away.discover(cards(), found_at_parent(NO_LINKS, elsewhere=promised), 2.0)
    assert away.mind.weights.tolist() == pytest.approx(
        home.mind.weights.tolist(), abs=0.005
    )


def test_what_others_promise_counts() -> None:
    """As long as nothing better is found at home."""
    lessons = []
    for elsewhere in (0.0, 0.9, 1.0):
        policy = begun()
        policy.discover(
            cards(),
            Found(PARENT, 0.0, NO_LINKS, np.zeros(0, np.bool_), elsewhere=elsewhere),
            2.0,
        )
        lessons.append(float(policy.mind.weights.sum()))
    assert lessons[0] < lessons[1] < lessons[2]


def test_the_better_parent_is_kept_wherever_it_is() -> None:
    policy = begun()
    at_home = np.concatenate([link(0.1, TARGET, OWN)])
    policy.discover(cards(), found_at_parent(at_home), 2.0)
    before = policy.mind.known[TARGET].copy()
    poorer = Found(MAILED, RELEVANCE / 2, link(0.1, TARGET, OWN), np.array([False]))
    policy.discover(cards(), poorer, 3.0)
    after = policy.mind.known[TARGET]
    for said in ("parent", "depth", "abroad", "best"):
        assert after[said] == before[said], said
    assert after["links"] == before["links"] + 1
    better = Found(MAILED, 0.9, link(0.1, TARGET, OWN), np.array([False]))
    policy.discover(cards(), better, 4.0)
    assert policy.mind.known[TARGET]["parent"] == MAILED
    assert policy.mind.known[TARGET]["abroad"] == 1.0


def test_nothing_is_learnt_of_links_by_mail_alone() -> None:
    policy = Value()
    before = policy.mind.weights.tolist()
    mailed = Found(MAILED, RELEVANCE, link(0.5), np.array([True]))
    policy.discover(cards(), mailed, 0.0)
    assert policy.mind.weights.tolist() == before
    assert policy.mind.tally["fetched"][0] == 0.0
