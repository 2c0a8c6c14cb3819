"""What the discovery policies of the registry promise, and what is each one's own."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest

from trapline.core.cards import blank_cards
from trapline.core.errors import BadNumber, UnknownPage
from trapline.core.links import NO_LINKS, links_to
from trapline.core.ports import Found, Scores
from trapline.policies.discovery.best_first import BestFirst
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.fringe_greedy import FringeGreedy
from trapline.policies.discovery.kernel_policy import KernelPolicy
from trapline.policies.discovery.q_learning import QLearning
from trapline.policies.discovery.random_order import RandomOrder
from trapline.policies.registry import GROUPS, discovery_class

PAGES = 60
CARDS = blank_cards(PAGES)
RELEVANCE = np.random.default_rng(2).random(PAGES)
MAKERS: dict[str, Callable[[], KernelPolicy]] = {
    "best-first": BestFirst,
    "fringe-greedy": lambda: FringeGreedy(RELEVANCE),
    "q-learning": lambda: QLearning(epsilon=0.1, ties="random", seed=4),
    "random": lambda: RandomOrder(seed=4),
}
every_policy = pytest.mark.parametrize("name", MAKERS)


class Life:
    """Random visits as a controller would report them; several lives, so that what is
    learnt shows.
    """

    def __init__(self, policy: KernelPolicy, seed: int = 1) -> None:
        self.policy = policy
        self.chance = Random(seed)
        self.fringe: dict[int, float] = {}
        self.fetched: set[int] = set()
        self.now_s = 0.0

    def step(self) -> tuple[list[int], list[float], list[float]]:
        self.now_s += self.chance.random()
        if not self.fringe:
            self.fetched.clear()
            self.policy.start_over()
        page = self.chance.choice(sorted(self.fringe)) if self.fringe else -1
        self.fringe.pop(page, None)
        self.fetched.add(page)
        targets = [
            one
            for one in self.chance.sample(range(PAGES), 5)
            if one not in self.fetched
        ]
        new = np.array([one not in self.fringe for one in targets], np.bool_)
        given = Found(
            page, self.chance.random(), links_to(targets, [0] * len(targets)), new
        )
        scores = self.policy.discover(CARDS, given, self.now_s)
        self.check(given, scores)
        self.fringe |= dict(
            zip(scores.pages.tolist(), scores.scores.tolist(), strict=True)
        )
        return scores.pages.tolist(), scores.scores.tolist(), scores.since_s.tolist()

    def check(self, given: Found, scores: Scores) -> None:
        pages = given.links["page"]
        assert (
            set(pages[given.new].tolist())
            <= set(scores.pages.tolist())
            <= set(pages.tolist()) | (set(self.fringe) if self.policy.others else set())
        )
        assert (
            len(set(scores.pages.tolist()))
            == len(scores.pages)
            == len(scores.scores)
            == len(scores.since_s)
        )
        assert (scores.since_s <= self.now_s).all()
        assert not np.isnan(scores.scores).any()
        for page, score in zip(
            scores.pages.tolist(), scores.scores.tolist(), strict=True
        ):
            assert self.policy.rescore(page) <= score


@every_policy
def test_same_life_same_scores(name: str) -> None:
    one = Life(MAKERS[name]())
    other = Life(MAKERS[name]())
    assert [one.step() for _ in range(300)] == [other.step() for _ in range(300)]


@every_policy
def test_state_survives(name: str) -> None:
    one = Life(MAKERS[name]())
    for _ in range(200):
        one.step()
    saved = {key: np.array(value) for key, value in one.policy.state().items()}
    other = Life(MAKERS[name]())
    other.policy.restore(saved)
    other.chance.setstate(one.chance.getstate())
    other.fringe, other.fetched, other.now_s = (
        dict(one.fringe),
        set(one.fetched),
        one.now_s,
    )
    assert [one.policy.rescore(page) for page in one.fringe] == [
        other.policy.rescore(page) for page in one.fringe
    ]
    assert [one.step() for _ in range(200)] == [other.step() for _ in range(200)]


@every_policy
@pytest.mark.parametrize("relevance", [math.nan, math.inf, -0.5])
def test_a_relevance_that_is_none_is_refused_and_nothing_is_learnt(
    name: str, relevance: float
) -> None:
    one = Life(MAKERS[name]())
    other = Life(MAKERS[name]())
    for life in (one, other):
        life.step()
    page = min(one.fringe)
    with pytest.raises(BadNumber, match="a relevance is"):
        one.policy.discover(
            CARDS, Found(page, relevance, links_to([9], [0]), np.array([True])), 1.0
        )
    assert [one.step() for _ in range(50)] == [other.step() for _ in range(50)]


@every_policy
def test_pages_without_a_card_are_refused(name: str) -> None:
    policy = MAKERS[name]()
    with pytest.raises(UnknownPage, match="page 60 "):
        policy.discover(CARDS, Found(PAGES, 0.5, NO_LINKS, np.zeros(0, np.bool_)), 1.0)
    for page in (-2, PAGES):
        with pytest.raises(UnknownPage):
            policy.discover(
                CARDS,
                Found(0, 0.5, links_to([1, page], [0, 0]), np.array([True, True])),
                1.0,
            )
    with pytest.raises(UnknownPage):
        policy.rescore(10**6)


@every_policy
def test_a_visit_that_found_nothing(name: str) -> None:
    scores = MAKERS[name]().discover(
        CARDS, Found(3, 0.5, NO_LINKS, np.zeros(0, np.bool_)), 1.0
    )
    assert len(scores.pages) == len(scores.scores) == len(scores.since_s) == 0


@every_policy
def test_the_registry_knows_it(name: str) -> None:
    found = discovery_class(name)
    assert found is type(MAKERS[name]())
    groups = [group for group in GROUPS if name in GROUPS[group]]
    assert groups == ["discovery"] or name == "q-learning"  # the paper's has both roles
    assert found.laboratory_only == (name == "fringe-greedy")
    policy: DiscoveryPolicy = MAKERS[name]()
    assert policy.explores == 0.0 and policy.learns == policy.rescores == (
        name == "q-learning"
    )


def seeds(count: int) -> Found:
    return Found(-1, 0.0, links_to(range(count), [0] * count), np.ones(count, np.bool_))


def test_random_chooses_any_page_of_the_fringe_with_the_same_chance() -> None:
    """Old ones (0, 1, 2, left over when the first of four seeds was fetched) and young ones (4, 5,
    6) alike.
    """
    policy = RandomOrder(seed=1)
    counts = np.zeros(7)
    for _ in range(6_000):
        policy.start_over()
        scores = policy.discover(CARDS, seeds(4), 0.0)
        since = dict(zip(scores.pages.tolist(), scores.since_s.tolist(), strict=True))
        first = min(since, key=lambda page: since[page])
        since.pop(first)
        scores = policy.discover(
            CARDS,
            Found(first, 0.5, links_to([4, 5, 6], [0] * 3), np.ones(3, np.bool_)),
            1.0,
        )
        since |= dict(zip(scores.pages.tolist(), scores.since_s.tolist(), strict=True))
        counts[min(since, key=lambda page: since[page])] += 1
    assert counts[4:].sum() / counts.sum() == pytest.approx(0.5, abs=0.025)
    assert counts[4:] / counts.sum() == pytest.approx(np.full(3, 1 / 6), abs=0.02)


def test_best_first_rises_and_never_falls() -> None:
    policy = BestFirst()
    policy.discover(CARDS, seeds(2), 0.0)
    assert policy.rescore(0) == 1.0
    policy.discover(CARDS, Found(0, 0.5, links_to([7], [0]), np.array([True])), 1.0)
    lower = policy.discover(
        CARDS, Found(1, 0.25, links_to([7], [0]), np.array([False])), 2.0
    )
    assert len(lower.pages) == 0 and policy.rescore(7) == 0.5
    higher = policy.discover(
        CARDS, Found(2, 0.75, links_to([7], [0]), np.array([False])), 3.0
    )
    assert higher.scores.tolist() == [0.75] and higher.since_s.tolist() == [1.0]


@pytest.mark.parametrize("told", [[0.5, math.nan], [-1.0], "relevant"])
def test_fringe_greedy_must_be_told_numbers(told: object) -> None:
    with pytest.raises(BadNumber, match="a relevance"):
        FringeGreedy(told)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 0.5, math.nan])
def test_random_wants_a_whole_seed(seed: float) -> None:
    with pytest.raises(BadNumber, match="seed"):
        RandomOrder(seed)
