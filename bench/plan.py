"""How long do a plan and the dashboard take on a large folder?

    python bench/plan.py                 100,000 held pages on 3,000 hosts, 20,000 on the fringe
    python bench/plan.py --pages 10000   fewer

How to read the table
    Seconds of one processor, the first time (tables are built, kernels are loaded) and again. The
    dashboard is asked for every second or two; a plan when somebody wants one. The folder is made
    up: pages were visited once or twice, with change rates over four decades.
The exit code is always 0: a bench informs, tests judge.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from trapline.app.engine.from_settings import (
    live_policies,
    manners_of,
    request_controller,
)
from trapline.app.folder.dashboard import dashboard_of
from trapline.app.folder.planning.plan_of import plan_of
from trapline.app.settings import settings_from
from trapline.collection.url_book import HashUrlBook
from trapline.core.links import links_to
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Batch, Checkpoint, HostRow, UrlRow
from trapline.robot.request_controller import RequestController
from trapline.stores.sqlite.store import SqliteStore

SETTINGS: Final = {"budget": {"visits": 20.0}, "manners": {"contact": "a@b.org"}}
FRINGE: Final = 20_000
DAY_S: Final = 86_400.0


def make_folder(folder: Path, pages: int, hosts: int) -> None:
    chance = np.random.default_rng(0)
    host = np.minimum((3.0 * chance.pareto(1.0, pages + FRINGE)).astype(int), hosts - 1)
    names = [f"h{number}.example" for number in range(hosts)]
    urls = [f"http://{names[at]}/{page}" for page, at in enumerate(host.tolist())]
    book = HashUrlBook(0)
    for name in names:
        book.number(f"http://{name}/")
    store = SqliteStore(folder)
    settings = settings_from("a bench", dict(SETTINGS))
    controller = request_controller(
        settings, live_policies(settings), book, manners_of(settings), store.robots
    )
    visits = visit_all(controller, host, pages, chance)
    store.commit(
        Batch(
            hosts=[
                HostRow(number, f"{name}:80", f"http://{name}/")
                for number, name in enumerate(names)
            ],
            urls=[UrlRow(page, url, int(host[page])) for page, url in enumerate(urls)],
            visits=visits,
            notes={
                "settings": json.dumps(SETTINGS),
                "status": json.dumps({"written_s": time.time(), "fringe": FRINGE}),
            },
        )
    )
    arrays = {name: np.array(array) for name, array in controller.save().items()}
    store.save_checkpoint(Checkpoint(0, arrays))
    store.close()


def visit_all(
    controller: RequestController,
    host: np.ndarray[tuple[int], np.dtype[np.int64]],
    pages: int,
    chance: np.random.Generator,
) -> list[Visit]:
    """All pages once, and half of them again a day later."""
    rate = 10.0 ** chance.uniform(-7.0, -3.0, pages)
    relevance = chance.uniform(0.0, 1.0, pages)
    start_s = time.time() - 3.0 * DAY_S
    controller.admit(links_to(np.arange(len(host)), host), start_s)
    visits = []
    for number in range(pages + pages // 2):
        page = number % pages
        again = number >= pages
        ended_s = start_s + DAY_S * again + 0.3 * page
        changed = not again or chance.random() < -np.expm1(-rate[page] * DAY_S)
        visit = Visit(
            number,
            page,
            int(host[page]),
            Kind.PAGE,
            ended_s - 0.1,
            ended_s,
            5.0,
            Outcome.OK,
            200,
            bool(changed),
            float(relevance[page]),
        )
        controller.remember(visit)
        visits.append(visit)
    return visits


def spent_s(work: Callable[[], object]) -> float:
    begun_s = time.process_time()
    work()
    return time.process_time() - begun_s


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--hosts", type=int, default=3_000)
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "engine"
        make_folder(folder, wishes.pages, wishes.hosts)
        store = SqliteStore(folder, read_only=True)
        for name, work in (
            ("plan", lambda: plan_of(folder, store)),
            ("dashboard", lambda: dashboard_of(folder, store)),
        ):
            first_s = spent_s(work)
            again_s = spent_s(work)
            print(f"{name:10} first {first_s:6.3f} s   again {again_s:6.3f} s")
        store.close()


if __name__ == "__main__":
    main()
