"""Every policy that a line of the papers names for a crawl: it crawls over real HTTP on loopback,
goes on after a restart, and where it learns, its preference moves the right way.

Crawls take policies of all three groups at once, so that few are enough. Learning is watched in the
very loop and controllers that run live, on a pretend clock: no machine is too busy for it.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.e2e.support.pretend_live import run_live
from trapline.app.crawl.run_until import crawl_until
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.settings import Settings, settings_from
from trapline.laboratory.runs.discovery_pass import still_truth
from trapline.laboratory.runs.drive import Log, new_controller
from trapline.laboratory.study.paper_book import all_lines
from trapline.laboratory.worlds.families import family
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.laboratory.worlds.queue import QueueWorld
from trapline.laboratory.worlds.truth import Truth, make_truth
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.never import Never
from trapline.policies.registry import (
    fetcher_class,
    make_discovery_policy,
    make_fetcher_policy,
    make_refresh_policy,
    name_of,
    refresh_class,
)
from trapline.robot.agenda.agenda import Budget
from trapline.theory.queueing.fetcher_queue import FetcherQueue

# They do as they are told, whatever they see.
LEARN_NOTHING = {
    "refresh/uniform",
    "discovery/breadth-first",
    "discovery/random",
    "fetchers/static",
    "fetchers/switching",
}
# It learns what visits are worth, not a table of wake-ups: test_papers_live_prices.py.
BY_PRICE = {"fetchers/joint"}
GAP_S = 0.03
VISITS = 60  # before the restart, and after it
NEVER_S = 300.0  # ends only a crawl that stands still


def live_policies(group: str, learning: bool = False) -> list[str]:
    """The names that lines give, of one group; only those that learn."""
    named = {policy for line in all_lines() for policy in line.live.policies}
    if learning:
        named -= LEARN_NOTHING | BY_PRICE
    return sorted(one.partition("/")[2] for one in named if one.startswith(f"{group}/"))


class Crawl(NamedTuple):
    refresh: str
    discovery: str
    fetchers: str


def crawls() -> list[Crawl]:
    """As many as the largest group has policies; the others are tried again in turn."""
    groups = [live_policies(group) for group in Crawl._fields]
    most = max(map(len, groups))
    return [
        Crawl(*(group[number % len(group)] for group in groups))
        for number in range(most)
    ]


def test_every_group_is_named_and_those_that_learn_nothing_exist() -> None:
    found = {
        f"{group}/{name}" for group in Crawl._fields for name in live_policies(group)
    }
    assert found >= LEARN_NOTHING | BY_PRICE
    assert found >= {"refresh/posterior", "discovery/value", "fetchers/adaptive"}
    assert found >= {f"refresh/{name}" for name in ("q-learning", "traa", "lspe")}


def settings_of(crawl: Crawl, web: PracticeWeb) -> Settings:
    told = fetcher_class(crawl.fetchers).example_options()
    values: dict[str, Any] = {
        "topic": "space",
        "seeds": [web.home(0), web.home(1)],
        "budget": {"visits": 200.0, "burst": 4.0},
        "refresh": {"policy": crawl.refresh},
        "discovery": {"policy": crawl.discovery},
        "fetchers": {"policy": crawl.fetchers, "most": 6, "options": told},
        "manners": {"own": dict.fromkeys(web.host_names(), GAP_S)},
    }
    return settings_from("the test", values)


def crawl_some(folder: Path, settings: Settings) -> tuple[str, str, int, int]:
    """Its policies as the engine has them, pages held, visits made in all."""
    engine = open_engine(folder, settings)
    asyncio.run(crawl_until(engine, seconds=NEVER_S, visits=VISITS, show=lambda: None))
    controller = engine.control.journal.controller
    refresh = name_of("refresh", controller.refresh)
    discovery = name_of("discovery", controller.discovery)
    counts = engine.store.counts()
    engine.close()
    return refresh, discovery, counts.held, counts.visits


@pytest.mark.parametrize("crawl", crawls(), ids="+".join)
def test_it_crawls_and_goes_on_after_a_restart(crawl: Crawl, tmp_path: Path) -> None:
    shape = Shape(gap_s=GAP_S, change_every_s=(1.0, 1000.0), life_s=600.0)
    world = LinkedWeb.generate(40, 6, "space", 3, shape)
    with PracticeWeb(world, latency_s=0.0) as web:
        settings = settings_of(crawl, web)
        first = crawl_some(tmp_path, settings)
        refresh, discovery, held, visits = crawl_some(tmp_path, settings)
        assert web.private_requests() == 0
    assert (refresh, discovery) == (crawl.refresh, crawl.discovery) == first[:2]
    assert held >= 20
    # some may have been under way when it was stopped
    assert visits > VISITS > held, "it went on, and pages were visited again"


# When to come back: pages that change, and as many that never do


def visits_late(name: str) -> tuple[int, int]:
    """To pages that change and to those that do not, of the last third of the visits."""
    policy = refresh_class(name)
    pages = policy.only_pages or 24
    rate = np.zeros(pages)
    rate[::2] = (
        1.2 / pages
    )  # about once between two visits, if all pages are visited alike
    host = np.arange(pages, dtype=np.int32) % 6
    truth = make_truth(host=host, rate=rate, gap_s=0.1, latency_s=0.05, seed=3)
    controller = new_controller(
        truth,
        discovery=BreadthFirst(),
        refresh=make_refresh_policy(name),
        budget=Budget(per_s=1.0),
        seeds=list(range(pages)),
    )
    log = run_live(controller, truth, room=4, visits=3_000)
    counts = np.bincount(log.page[-1_000:], minlength=pages)
    return int(counts[::2].sum()), int(counts[1::2].sum())


@pytest.mark.parametrize("name", live_policies("refresh", learning=True))
def test_pages_that_change_come_to_be_visited_more(name: str) -> None:
    changing, still = visits_late(name)
    assert changing > 1.5 * still


def test_uniform_visits_all_alike() -> None:
    changing, still = visits_late("uniform")
    assert changing == pytest.approx(still, rel=0.05)


# What to fetch next: a web whose words tell the topic


def found_first(name: str, seed: int) -> float:
    """Relevance of the first 200 pages of 800, of the most that there is in as many."""
    web = family("topical", 800, seed, "test")
    truth: Truth = still_truth(web.truth, gap_s=0.0)
    controller = new_controller(
        truth,
        discovery=make_discovery_policy(name),
        refresh=Never(),
        budget=Budget(per_s=1.0),
        seeds=web.seeds,
    )
    log: Log = run_live(controller, truth, room=1, visits=200)
    best = np.sort(truth.relevance)[-200:].sum()
    return float(truth.relevance[log.page].sum() / best)


@pytest.mark.parametrize("name", live_policies("discovery", learning=True))
def test_pages_on_the_topic_are_found_sooner_than_in_the_order_found(name: str) -> None:
    for seed in (1, 2):
        assert found_first(name, seed) > found_first("breadth-first", seed) + 0.1


# How many fetchers: a queue that few of them fill


@pytest.mark.parametrize("name", live_policies("fetchers", learning=True))
def test_fetchers_come_to_be_as_many_as_the_queue_wants(name: str) -> None:
    """The table that it has learnt costs nearly as little as the best one, and it did not begin so.

    That the world decides as the live controller does: tests/unit/robot/test_fetcher_controller.py.
    """
    queue = FetcherQueue(
        fetch_rate=0.4, process_rate=1.0, capacity=3, starvation_weight=1.0
    )
    best = queue.solve(4).cost
    policy = make_fetcher_policy(name, most=4, capacity=3, options={})
    assert queue.play(policy.wakes()).cost > 1.5 * best
    world = QueueWorld(most=4, capacity=3, fetch_rate=0.4, process_rate=1.0, seed=1)
    world.run(policy, 30_000)
    learnt = queue.play(policy.learnt_wakes(), world.queue, world.awake).cost
    assert learnt < 1.2 * best
