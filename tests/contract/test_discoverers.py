"""What every discovery policy in the registry promises, whoever wrote it.

(Refresh: test_policies.py.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.contract.registered import discovery_makers
from trapline.core.cards import FRINGE, GONE, HELD, UNMET, Cards, blank_cards
from trapline.core.errors import UnknownName, UserMistake
from trapline.core.links import LINK, NO_LINKS, Links, links_to
from trapline.core.ports import Found, Scores
from trapline.core.records import Outcome
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.discovery.value import Value
from trapline.policies.registry import (
    DISCOVERY,
    discovery_class,
    make_discovery_policy,
)

PAGES = 400
HOSTS = 7
# first visits of which a learner hears even without links
TAUGHT = (Outcome.OK, Outcome.GONE, Outcome.SKIPPED)
MOST_BYTES = 256  # of memory a page,
FIXED_BYTES = 65536  # and for all of them


# as many as any check here has cards
CASES = discovery_makers(200_000)
every_policy = pytest.mark.parametrize("name", CASES)


def shown(pages: list[int], chance: Random) -> Links:
    """Links with all that a link may show."""
    links = links_to(pages, [page % HOSTS for page in pages])
    for i, page in enumerate(pages):
        for clue in ("anchor", "address", "context", "place"):
            links[clue][i] = chance.choice([0.0, chance.random(), 1.0])
        links["path"][i] = chance.choice([0, 1 + chance.randrange(5), 2**31 - 1])
        links["directory"][i] = 1 + page % 20
        links["prefix"][i] = 1 + page % 60
        links["tokens"][i] = [
            chance.choice([0, 1 + chance.randrange(50)])
            for _ in range(links["tokens"].shape[1])
        ]
    return links


class Crawl:
    """A random crawl under one policy, as the controller would lead it: it asks for scores and
    writes the cards.

    Cards grow on the way. What the policy must never do is checked at every call.
    """

    def __init__(
        self, make: Callable[[], DiscoveryPolicy], seed: int = 0, cards: int = 16
    ) -> None:
        self.policy = make()
        self.chance = Random(seed)
        self.cards: Cards = blank_cards(cards)
        self.now_s = 1e9
        self.score: dict[int, float] = {}
        self.said: list[tuple[list[int], list[float], list[float]]] = []

    def discover(
        self, page: int, relevance: float, links: Links, outcome: Outcome = Outcome.OK
    ) -> Scores:
        if len(links):
            self._grow(int(links["page"].max()) + 1)
        links = links[np.isin(self.cards["state"][links["page"]], (UNMET, FRINGE))]
        found = Found(page, relevance, links, self._meet(links), outcome)
        before = self.cards.copy()
        given = found.links.copy()
        scores = self.policy.discover(self.cards, found, self.now_s)
        assert self.cards.tobytes() == before.tobytes(), (
            "the controller writes the cards, not the policy"
        )
        assert found.links.tobytes() == given.tobytes()
        self._check(found, scores)
        for target, score, since_s in zip(*scores, strict=True):
            self.score[int(target)] = self.cards["base"][target] = score
            self.cards["not_before"][target] = since_s
        self.said.append(
            (scores.pages.tolist(), scores.scores.tolist(), scores.since_s.tolist())
        )
        return scores

    def _grow(self, pages: int) -> None:
        if pages > len(self.cards):
            grown = blank_cards(max(pages, 2 * len(self.cards)))
            grown[: len(self.cards)] = self.cards
            self.cards = grown

    def _meet(self, links: Links) -> NDArray[np.bool_]:
        new = np.zeros(len(links), np.bool_)
        for i, page in enumerate(links["page"].tolist()):
            if self.cards["state"][page] == UNMET:
                self.cards["state"][page], self.cards["host"][page], new[i] = (
                    FRINGE,
                    links["host"][i],
                    True,
                )
        return new

    def _check(self, found: Found, scores: Scores) -> None:
        pages, values, since_s = scores
        assert [array.dtype.str for array in scores] == ["<i8", "<f8", "<f8"]
        assert len(pages) == len(values) == len(since_s)
        assert not np.isnan(values).any()
        assert (values > -math.inf).all()
        assert (since_s <= self.now_s).all()
        assert np.isfinite(since_s).all()
        linked = set(found.links["page"].tolist())
        new = set(found.links["page"][found.new].tolist())
        scored = set(pages.tolist())
        assert new <= scored, "a page without a score is never visited"
        assert (self.cards["state"][pages] == FRINGE).all()
        assert self.policy.rescores_others or scored <= linked

    def visit(
        self, page: int, outcome: Outcome, relevance: float, links: Links
    ) -> None:
        first = (
            self.cards["last"][page] == -math.inf
            and self.cards["state"][page] == FRINGE
        )
        if outcome <= Outcome.UNCHANGED:
            self.cards["state"][page], self.cards["last"][page] = HELD, self.now_s
        else:
            self.cards["state"][page] = GONE
        links = links[links["page"] != page]  # it was fetched by now
        if len(links) or (self.policy.learns and first and outcome in TAUGHT):
            self.discover(page, relevance, links, outcome)

    def step(self) -> None:
        self.now_s += self.chance.choice([0.0, self.chance.random()])
        open_pages = np.flatnonzero(
            (self.cards["state"] == FRINGE) | (self.cards["state"] == HELD)
        )
        if len(open_pages) == 0 or self.chance.random() < 0.02:
            seeds = sorted(self.chance.sample(range(PAGES), 2))
            self.discover(-1, 1.0, links_to(seeds, [page % HOSTS for page in seeds]))
            return
        page = int(self.chance.choice(open_pages.tolist()))
        held = self.cards["state"][page] == HELD
        outcome = Outcome.OK
        if self.chance.random() < 0.3:
            outcome = self.chance.choice(
                [Outcome.UNCHANGED]
                if held
                else [Outcome.GONE, Outcome.MOVED, Outcome.SKIPPED]
            )
        targets = [
            self.chance.randrange(PAGES)
            for _ in range(self.chance.choice([0, 1, 3, 12]))
        ]
        self.visit(
            page,
            outcome,
            self.chance.choice([0.0, self.chance.random(), 1.0]),
            shown(targets, self.chance),
        )
        self._rescore()

    def _rescore(self) -> None:
        """The controller asks before it buys; the answer is as good as a score of `discover`."""
        fringe = np.flatnonzero(self.cards["state"] == FRINGE)
        if self.policy.rescores and len(fringe):
            asked = int(self.chance.choice(fringe.tolist()))
            score = self.policy.rescore(asked)
            assert -math.inf < score <= math.inf
            assert self.policy.rescore(asked) == score  # asking teaches nothing
            self.said.append(([asked], [score], []))

    def run(self, steps: int) -> Crawl:
        for _ in range(steps):
            self.step()
        return self


def begun(name: str, links: Links | None = None) -> Crawl:
    """A crawl after its seed, page 0, was read; it shows these links (else five)."""
    crawl = Crawl(CASES[name])
    crawl.discover(-1, 1.0, links_to([0], [0]))
    crawl.visit(
        0,
        Outcome.OK,
        0.8,
        shown([1, 2, 3, 4, 5], Random(1)) if links is None else links,
    )
    return crawl


def bits(policy: DiscoveryPolicy) -> dict[str, bytes]:
    return {key: np.asarray(array).tobytes() for key, array in policy.state().items()}


def test_the_shared_checks_cover_the_whole_registry() -> None:
    assert set(CASES) == set(DISCOVERY)


@every_policy
def test_a_policy_says_what_it_is_for(name: str) -> None:
    found = discovery_class(name)
    made = CASES[name]()
    assert issubclass(found, DiscoveryPolicy)
    assert isinstance(found.laboratory_only, bool)
    assert found.__module__ == DISCOVERY[name].partition(":")[0]
    assert type(made) is found
    assert 0.0 <= made.explores < math.inf
    assert isinstance(made.learns, bool)
    assert isinstance(made.rescores, bool)


@every_policy
@pytest.mark.parametrize("seed", range(3))
def test_a_long_crawl_keeps_all_promises(name: str, seed: int) -> None:
    crawl = Crawl(CASES[name], seed).run(1500)
    met = crawl.cards["state"] != UNMET
    assert met.sum() > 0.9 * PAGES
    # every page that was ever on the fringe had a score
    assert set(crawl.score) == set(np.flatnonzero(met).tolist())


@every_policy
def test_the_same_calls_lead_to_the_same_scores(name: str) -> None:
    one = Crawl(CASES[name], seed=3).run(600)
    other = Crawl(CASES[name], seed=3).run(600)
    assert one.said == other.said
    assert bits(one.policy) == bits(other.policy)


@every_policy
def test_nothing_learnt_is_lost_when_the_cards_grow(name: str) -> None:
    grows = Crawl(CASES[name], seed=9).run(500)
    has_room = Crawl(CASES[name], seed=9, cards=3000).run(500)
    assert grows.said == has_room.said


@every_policy
@pytest.mark.parametrize("before", [0, 1, 40, 700])
def test_what_was_learnt_survives_saving_and_loading(name: str, before: int) -> None:
    """Also what came after: memory grown since does not leak into what was saved, and
    grows again.
    """
    stays = Crawl(CASES[name], seed=5).run(before)
    goes = Crawl(CASES[name], seed=5).run(before)
    state = {key: np.array(array) for key, array in goes.policy.state().items()}
    kept = {key: array.copy() for key, array in state.items()}
    goes.policy = CASES[name]()
    goes.policy.restore(state)
    for array in state.values():
        array.flags.writeable = False
    goes.run(500)
    assert all(array.tobytes() == kept[key].tobytes() for key, array in state.items())
    assert goes.said == stays.run(500).said


@every_policy
def test_restoring_forgets_what_was_there(name: str) -> None:
    early = Crawl(CASES[name], seed=5).run(30)
    state = {key: np.array(array) for key, array in early.policy.state().items()}
    used = Crawl(CASES[name], seed=6).run(400).policy
    used.restore(state)
    clean = CASES[name]()
    clean.restore(state)
    futures = []
    for policy in (used, clean):
        crawl = Crawl(CASES[name], seed=5).run(30)
        crawl.policy = policy
        futures.append(crawl.run(200).said)
    assert futures[0] == futures[1]


# which is told the relevance of all pages
@pytest.mark.parametrize("name", sorted(set(CASES) - {"fringe-greedy"}))
def test_memory_is_bounded_by_the_number_of_pages(name: str) -> None:
    crawl = Crawl(CASES[name]).run(2000)

    def size() -> int:
        return sum(np.asarray(array).nbytes for array in crawl.policy.state().values())

    assert size() <= MOST_BYTES * len(crawl.cards) + FIXED_BYTES
    early = size()
    crawl.run(1000)
    # nothing more a visit, only what new words and paths take
    assert size() <= early + FIXED_BYTES


# what a page may show


@every_policy
def test_seeds_alone_have_scores_and_whoever_comes_first_is_served_first(
    name: str,
) -> None:
    crawl = Crawl(CASES[name])
    crawl.discover(-1, 1.0, links_to([3, 1], [3, 1]))
    crawl.now_s += 5.0
    crawl.discover(-1, 1.0, links_to([2, 3], [2, 3]))
    assert set(crawl.score) == {1, 2, 3}


@every_policy
@pytest.mark.parametrize("outcome", TAUGHT)
def test_a_page_without_links_finds_nothing(name: str, outcome: Outcome) -> None:
    crawl = begun(name)
    scores = crawl.discover(1, 0.0, NO_LINKS, outcome)
    assert discovery_class(name).rescores_others or len(scores.pages) == 0


@every_policy
def test_nothing_at_all_is_no_seed(name: str) -> None:
    scores = Crawl(CASES[name]).discover(-1, 1.0, NO_LINKS)
    assert len(scores.pages) == 0


@every_policy
def test_a_page_linked_twice_is_one_page(name: str) -> None:
    """The controller's reader names each target once; others may not."""
    crawl = Crawl(CASES[name])
    crawl.discover(-1, 1.0, links_to([0, 0, 0], [0, 0, 0]))
    links = shown([1, 2, 1, 1, 2], Random(3))
    crawl.visit(0, Outcome.OK, 0.5, links)
    pages, scores, since_s = crawl.said[-1]
    said = set(zip(pages, scores, since_s, strict=True))
    assert {page for page, _, _ in said} == {1, 2}
    assert len(said) == 2  # if a page is named twice, then with the same score


@every_policy
def test_a_link_to_the_page_itself_is_harmless(name: str) -> None:
    """The controller leaves out what was fetched; a page that failed, or is asked again, may still
    be on the fringe.
    """
    crawl = begun(name)
    links = shown([1, 6], Random(2))
    crawl.discover(1, 0.5, links)  # page 1 is on the fringe and links to itself
    assert math.isfinite(crawl.score[6]) or crawl.score[6] == math.inf
    crawl.visit(1, Outcome.OK, 0.5, links)
    crawl.visit(6, Outcome.OK, 0.5, shown([1, 6, 7], Random(2)))
    assert 7 in crawl.score


@every_policy
def test_a_hundred_thousand_links_on_one_page(name: str) -> None:
    count = 100_000
    rng = np.random.default_rng(1)
    links = np.zeros(count, LINK)
    links["page"], links["host"] = (
        np.arange(1, count + 1),
        rng.integers(0, HOSTS, count),
    )
    links["anchor"], links["path"] = (
        rng.uniform(size=count),
        rng.integers(1, 2**31 - 1, count),
    )
    links["directory"], links["prefix"] = rng.integers(1, 2**31 - 1, (2, count))
    links["tokens"] = rng.integers(1, 2**31 - 1, (count, links["tokens"].shape[1]))
    crawl = begun(name, links)
    assert len(crawl.score) == count + 1
    scores = crawl.discover(7, 1.0, links[:1000])
    assert len(scores.pages) <= 1000 or discovery_class(name).rescores_others


@every_policy
def test_a_topic_that_the_crawl_never_meets(name: str) -> None:
    """Relevance 0 of every page, no word that promises anything: scores stay scores."""
    crawl = Crawl(CASES[name], seed=4)
    crawl.discover(-1, 1.0, links_to([0], [0]))
    for page in range(200):
        targets = [2 * page + 1, 2 * page + 2]
        crawl.visit(
            page,
            Outcome.OK,
            0.0,
            links_to(targets, [target % HOSTS for target in targets]),
        )
    last = [crawl.score[page] for page in range(300, 400)]
    assert all(score == math.inf or -1.0 <= score <= 1.0 for score in last)


@every_policy
def test_all_that_can_be_relevant_is(name: str) -> None:
    crawl = Crawl(CASES[name], seed=4)
    crawl.discover(-1, 1.0, links_to([0], [0]))
    for page in range(200):
        targets = [2 * page + 1, 2 * page + 2]
        links = links_to(targets, [target % HOSTS for target in targets])
        for clue in ("anchor", "address", "context"):
            links[clue] = 1.0
        crawl.visit(page, Outcome.OK, 1.0, links)
    least = -1e-9 if name == "q-learning" else 0.0  # where nothing was learnt Q is 0
    assert all(
        math.isinf(score) or least < score < 10.0 for score in crawl.score.values()
    )


@every_policy
@pytest.mark.parametrize(
    "outcome", [Outcome.GONE, Outcome.MOVED, Outcome.SKIPPED, Outcome.FAILED]
)
def test_links_of_a_page_that_was_not_read_have_scores_too(
    name: str, outcome: Outcome
) -> None:
    """Where a page has moved to is a link found."""
    crawl = begun(name)
    crawl.visit(1, outcome, 0.0, shown([2, 9], Random(1)))
    assert 9 in crawl.score


@every_policy
def test_a_held_page_that_is_seen_again_shows_new_links(name: str) -> None:
    crawl = begun(name)
    crawl.now_s += 100.0
    crawl.visit(0, Outcome.OK, 0.2, shown([1, 2, 8], Random(2)))
    crawl.visit(0, Outcome.UNCHANGED, 0.2, shown([1, 2, 8, 10], Random(3)))
    assert {8, 10} <= set(crawl.score)


@every_policy
def test_a_page_that_it_never_heard_of_is_tolerated(name: str) -> None:
    """After another policy has run, held pages come unannounced: they and the fringe were somebody
    else's.
    """
    crawl = Crawl(CASES[name], cards=5000)
    crawl.cards["state"][[4000, 4321]] = HELD
    crawl.cards["state"][17] = FRINGE
    crawl.visit(4321, Outcome.OK, 0.7, shown([17, 18], Random(1)))
    crawl.visit(4000, Outcome.OK, 0.1, NO_LINKS)
    assert 18 in crawl.score
    if crawl.policy.rescores:
        assert not math.isnan(crawl.policy.rescore(17))
        assert not math.isnan(crawl.policy.rescore(4999))


# from the settings to a policy


@pytest.mark.parametrize("name", CASES)
def test_policies_run_live_unless_they_must_be_told_the_truth(name: str) -> None:
    if discovery_class(name).laboratory_only:
        with pytest.raises(UserMistake, match="laboratory only"):
            make_discovery_policy(name)
    else:
        assert type(make_discovery_policy(name)) is discovery_class(name)


def test_auto_is_the_policy_that_learns_by_features() -> None:
    made = make_discovery_policy("auto", {"explores": 0.4})
    assert type(made) is Value
    assert made.explores == 0.4


@pytest.mark.parametrize(
    ("name", "options", "problem"),
    [
        ("valeu", None, "no policy named 'valeu'; choose one of: "),
        ("uniform", None, "is for refresh, not for discovery"),
        ("adaptive-whittle", None, "is for refresh, not for discovery"),
        ("breadth-first", {"depth": 3.0}, "does not know one of the options"),
        ("value", {"gama": 0.3}, "does not know one of the options"),
        ("value", {"gamma": 1.0}, "gamma"),
        ("value", {"gamma": math.nan}, "gamma"),
        ("value", {"explores": -1.0}, "explores"),
        ("value", {"explores": math.nan}, "explores"),
        (
            "value",
            {"gamma": "much"},
            "does not know one of the options, or cannot use its value",
        ),
    ],
)
def test_what_cannot_run_live_is_refused_in_one_line(
    name: str, options: dict[str, float | str] | None, problem: str
) -> None:
    with pytest.raises(UserMistake, match=problem) as caught:
        make_discovery_policy(name, options)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, UnknownName) == (name == "valeu")
