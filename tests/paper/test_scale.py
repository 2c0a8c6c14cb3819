"""scale/one-price and scale/discovery, small: what steers rates, and what shards lose."""

from __future__ import annotations

import numpy as np
import pytest

from trapline.laboratory.papers.scale import discovery
from trapline.laboratory.papers.scale.one_price_runs import (
    BIDS_60,
    BOUND,
    DEAD,
    EQUAL,
    FEEDBACK,
    ONE,
    PAGES,
    WRONG,
    MarketCase,
    MarketSizes,
    run_case,
)
from trapline.laboratory.papers.scale.shard_discovery import crawl_in_shards
from trapline.laboratory.papers.scale.unlike_shards import UnlikeShards
from trapline.laboratory.runs.discovery_pass import crawl_once
from trapline.laboratory.study.sweep import Extent
from trapline.laboratory.worlds.families import FAMILIES, family
from trapline.policies.discovery.value import Value

SIZES = MarketSizes(shards=8, pages=60, rounds=3)
SEED = 2


def earned(kind: str) -> np.ndarray:
    return run_case(MarketCase(kind, kind, SIZES), SEED).earned


def test_bids_earn_what_one_agenda_earns_and_splits_do_not() -> None:
    one = earned(ONE)[1:].sum()
    shares = {k: earned(k)[1:].sum() / one for k in (EQUAL, PAGES, BIDS_60)}
    assert shares[BIDS_60] > 0.99
    assert shares[BIDS_60] > shares[PAGES] + 0.02
    assert shares[BIDS_60] > shares[EQUAL] + 0.02


def test_prices_paid_steer_worse_than_bids() -> None:
    assert earned(FEEDBACK)[-1] < earned(BIDS_60)[-1]


def test_nobody_exceeds_the_bound_for_long() -> None:
    bound = earned(BOUND)
    for kind in (ONE, BIDS_60):
        assert earned(kind)[-1] < 1.01 * bound[-1]


def test_faults_of_the_market_cost_little() -> None:
    usual = earned(BIDS_60)[1:]
    for kind in (WRONG, DEAD):
        assert (earned(kind)[1:] > 0.99 * usual).all()


def test_bids_spend_the_budget_and_never_more() -> None:
    run = run_case(MarketCase(BIDS_60, BIDS_60, SIZES), SEED)
    visits = SIZES.shards * SIZES.pages * SIZES.rounds
    assert 0.95 < run.used <= 1.0 + SIZES.shards / visits  # a burst of one each


def test_the_world_is_the_same_for_a_seed_and_split_without_rest() -> None:
    world = UnlikeShards.draw(5, 40, 100.0, seed=3)
    again = UnlikeShards.draw(5, 40, 100.0, seed=3)
    assert (world.rate == again.rate).all()
    pages = np.concatenate([world.pages_of(shard) for shard in range(5)])
    assert pages.tolist() == list(range(200))
    hosts = [set(world.host[world.pages_of(shard)].tolist()) for shard in range(5)]
    assert sum(map(len, hosts)) == len(world.gap_s) == len(set.union(*hosts))


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_one_shard_is_one_engine(name: str) -> None:
    web = family(name, 300, 0, "test")
    one = crawl_once(web, Value(), 300)
    shard = crawl_in_shards(web, Value, shards=1, per_s=1.0)
    assert shard.page.tolist() == one.page.tolist()


def test_shards_find_most_of_what_one_engine_finds_and_no_page_twice() -> None:
    web = family("archipelago", 1_000, 0, "test")
    shards = crawl_in_shards(web, Value, shards=8, per_s=2.0)
    assert len(set(shards.page.tolist())) == len(shards.page)
    one = discovery.p_of(crawl_once(web, Value(), 1_000), web)
    assert discovery.p_of(shards, web) > 0.93 * one


def test_the_report_names_each_family_once() -> None:
    report = discovery.run_study(200, Extent(2), lambda share, what: None, None)
    assert [row["id"] for row in report.rows] == list(FAMILIES)
    assert {row["verdict"] for row in report.rows} <= {"reached", "NOT reached"}
