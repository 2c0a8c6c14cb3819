"""A crawl that pays by the byte or the second, its fetchers sent out by price and queue together:
over real HTTP, and again after a restart.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.e2e.support.command import said, trapline
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.settings import settings_from
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

WORLD = LinkedWeb.generate(
    300, 12, "space", 3, Shape(gap_s=0.0, born_share=0.0, dies_share=0.0)
)
VISITS = 80
NEVER_S = 300.0  # this only ends a test that sees nothing


@pytest.mark.parametrize(
    ("kind", "a_second", "most"),
    # pages of the practice web are a few kB each; how long an answer takes, the machine decides
    [("bytes", 60_000.0, 0.3), ("seconds", 2.0, 10.0)],
)
def test_costs_and_prices_are_learnt_and_kept(
    kind: str, a_second: float, most: float, tmp_path: Path
) -> None:
    folder = tmp_path / "engine"
    with PracticeWeb(WORLD, latency_s=0.01) as web:
        settings = settings_from(
            "test",
            {
                "seeds": [web.home(host) for host in range(WORLD.hosts)],
                "budget": {"cost": kind, kind: a_second},
                "manners": {"own": dict.fromkeys(web.host_names(), 0.0)},
                "fetchers": {"policy": "joint", "most": 16, "queue_room": 8},
            },
        )
        warm_up("auto", quiet=True)
        engine = open_engine(folder, settings)
        asyncio.run(
            crawl_until(engine, seconds=NEVER_S, visits=VISITS, show=lambda: None)
        )
        costs = engine.controller.costs
        assert engine.loop is not None
        assert engine.loop.visits == VISITS
        assert 0.01 <= costs.usual < most
        policy = engine.control.fetchers.policy
        assert policy.prices_visits and policy.reserves(0).usual > 0.0
        usual = costs.usual
        engine.close()
        again = open_engine(folder, settings)
        assert again.controller.costs.usual == pytest.approx(usual, rel=1e-6)
        again.close()
        reasons = said(trapline("why", folder, web.home(0), "--json"))
        assert 0.0 < reasons["cost"]["cost"] < most
        assert "a visit costs" in trapline("why", folder, web.home(0)).stdout
        assert said(trapline("plan", folder, "--json"))["cost"] == kind
