"""Crawl a small living web on loopback from Python, search what was found, and stop and go on in
the same folder.

    python examples/03_crawl_from_python.py

The web is a world of the laboratory behind real HTTP on 127.0.0.2 and up. Its hosts are our own, so
that their gap may be less than a second; the server itself counts whether we kept it.
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.engine.run import run_engine
from trapline.app.folder.folder_search import open_query_processor
from trapline.app.settings import settings_from
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape
from trapline.search.questions import Question

GAP_S = 0.05


def main() -> None:
    world = LinkedWeb.generate(
        pages=60, hosts=4, topic="space", seed=2, shape=Shape(gap_s=GAP_S)
    )
    with (
        tempfile.TemporaryDirectory() as name,
        PracticeWeb(world, latency_s=0.005) as web,
    ):
        settings = settings_from(
            "this example",
            {
                "topic": "space",
                "seeds": [web.home(host) for host in world.seeds],
                "budget": {"visits": "unlimited", "discovery_share": 0.8},
                "manners": {"own": dict.fromkeys(web.host_names(), GAP_S)},
            },
        )
        for run in (1, 2):
            engine = open_engine(Path(name), settings)
            try:
                asyncio.run(run_engine(engine, most_visits=40))
                counts = engine.store.counts()
            finally:
                engine.close()
            print(
                f"run {run}: {counts.visits} visits so far, {counts.held} pages held, "
                f"{counts.known} known"
            )
        print(
            f"the server saw {web.requests()} requests and {web.gap_violations()} too early"
        )

        processor, store = open_query_processor(Path(name))
        answer = processor.ask(Question("telescope OR orbit", limit=3))
        print(f"{answer.total} pages speak of telescopes or orbits:")
        for hit in answer.hits:
            print(f"  {hit.relevance:.2f}  {hit.title}  ({hit.url})")
        store.close()


if __name__ == "__main__":
    main()
