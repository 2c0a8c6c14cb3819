"""Seeds go first as long as they are worth it: what is found competes with them from the first
visit.
"""

from __future__ import annotations

import numpy as np
import pytest

from trapline.core.cards import FRINGE, Cards, blank_cards
from trapline.core.links import LINK, Links, links_to
from trapline.core.ports import SEEDS, Found
from trapline.laboratory.runs.discovery_pass import crawl_once
from trapline.laboratory.worlds.crawled import crawled_truth
from trapline.laboratory.worlds.world_files import World
from trapline.policies.discovery.value import Value

SEEDED = 40
TREASURE = SEEDED  # the page that the first seed links to
PAGES = SEEDED + 1
HOSTS = 4


def cards() -> Cards:
    blank = blank_cards(PAGES)
    blank["state"] = FRINGE
    return blank


def seeded() -> Value:
    policy = Value()
    hosts = [page % HOSTS for page in range(SEEDED)]
    links = links_to(range(SEEDED), hosts)
    found = Found(SEEDS, 1.0, links, np.ones(SEEDED, np.bool_))
    assert set(policy.discover(cards(), found, 0.0).scores) == {1.0}
    return policy


def visit(policy: Value, page: int, relevance: float) -> None:
    nothing = links_to([], [])
    found = Found(page, relevance, nothing, np.zeros(0, np.bool_))
    policy.discover(cards(), found, 1.0)


def to_treasure() -> Links:
    link = np.zeros(1, LINK)
    link["page"] = TREASURE
    link["anchor"] = 0.9
    link["address"] = 0.9
    return link


@pytest.mark.parametrize(
    ("relevance", "low", "high"), [(0.0, 0.0, 0.5), (1.0, 1.0, 1.0)]
)
def test_seeds_are_trusted_until_they_disappoint(
    relevance: float, low: float, high: float
) -> None:
    policy = seeded()
    for page in range(8):
        visit(policy, page, relevance)
    assert low <= policy.rescore(SEEDED - 1) <= high


def test_each_host_has_seeds_of_its_own() -> None:
    policy = seeded()
    for page in range(24):
        visit(policy, page, 1.0 if page % HOSTS == 0 else 0.0)
    assert policy.rescore(36) > 0.7
    assert policy.rescore(37) < 0.4


def test_a_seed_is_worth_what_it_opens() -> None:
    """A list of links says little itself."""
    policy = seeded()
    other = seeded()
    link = to_treasure()
    policy.discover(cards(), Found(0, 0.0, link, np.array([True])), 1.0)
    visit(other, 0, 0.0)
    assert policy.rescore(4) > other.rescore(4)


def test_what_is_known_of_seeds_survives() -> None:
    policy = seeded()
    for page in range(8):
        visit(policy, page, 0.0)
    other = Value()
    other.restore({key: np.array(value) for key, value in policy.state().items()})
    assert other.rescore(SEEDED - 1) == policy.rescore(SEEDED - 1) < 1.0


def test_a_good_link_is_followed_before_all_seeds_are_visited() -> None:
    relevance = np.zeros(PAGES)
    relevance[TREASURE] = 1.0
    relevance[0] = 0.5
    truth = crawled_truth(
        host=(np.arange(PAGES) % HOSTS).astype(np.int32),
        relevance=relevance,
        rate=np.zeros(PAGES),
        gone=[],
        links=[(0, to_treasure())],
        gap_s=np.ones(HOSTS),
        latency_s=np.zeros(HOSTS),
    )
    web = World("treasure", list(range(SEEDED)), truth)
    order = crawl_once(web, Value(), PAGES).page.tolist()
    assert order.index(TREASURE) < SEEDED // 2
