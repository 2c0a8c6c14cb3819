"""Orders over HTTP, obeyed by a robot at work that would have nothing to do for an hour."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.support.command import started, wait_until
from tests.e2e.support.served import Said, ask
from tests.e2e.support.site import Site, html
from trapline.app.folder.folder_search import open_query_processor
from trapline.app.web.server import WebServer, bind
from trapline.search.questions import Question

PAGES = {
    "/": html("Home", "words about the moon", "/a"),
    "/a": html("A", "other words about mars"),
}


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(dict(PAGES)) as site:
        yield site


def settings_file(path: Path, site: Site, *, follow: bool = True) -> Path:
    path.write_text(
        f'seeds = ["{site.url()}"]\n'
        f"[discovery]\nfollow = {str(follow).lower()}\n"
        "[manners]\n"
        f'own = {{ "{site.host}" = 0.05 }}\n'
        '[refresh]\npolicy = "nutch-adaptive"\n'
        "options = { interval_s = 3600.0, least_s = 3600.0 }\n"
    )
    return path


def order(server: WebServer, path: str, body: object) -> Said:
    return ask(server, path, body, Authorization=f"Bearer {server.served.token}")


def is_found(folder: Path, word: str) -> bool:
    processor, store = open_query_processor(folder)
    try:
        return processor.ask(Question(word)).total > 0
    finally:
        store.close()


def test_seeds_and_visits_reach_an_idle_robot(tmp_path: Path, site: Site) -> None:
    folder = tmp_path / "engine"
    file = settings_file(tmp_path / "topic.toml", site)
    with Site({"/b": html("B", "all about venus")}, address="127.0.0.3") as other:
        with started("crawl", file, "--dir", folder, "--json") as robot:
            wait_until(lambda: len(site.visits("/a")) == 1)
            wait_until((folder / "store.sqlite").exists)
            # The index is not far behind the store, while the robot works on.
            wait_until(lambda: is_found(folder, "mars"))
            assert is_found(folder, "mars") and robot.poll() is None
            with WebServer(folder, bind(0)) as server:
                assert (
                    order(server, "/api/visit", {"url": site.url("/a")}).status == 200
                )
                wait_until(lambda: len(site.visits("/a")) == 2)
                assert (
                    order(server, "/api/seed", {"url": other.url("/b")}).status == 200
                )
                wait_until(lambda: other.visits("/b") != [])
                assert (
                    order(
                        server, "/api/label", {"url": site.url("/a"), "belongs": True}
                    ).status
                    == 200
                )
            wait_until(lambda: is_found(folder, "venus"))
            assert is_found(folder, "venus")
            robot.terminate()
            robot.communicate()
        assert len(site.visits("/a")) == 2, "visited once more, and only once"
        assert other.visits("/robots.txt") != []
        with started("crawl", file, "--dir", folder, "--json") as again:
            homes = len(site.visits("/"))
            with WebServer(folder, bind(0)) as server:
                assert order(server, "/api/visit", {"url": site.url()}).status == 200
            wait_until(lambda: len(site.visits("/")) > homes)
            again.terminate()
            again.communicate()
        assert len(site.visits("/a")) == 2, "a visit is ordered once"


def test_a_seed_is_watched_in_the_folder_of_a_watch(tmp_path: Path, site: Site) -> None:
    folder = tmp_path / "engine"
    file = settings_file(tmp_path / "topic.toml", site, follow=False)
    with started("crawl", file, "--dir", folder, "--json") as robot:
        wait_until(lambda: len(site.visits("/")) == 1)
        wait_until((folder / "store.sqlite").exists)
        wait_until(lambda: is_found(folder, "moon"))
        assert site.visits("/a") == [], "links are not followed"
        with WebServer(folder, bind(0)) as server:
            assert order(server, "/api/seed", {"url": site.url("/a")}).status == 200
            wait_until(lambda: site.visits("/a") != [])
        robot.terminate()
        robot.communicate()
    assert site.visits("/a") == [200]
