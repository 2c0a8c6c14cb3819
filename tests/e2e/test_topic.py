"""A topic given by examples, corrected by labels, and one that nobody writes about: against real
servers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.e2e.support.command import said, trapline
from trapline.app.crawl.run_until import crawl_until, warm_up
from trapline.app.demo.practice_web import PracticeWeb
from trapline.app.engine.build import open_engine
from trapline.app.engine.parts import Engine
from trapline.app.settings import settings_from
from trapline.laboratory.worlds import documents
from trapline.laboratory.worlds.linked import LinkedWeb
from trapline.laboratory.worlds.page_layout import Shape

WORLD = LinkedWeb.generate(
    60, 2, "space", 2, Shape(gap_s=0.01, born_share=0.0, dies_share=0.0)
)
ON_TOPIC = [page for page in range(WORLD.pages) if WORLD.relevance[page] > 0.6]


@pytest.fixture(autouse=True, scope="module")
def _warm() -> None:
    # or kernels are compiled while a crawl's seconds run
    warm_up("posterior", quiet=True)


def address(web: PracticeWeb, page: int) -> str:
    return web.home(int(WORLD.host[page])).rstrip("/") + documents.path(WORLD, page)


def engine_on(folder: Path, web: PracticeWeb, topic: object) -> Engine:
    values: dict[str, object] = {
        "topic": topic,
        "seeds": [web.home(0), web.home(1)],
        "budget": {"visits": "unlimited"},
        "manners": {"own": dict.fromkeys(web.host_names(), 0.01)},
    }
    return open_engine(folder, settings_from("test", values))


def crawl(
    engine: Engine,
    seconds: float,
    show: Callable[[], None] = lambda: None,
    visits: int | None = None,
) -> dict[str, float]:
    """URL → relevance of what is held afterwards."""
    try:
        asyncio.run(crawl_until(engine, seconds=seconds, visits=visits, show=show))
        pages = [change.document for change in engine.store.changes()]
        return {page.url: page.relevance for page in pages if page is not None}
    finally:
        engine.close()


def relevance_of(engine: Engine, url: str) -> float:
    """As the store has it now."""
    pages = [change.document for change in engine.store.changes()]
    return next(page.relevance for page in pages if page and page.url == url)


def mean(found: dict[str, float], urls: list[str]) -> float:
    return sum(found[url] for url in urls) / len(urls)


def test_an_example_page_is_visited_and_teaches(tmp_path: Path) -> None:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        examples = [address(web, page) for page in ON_TOPIC[:3]]
        first = crawl(
            engine_on(tmp_path, web, {"words": "space", "examples": examples}),
            seconds=30.0,
            visits=150,
        )
        assert [first[example] for example in examples] == [1.0] * 3
        held = {
            page: url
            for page in range(WORLD.pages)
            if (url := address(web, page)) in first
        }
        ours = [url for page, url in held.items() if page in ON_TOPIC[3:]]
        others = [url for page, url in held.items() if WORLD.relevance[page] < 0.1]
        assert min(len(ours), len(others)) >= 3
        assert mean(first, ours) > 0.5 > mean(first, others)
        again = engine_on(tmp_path, web, {"words": "space", "examples": examples})
        assert again.control.topic.documents >= 30  # from the checkpoint
        text = "The long orbit of Ganymede"  # an example's title
        before = again.control.topic.relevance("", text)
        crawl(again, seconds=0.5)
        # the examples are held, and teach at once
        assert again.control.topic.relevance("", text) > before


def test_one_example_without_words_tells_pages_apart(tmp_path: Path) -> None:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        topic = {"examples": [address(web, ON_TOPIC[0])]}
        crawl(engine_on(tmp_path, web, topic), seconds=30.0, visits=150)
        again = engine_on(tmp_path, web, topic)
        ours = {address(web, page) for page in ON_TOPIC[1:]}
        others = {
            address(web, page)
            for page in range(WORLD.pages)
            if WORLD.relevance[page] < 0.1
        }

        def belonging(among: set[str]) -> list[bool]:
            pages = [change.document for change in again.store.changes()]
            return [
                page.relevance >= 0.5 for page in pages if page and page.url in among
            ]

        def stop_when_judged() -> None:
            """Held pages are judged anew by what was met."""
            if sum(belonging(others)) < 0.2 * len(belonging(others)):
                again.stop()

        found = crawl(again, seconds=120.0, show=stop_when_judged)
        assert again.control.topic.alike() is None
    held = [found[url] >= 0.5 for url in ours & found.keys()]
    wrong = [found[url] >= 0.5 for url in others & found.keys()]
    assert min(len(held), len(wrong)) >= 3
    assert sum(held) > 0.8 * len(held)
    assert sum(wrong) < 0.2 * len(wrong)


def test_an_example_that_tells_nothing_apart_is_said(tmp_path: Path) -> None:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        hosts = ", ".join(f'"{name}" = 0.01' for name in web.host_names())
        (tmp_path / "topic.toml").write_text(
            f'seeds = ["{web.home(0)}"]\n[budget]\nvisits = "unlimited"\n[manners]\nown = '
            f"{{ {hosts} }}\n"
        )
        done = trapline(
            "crawl",
            tmp_path / "topic.toml",
            "--like",
            "Log in with your password, or ask for another password.",
            "--dir",
            tmp_path / "e",
            "--visits",
            150,
        )
    assert done.returncode == 0, done.stderr
    assert "The examples do not tell pages apart (no page" in done.stdout
    status = trapline("status", tmp_path / "e")
    assert "do not tell pages apart" in " ".join(status.stdout.split())
    assert (
        said(trapline("status", tmp_path / "e", "--json"))["robot"]["topic"]["alike"]
        == 0.0
    )


def test_a_robot_at_work_heeds_a_label_within_seconds(tmp_path: Path) -> None:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        url = address(web, ON_TOPIC[0])
        assert (
            crawl(engine_on(tmp_path, web, "space"), seconds=30.0, visits=100)[url]
            > 0.5
        )
        engine = engine_on(tmp_path, web, "space")
        labelled: list[CompletedProcess[str]] = []

        def label_once() -> None:
            if not labelled:
                labelled.append(trapline("label", tmp_path, url, "no"))
            elif relevance_of(engine, url) == 0.0:
                engine.stop()

        assert crawl(engine, seconds=120.0, show=label_once)[url] == 0.0
        assert labelled[0].returncode == 0, labelled[0].stderr
        assert labelled[0].stdout == f"{url} does not belong to the topic.\n"
        assert len(engine.control.topic.labels) == 1
        trapline("label", tmp_path, url, "yes")
        again = engine_on(tmp_path, web, "space")  # at the next start at the latest

        def stop_when_heeded() -> None:
            if relevance_of(again, url) == 1.0:
                again.stop()

        assert crawl(again, seconds=120.0, show=stop_when_heeded)[url] == 1.0


def test_labels_are_for_pages_that_are_known(tmp_path: Path) -> None:
    assert "no engine" in trapline("label", tmp_path, "http://127.0.0.1/", "yes").stderr
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        crawl(engine_on(tmp_path, web, ""), seconds=0.5)
    done = trapline("label", tmp_path, "http://127.0.0.1:3/", "yes")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "never heard of" in done.stderr
    assert trapline("label", tmp_path, "http://127.0.0.1:3/", "maybe").returncode == 2


def test_a_topic_in_words_that_nobody_uses_is_said(tmp_path: Path) -> None:
    with PracticeWeb(WORLD, latency_s=0.0) as web:
        hosts = ", ".join(f'"{name}" = 0.01' for name in web.host_names())
        (tmp_path / "topic.toml").write_text(
            f'seeds = ["{web.home(0)}"]\n[budget]\nvisits = "unlimited"\n[manners]\nown = '
            f"{{ {hosts} }}\n"
        )
        done = trapline(
            "crawl",
            tmp_path / "topic.toml",
            "--topic",
            "zyzzyvas",
            "--dir",
            tmp_path / "e",
            "--visits",
            150,
            "--json",
        )
    assert said(done)["unmet"] == ["zyzzyva"]
    status = trapline("status", tmp_path / "e")
    assert "never met" in status.stdout and "zyzzyva" in status.stdout
    assert said(trapline("status", tmp_path / "e", "--json"))["robot"]["topic"][
        "unmet"
    ] == ["zyzzyva"]
