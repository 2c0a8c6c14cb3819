"""A policy is what its name says: no two names of a group stand for one behaviour.

`horn` was once `value` under another name, `q-learning` was breadth-first in a live crawl, and no
check noticed. What counts is what is done in one and the same world: which pages are fetched in
which order, how many fetchers are awake. What a policy remembers or writes does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from tests.contract.registered import discovery_makers, fetcher_makers
from tests.contract.test_fetcher_policies import some_tallies
from trapline.laboratory.runs.discovery_pass import crawl_once
from trapline.laboratory.runs.drive import drive, hold_each, new_controller
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, fresh_copy
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.refresh_policy import KnownPages, RefreshPolicy
from trapline.policies.refresh.whittle import Whittle
from trapline.policies.registry import policy_names, refresh_class
from trapline.robot.agenda.agenda import Budget
from trapline.theory.ephemeral.source import Sources

Behaviour = list[int] | list[bytes]

# hosts ask for gaps, pages of all change rates list others that are born later
WEB = LinkedWeb.generate(
    60, 3, seed=3, shape=Shape(gap_s=0.5, latency_s=0.2, life_s=600.0)
)
TWO = LinkedWeb.generate(2, 1, seed=3, shape=Shape(born_share=0.0, dies_share=0.0))
MANY = LinkedWeb.generate(300, 4, "topic", 5, Shape(born_share=0.0, dies_share=0.0))


def known_of(truth: Truth) -> KnownPages:
    return KnownPages(-np.expm1(-truth.rate), truth.relevance + 0.01)


def make_refresh(name: str, truth: Truth) -> RefreshPolicy:
    found = refresh_class(name)
    known = known_of(truth)
    if name == "whittle":
        # where interest fades as pages change it is `known-rate`, so let it fade by itself
        return Whittle(Sources(known.rates, known.weights, 0.1 + 3.0 * known.rates))
    if not found.laboratory_only:
        return found()
    return found.example(known)


def revisits(name: str, web: LinkedWeb) -> Behaviour:
    """The pages, in the order of visits, of a robot that holds all of them from the beginning."""
    truth = fresh_copy(web.truth)
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=make_refresh(name, truth),
        budget=Budget(per_s=2.0),
        seeds=[],
    )
    hold_each(controller, truth, range(len(truth.pages)), 0.0)
    pages = drive(controller, truth, room=2, visits=500, until_s=400.0).page
    return [int(page) for page in pages]


def first_visits(name: str) -> Behaviour:
    policy = discovery_makers(len(MANY.relevance))[name]()
    return [int(page) for page in crawl_once(MANY, policy, 300).page]


def awake(name: str) -> Behaviour:
    """Its tables of wake-ups and what visits must be worth, tally by tally, in two queues: one may
    be in rest in a small one.
    """
    tables = []
    for most, capacity in ((12, 5), (40, 20)):
        policy = fetcher_makers()[name](most, capacity)
        tables.append(policy.start.to_bytes(4, "big"))
        for tally in some_tallies(200, most, capacity):
            policy.learn(tally)
            tables.append(policy.wakes().tobytes())
            if policy.prices_visits:
                policy.note_visit(10.0, 0.5)
                reserves = (policy.reserves(queue) for queue in range(capacity))
                tables += [prices.tobytes() for prices, _ in reserves]
    return tables


def namesakes(names: list[str], behave: Callable[[str], Behaviour]) -> list[str]:
    """Pairs of names that do the same."""
    lives = {name: behave(name) for name in names}
    return [
        f"{one} is {other}"
        for one, other in combinations(lives, 2)
        if lives[one] == lives[other]
    ]


ANY_NUMBER = [
    name for name in policy_names("refresh") if not refresh_class(name).only_pages
]
FOR_TWO = [name for name in policy_names("refresh") if refresh_class(name).only_pages]


def test_refresh_policies_visit_other_pages() -> None:
    assert not namesakes(ANY_NUMBER, lambda name: revisits(name, WEB))


@pytest.mark.parametrize("name", FOR_TWO)
def test_a_refresh_policy_for_two_pages_visits_them_otherwise(name: str) -> None:
    own = revisits(name, TWO)
    same = [other for other in ANY_NUMBER if revisits(other, TWO) == own]
    assert not same


def test_discovery_policies_fetch_in_other_orders() -> None:
    assert not namesakes(policy_names("discovery"), first_visits)


def test_fetcher_policies_keep_others_awake() -> None:
    assert not namesakes(policy_names("fetchers"), awake)


def test_a_policy_under_two_names_is_noticed() -> None:
    once = {"value": "value", "horn": "value", "random": "random"}
    found = namesakes(list(once), lambda name: first_visits(once[name]))
    assert found == ["value is horn"]
