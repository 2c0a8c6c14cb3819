"""One pass over a web at rest: every page once, manners kept, and the graph that bounds are
computed on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from trapline.core.errors import BadNumber
from trapline.laboratory.runs.discovery_pass import crawl_once, web_at_rest
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.theory.discovery.graph import reachable, total_relevance
from trapline.theory.discovery.polite_bound import polite_bound


@dataclass(frozen=True)
class Toy:
    truth: Truth
    seeds: list[int]


def toy(host: list[int], links: list[list[int]], gone: tuple[int, ...] = ()) -> Toy:
    start = np.append(0, np.cumsum([len(some) for some in links]))
    dies_s = np.full(len(host), np.inf)
    dies_s[list(gone)] = 0.0
    truth = make_truth(
        host=np.array(host, np.int32),
        rate=np.full(len(host), 0.1),
        relevance=np.linspace(0.1, 1.0, len(host)),
        gap_s=7.0,
        latency_s=3.0,
        dies_s=dies_s,
        links=(
            start,
            np.array([target for some in links for target in some], np.int32),
        ),
    )
    return Toy(truth, [0])


def test_all_that_can_be_reached_is_fetched_once_a_step() -> None:
    web = LinkedWeb.generate(
        pages=300, hosts=4, seed=2, shape=Shape(born_share=0.0, dies_share=0.0)
    )
    found = crawl_once(web, BreadthFirst(), steps=400)
    there = np.flatnonzero(reachable(web_at_rest(web)))
    assert sorted(found.page.tolist()) == there.tolist()
    assert found.step.tolist() == list(range(len(there)))
    assert found.gains(web.relevance).shape == (400,)
    assert found.gains(web.relevance).sum() == pytest.approx(web.relevance[there].sum())


def test_it_ends_with_its_steps() -> None:
    web = LinkedWeb.generate(pages=300, hosts=4, seed=2)
    assert crawl_once(web, BreadthFirst(), steps=7).step.tolist() == list(range(7))


def test_the_world_is_left_as_it_was() -> None:
    web = LinkedWeb.generate(pages=100, hosts=4, seed=2)
    before = web.truth.pages.copy()
    first = crawl_once(web, BreadthFirst(), steps=100)
    assert (web.truth.pages == before).all()
    assert (
        crawl_once(web, BreadthFirst(), steps=100).page.tolist() == first.page.tolist()
    )


@pytest.mark.parametrize("every", [2, 5, 20])
def test_a_host_is_fetched_from_in_one_of_so_many_steps(every: int) -> None:
    web = LinkedWeb.generate(
        pages=300, hosts=4, seed=3, shape=Shape(born_share=0.0, dies_share=0.0)
    )
    found = crawl_once(web, BreadthFirst(), steps=500, every=every)
    for host in range(4):
        steps = found.step[web.host[found.page] == host]
        assert (np.diff(steps) >= every).all()
    assert len(np.unique(found.step)) == len(found.step)
    bound = polite_bound(web_at_rest(web), web.host, every, 500)
    assert (np.cumsum(found.gains(web.relevance)) <= np.cumsum(bound) + 1e-9).all()


def test_a_busy_host_makes_idle_steps() -> None:
    web = toy([0, 0, 0], [[1, 2], [], []])
    found = crawl_once(web, BreadthFirst(), steps=10, every=3)
    assert (found.page.tolist(), found.step.tolist()) == ([0, 1, 2], [0, 3, 6])
    assert found.gains(web.truth.relevance).nonzero()[0].tolist() == [0, 3, 6]


def test_pages_that_are_not_there_cost_a_step_and_lead_nowhere() -> None:
    web = toy([0, 0, 0, 0], [[1, 2], [3], [], []], gone=(1,))
    found = crawl_once(web, BreadthFirst(), steps=10)
    graph = web_at_rest(web)
    assert found.page.tolist() == [0, 1, 2]
    assert reachable(graph).tolist() == [True, True, True, False]
    assert graph.relevance.tolist() == pytest.approx([0.1, 0.0, 0.7, 1.0])
    assert total_relevance(graph) == pytest.approx(0.8)


def test_who_is_born_later_is_not_there() -> None:
    web = LinkedWeb.generate(
        pages=400, hosts=4, seed=3, shape=Shape(born_share=0.3, dies_share=0.0)
    )
    late = np.flatnonzero(web.truth.born_s > 0.0)
    assert len(late)
    assert web_at_rest(web).relevance[late].max() == 0.0


@pytest.mark.parametrize("numbers", [{"steps": 0}, {"steps": 5, "every": 0}])
def test_bad_numbers(numbers: dict[str, int]) -> None:
    with pytest.raises(BadNumber):
        crawl_once(toy([0], [[]]), BreadthFirst(), **numbers)
