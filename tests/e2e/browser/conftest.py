"""A real browser, and folders for it to look at.

Debian's chromium is driven where it is installed; elsewhere these tests say so and are skipped.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.browser.crawled_folder import crawl_sample
from tests.e2e.browser.hostile_folder import write_hostile
from tests.e2e.browser.sample_figures import sample_dashboard, sample_plan
from tests.e2e.browser.watched_page import ARGUMENTS, WatchedPages
from trapline.app.web.server import WebServer, bind

expect.set_options(timeout=20_000)  # milliseconds; machines may be busy

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")


@pytest.fixture(scope="session")
def chromium() -> str:
    """Asked for before anything is crawled in vain."""
    if CHROMIUM is None:
        pytest.skip(
            "chromium is not installed (apt install chromium): no browser tests"
        )
    return CHROMIUM


@pytest.fixture(scope="module")
def crawled(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return crawl_sample(tmp_path_factory.mktemp("engine"))


@pytest.fixture(scope="module")
def hostile(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_hostile(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def figures() -> Iterator[None]:
    """Figures of a robot in full work, whatever the folder says."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "trapline.app.folder.dashboard.dashboard_of", lambda *_: sample_dashboard()
        )
        patch.setattr(
            "trapline.app.folder.planning.plan_of.plan_of", lambda *_: sample_plan()
        )
        yield


@pytest.fixture(scope="module")
def server(crawled: Path, figures: None) -> Iterator[WebServer]:
    with WebServer(crawled, bind(0)) as server:
        yield server


@pytest.fixture(scope="module")
def hostile_server(hostile: Path) -> Iterator[WebServer]:
    with WebServer(hostile, bind(0)) as server:
        yield server


@pytest.fixture(scope="module")
def browser(chromium: str, crawled: Path) -> Iterator[Browser]:
    """One a module. While it is open the thread's event loop is its own, so robots run before."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def pages(browser: Browser) -> Iterator[WatchedPages]:
    """Pages that are watched; at the end nothing may have gone wrong in any of them."""
    watched = WatchedPages(browser)
    yield watched
    watched.close()
    assert watched.troubles == []


@pytest.fixture
def page(pages: WatchedPages, server: WebServer) -> Page:
    """Without suggestions, unless a test brings its own: arrows would go through them first."""
    page = pages.open(server.url)
    page.evaluate("window.same = true")
    nothing = {"q": "", "suggestions": []}
    page.route("**/api/suggest?*", lambda route: route.fulfill(json=nothing))
    return page
