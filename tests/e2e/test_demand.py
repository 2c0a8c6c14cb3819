"""Demand flows back: pages that people open are visited more often, and `why` says so."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from statistics import mean
from typing import Any
from urllib.request import Request, urlopen

from tests.e2e.support.command import said, started, trapline, wait_until
from tests.e2e.support.site import Site, html
from trapline.app.web.server import WebServer, bind
from trapline.live.warm_up import warm_live

PAGES = [f"/moon-{number}" for number in range(12)]
OPENED = PAGES[::3]  # alike but for that
VISITS = 30  # of a page, on average
CHANGE_S = 2.0


class ChangingSite:
    """All pages change, as often as each other."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(timeout=10.0)

    def _run(self) -> None:
        number = 0
        while not self._over.wait(CHANGE_S):
            number += 1
            for path in PAGES:
                self._site.pages[path] = page(path, number)


def page(path: str, number: int) -> str:
    return html(f"Moon {path}", f"The moon of {path} was seen {number} times.")


def visits(site: Site) -> dict[str, int]:
    return {path: len(site.visits(path)) for path in PAGES}


def ask(url: str, body: dict[str, Any] | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {} if body is None else {"Content-Type": "application/json"}
    with urlopen(Request(url, data, headers), timeout=60.0) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def open_results(server: WebServer) -> None:
    found = ask(server.url + "api/search?q=moon&limit=20")["hits"]
    numbers = {hit["url"]: hit["page"] for hit in found}
    for path in OPENED:
        [number] = [numbers[url] for url in numbers if url.endswith(path)]
        for _ in range(10):
            ask(server.url + "api/opened", {"page": number, "q": "moon"})
    server.served.demand.write()


def factor(folder: Path, url: str) -> float:
    return float(said(trapline("why", folder, url, "--json"))["demand_factor"])


def test_pages_that_are_opened_are_visited_more_often(tmp_path: Path) -> None:
    warm_live("auto", "auto")
    pages = {"/": html("Moons", "All moons.", *PAGES)}
    pages |= {path: page(path, 0) for path in PAGES}
    engine = tmp_path / "engine"
    settings = tmp_path / "topic.toml"
    with Site(pages, validators=False) as site, ChangingSite(site):
        settings.write_text(
            f'seeds = ["{site.url()}"]\n[budget]\nvisits = "20/s"\n'
            f'[manners]\nown = {{ "{site.host}" = 0.01 }}\n[refresh]\ndemand = 4.0\n'
        )
        with started("crawl", settings, "--dir", engine) as robot:
            wait_until(lambda: min(visits(site).values()) >= 3)
            with WebServer(engine, bind(0)) as server:
                wait_until(
                    lambda: ask(server.url + "api/search?q=moon")["total"] >= len(PAGES)
                )
                open_results(server)
            wait_until(lambda: factor(engine, site.url(OPENED[0])) == 4.0)
            before = visits(site)
            least = sum(before.values()) + VISITS * len(PAGES)
            wait_until(lambda: sum(visits(site).values()) >= least, most_s=300.0)
            after = visits(site)
            explained = trapline("why", engine, site.url(OPENED[0])).stdout
            robot.terminate()
            _, complaint = robot.communicate(timeout=60.0)
    assert robot.returncode == 0, complaint
    made = {path: after[path] - before[path] for path in PAGES}
    opened = mean(made[path] for path in OPENED)
    others = mean(made[path] for path in PAGES if path not in OPENED)
    assert opened > 1.3 * others, made
    assert "asked for" in explained and "opened 10 times" in explained
    assert "worth ×4" in explained
    # a robot that was started anew knows it, before it has read any counts
    (engine / "demand.sqlite").unlink()
    assert factor(engine, site.url(OPENED[0])) == 4.0
