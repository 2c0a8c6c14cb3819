"""Every page in a real browser: light, dark, narrow, without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.page_checks import faults
from tests.e2e.browser.watched_page import WatchedPages
from trapline.app.web.server import WebServer

PATHS = {
    "home": "",
    "results": "search?q=space",
    "nothing found": "search?q=qqqzzz",
    "too long": "search?q=" + "x" * 5000,
    "wrong page": "search?q=space&page=-1",
    "dashboard": "dashboard",
    "plan": "plan",
    "laboratory": "laboratory",
    "why, nothing asked": "why",
    "why, unknown": "why?url=http%3A%2F%2Fx.example%2F",
    "no such page": "nothing",
    "API": "api",
}
REFUSED = {"too long", "wrong page", "why, unknown", "no such page"}
DRAWN = {"dashboard": 2, "plan": 2}


def wait_for_charts(page: Page, count: int) -> None:
    expect(page.locator(".plot .main-svg").nth(2 * count - 1)).to_be_attached()


def open_details(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")


@pytest.mark.parametrize("name", PATHS)
def test_every_page_is_sound(pages: WatchedPages, server: WebServer, name: str) -> None:
    # the browser itself tells of an answer that is an error: here it is the right one
    pages.forgiven = ("Failed to load resource",) if name in REFUSED else ()
    page = pages.open(server.url + PATHS[name])
    if name in DRAWN:
        wait_for_charts(page, DRAWN[name])
    open_details(page)
    assert faults(page) == {}


@pytest.mark.parametrize("name", ["Cached text", "Why and when"])
def test_pages_of_one_result_are_sound(
    pages: WatchedPages, server: WebServer, name: str
) -> None:
    page = pages.open(server.url + "search?q=space")
    page.locator(".hit").first.get_by_role("link", name=name).click()
    page.wait_for_url(re.compile("/(cached|why)"))
    open_details(page)
    assert faults(page) == {}
    if name == "Why and when":
        expect(page.get_by_role("heading", name="Visits and changes")).to_be_visible()
        expect(page.get_by_text("Next visit due")).to_be_visible()


@pytest.mark.parametrize(
    "path", ["", "dashboard", "plan", "laboratory", "search?q=space"]
)
def test_pages_work_without_scripts(
    pages: WatchedPages, server: WebServer, path: str
) -> None:
    page = pages.open(server.url + path, java_script_enabled=False)
    expect(page.get_by_role("heading", level=1)).to_be_attached()
    expect(page.get_by_role("main")).not_to_be_empty()
    assert page.locator(".plot:visible").count() == 0


def test_search_works_without_scripts(pages: WatchedPages, server: WebServer) -> None:
    page = pages.open(server.url, java_script_enabled=False)
    page.get_by_role("searchbox").fill("space")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".hit").first).to_be_visible()
    page.get_by_label("Order").select_option("changed")
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile(r"/search\?q=space&.*sort=changed$"))
    assert page.get_by_label("Order").input_value() == "changed"


def test_the_first_tab_stop_leads_to_the_content(
    pages: WatchedPages, server: WebServer
) -> None:
    page = pages.open(server.url + "laboratory")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_what_has_the_focus_is_to_be_seen(
    pages: WatchedPages, server: WebServer
) -> None:
    page = pages.open(server.url + "search?q=space")
    outlined = "getComputedStyle(document.activeElement).outlineStyle !== 'none'"
    for _ in range(14):
        page.keyboard.press("Tab")
        assert page.evaluate(outlined), page.evaluate(
            "document.activeElement.outerHTML"
        )


@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_nothing_moves_where_that_is_not_wanted(
    pages: WatchedPages, server: WebServer, wish: str
) -> None:
    page = pages.open(server.url, reduced_motion=wish)
    page.evaluate("document.querySelector('.light').className = 'light on'")
    page.evaluate("document.getElementById('bar').className = 'bar busy'")
    moving = page.evaluate(
        """() => [
            getComputedStyle(document.querySelector(".light")).animationName,
            getComputedStyle(document.getElementById("bar"), "::after").animationName,
        ]"""
    )
    still = ["none", "none"]
    assert moving == (still if wish == "reduce" else ["breathe", "pass"])


@pytest.mark.parametrize("path", ["dashboard", "laboratory", "nothing", "why"])
def test_a_slash_leads_to_the_search_box(
    pages: WatchedPages, server: WebServer, path: str
) -> None:
    pages.forgiven = ("Failed to load resource",)
    page = pages.open(server.url + path)
    page.keyboard.press("/")
    page.wait_for_url(server.url)
    expect(page.locator("#q")).to_be_focused()


def test_the_list_of_experiments_leads_to_their_tables(
    pages: WatchedPages, server: WebServer
) -> None:
    page = pages.open(server.url + "laboratory")
    expect(page.locator("#talim-fig-6")).to_be_hidden()
    page.get_by_role("link", name="talim/fig-6").click()
    expect(page.locator("#talim-fig-6")).to_be_visible()
