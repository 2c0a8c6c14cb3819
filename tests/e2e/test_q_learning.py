"""The paper's controller live: one table decides about fringe and held pages, and is kept."""

from __future__ import annotations

import time
from collections import Counter
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.e2e.support.command import said, trapline
from tests.e2e.support.site import Site, html

ON_TOPIC = "telescopes show planets, stars and galaxies; astronomers of space watch"
OFF_TOPIC = "butter, flour and sugar make a cake; the baker of bread bakes"
EACH = 12
BUSY = ["/b/3", "/b/7"]
QUIET = [f"/b/{number}" for number in range(EACH) if f"/b/{number}" not in BUSY]


class LivelySite(Site):
    """Some of its pages have something new to say every half second."""

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        if request.path in BUSY:
            told = f"{ON_TOPIC} at {request.path}, report {int(2.0 * time.monotonic())}"
            self.pages[request.path] = html("A page", told)
        super().answer(request)


def pages_below(hub: str, text: str) -> dict[str, str]:
    names = [f"{hub}/{number}" for number in range(EACH)]
    pages = {name: html("A page", f"{text} at {name}") for name in names}
    # the hubs say the same, so nothing but their children tells them apart
    pages[hub] = html("A list", "of all kinds of things in space", *names)
    return pages


@pytest.fixture
def site() -> Site:
    pages = {"/": html("Front", "of space", "/a", "/b")}
    return LivelySite(
        pages | pages_below("/a", OFF_TOPIC) | pages_below("/b", ON_TOPIC)
    )


def settings(site: Site, path: Path, role: str) -> Path:
    words = "space planets stars galaxies telescopes astronomers"
    both = '[refresh]\npolicy = "q-learning"\n' if role == "q-learning" else ""
    path.write_text(
        f'seeds = ["{site.url()}"]\n[topic]\nwords = "{words}"\n'
        f'[manners]\nown = {{ "{site.host}" = 0.0 }}\n[budget]\nvisits = "40/s"\n'
        f'[discovery]\npolicy = "{role}"\n{both}[fetchers]\nmost = 1\npolicy = "fixed"\n'
    )
    return path


def first_visits(site: Site, hub: str) -> list[int]:
    """Places of a hub's pages in the order in which pages were fetched for the first time."""
    order = list(dict.fromkeys(one.path for one in site.asked))
    return [place for place, path in enumerate(order) if path.startswith(hub + "/")]


def test_links_of_better_kin_go_first_and_changing_pages_are_visited_again(
    site: Site, tmp_path: Path
) -> None:
    engine = tmp_path / "engine"
    with site:
        words = (settings(site, tmp_path / "s.toml", "q-learning"), "--dir", engine)
        done = trapline("crawl", *words, "--visits", 100)
        assert done.returncode == 0, done.stderr
        good = first_visits(site, "/b")
        assert sum(good) / len(good) + 3.0 < sum(first_visits(site, "/a")) / EACH
        reasons = said(trapline("why", engine, site.url(BUSY[0]), "--json"))
        assert reasons["policy"] == "q-learning"
        learnt = reasons["beliefs"]
        before = len(site.asked)
        # a restart goes on with what was learnt
        done = trapline("crawl", *words, "--visits", 100)
        assert done.returncode == 0, done.stderr
        again = Counter(one.path for one in site.asked[before:])
        busy, quiet = (
            said(trapline("why", engine, site.url(page), "--json"))["beliefs"]
            for page in (BUSY[0], QUIET[0])
        )
    assert busy["revisits"] > learnt["revisits"] > 0.0
    assert min(again[page] for page in BUSY) > 2 * max(again[page] for page in QUIET)
    assert busy["change_rate"] > 2.0 * quiet["change_rate"]


def test_breadth_first_has_no_such_preference(site: Site, tmp_path: Path) -> None:
    """The site itself favours nobody: the list without the topic is met first."""
    with site:
        path = settings(site, tmp_path / "s.toml", "breadth-first")
        done = trapline("crawl", path, "--dir", tmp_path / "e", "--visits", 30)
        assert done.returncode == 0, done.stderr
        good = first_visits(site, "/b")
        assert not good or min(good) > max(first_visits(site, "/a"))
