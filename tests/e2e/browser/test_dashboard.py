"""The dashboard follows the robot, and says so when it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.browser.page_checks import faults
from tests.e2e.browser.sample_figures import sample_dashboard
from tests.e2e.browser.test_every_page import wait_for_charts
from tests.e2e.browser.watched_page import WatchedPages
from trapline.app.folder.dashboard_figures import Dashboard
from trapline.app.web.server import WebServer, bind

LOST = ("Failed to load resource", "ERR_")


@pytest.fixture
def robot(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, str]]:
    """Figures that grow with each look; what the robot does is in the dictionary."""
    state = {"robot": "at work"}
    looks = count(1)

    def look(*_: object) -> Dashboard:
        return replace(sample_dashboard(state["robot"]), pages_held=next(looks))

    monkeypatch.setattr("trapline.app.folder.dashboard.dashboard_of", look)
    yield state


@pytest.fixture
def own_server(
    browser: Browser, crawled: Path, robot: dict[str, str]
) -> Iterator[WebServer]:
    with WebServer(crawled, bind(0)) as server:
        yield server


def refuse_events(page: Page) -> None:
    page.route("**/api/live", lambda route: route.abort())


def held(page: Page) -> int:
    text = page.locator(".tile", has_text="Pages held").locator("strong").inner_text()
    return int(text)


def wait_for_more(page: Page) -> None:
    before = held(page)
    tile = page.locator(".tile", has_text="Pages held").locator("strong")
    expect(tile).not_to_have_text(str(before))
    assert held(page) > before


def test_figures_are_live(
    own_server: WebServer, pages: WatchedPages, robot: dict[str, str]
) -> None:
    page = pages.open(own_server.url + "dashboard")
    wait_for_charts(page, 2)
    wait_for_more(page)
    expect(page.locator("#line")).to_have_text("live")
    robot["robot"] = "died"
    expect(page.get_by_role("heading", name="died, or was killed")).to_be_visible()
    assert faults(page) == {}
    robot["robot"] = "at work"
    expect(page.locator("#state")).to_be_empty()


def test_without_events_it_asks(own_server: WebServer, pages: WatchedPages) -> None:
    pages.forgiven = LOST
    page = pages.open(own_server.url + "dashboard", prepare=refuse_events)
    expect(page.locator("#line")).to_have_text("asking every few seconds")
    wait_for_more(page)


def test_a_server_that_goes_and_comes_back(
    pages: WatchedPages, browser: Browser, crawled: Path, robot: dict[str, str]
) -> None:
    pages.forgiven = LOST
    with WebServer(crawled, bind(0)) as server:
        port = int(server.url.rstrip("/").rpartition(":")[2])
        page = pages.open(server.url + "dashboard")
        expect(page.locator("#line")).to_have_text("live")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    assert faults(page) == {}
    with WebServer(crawled, bind(port)):
        expect(page.locator("#line")).to_have_text("live")
        expect(page.locator("#state")).to_be_empty()


def test_what_somebody_reads_or_marks_stays(
    own_server: WebServer, pages: WatchedPages
) -> None:
    page = pages.open(own_server.url + "dashboard")
    page.locator("#tables a").first.focus()
    page.evaluate("document.querySelector('#tables table').same = true")
    wait_for_more(page)
    expect(page.locator("#tables a").first).to_be_focused()
    assert page.evaluate("document.querySelector('#tables table').same")
    page.evaluate("document.activeElement.blur()")
    page.locator("#tables td").first.select_text()
    marked = page.evaluate("getSelection().toString()")
    wait_for_more(page)
    assert page.evaluate("getSelection().toString()") == marked != ""
