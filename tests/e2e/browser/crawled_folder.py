"""A small folder that a robot has filled."""

from __future__ import annotations

import asyncio
from pathlib import Path

from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.settings import settings_from
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

GAP_S = 0.02
VISITS = 90


def crawl_sample(folder: Path) -> Path:
    world = LinkedWeb.generate(60, 3, "space", 2, Shape(gap_s=GAP_S))
    with PracticeWeb(world, latency_s=0.0) as web:
        values: dict[str, object] = {
            "topic": "space",
            "seeds": [web.home(host) for host in range(3)],
            "budget": {"visits": 200},
            "manners": {"own": dict.fromkeys(web.host_names(), GAP_S)},
        }
        settings = settings_from("test", values)
        # a reader that had to compile first would be taken for one that hangs
        warm_up(settings.refresh.policy, True, settings.discovery.policy)
        engine = open_engine(folder, settings)
        wish = crawl_until(engine, seconds=120.0, visits=VISITS, show=lambda: None)
        asyncio.run(wish)
        engine.close()
    return folder
