"""The search page when something is wrong: the server gone, busy or broken."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.page_checks import faults
from tests.e2e.browser.watched_page import WatchedPages, first_hit
from trapline.app.web.pages.frame import error_page
from trapline.core.errors import SearchBusy
from trapline.search.questions import Answer, Question
from trapline.search.search_desk import SearchDesk

NOT_LOADED = ("Failed to load resource",)


def test_a_server_that_is_gone(pages: WatchedPages, page: Page) -> None:
    pages.forgiven = NOT_LOADED
    page.route("**/search?*", lambda route: route.abort())
    page.keyboard.type("space")
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.unroute("**/search?*")
    page.get_by_role("button", name="Try again").click()
    expect(first_hit(page)).to_be_visible()


def test_whoever_finds_it_busy_is_served_later(
    pages: WatchedPages, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages.forgiven = NOT_LOADED
    join_line = SearchDesk.join_line

    def refuse(desk: SearchDesk, question: Question) -> Future[Answer]:
        raise SearchBusy("too many are searching just now")

    monkeypatch.setattr(SearchDesk, "join_line", refuse)
    page.keyboard.type("space")
    expect(page.get_by_role("alert")).to_contain_text("Many are searching")
    monkeypatch.setattr(SearchDesk, "join_line", join_line)
    expect(first_hit(page)).to_be_visible()


def test_what_broke_leaves_nothing_of_an_older_question(
    pages: WatchedPages, page: Page
) -> None:
    pages.forgiven = NOT_LOADED
    page.keyboard.type("space")
    expect(first_hit(page)).to_be_visible()
    broken = error_page(500, "Something broke here; the terminal says what.")
    page.route(
        "**/search?q=space+moon",
        lambda route: route.fulfill(status=500, body=broken, content_type="text/html"),
    )
    page.keyboard.type(" moon")
    expect(page.get_by_role("alert")).to_contain_text("the terminal says what")
    expect(page.locator(".hit")).to_have_count(0)
    expect(page.locator("body")).to_have_class("search scripted")
    expect(page).not_to_have_title("Internal Server Error · Trapline")
    assert faults(page) == {}
    page.unroute("**/search?q=space+moon")
    page.get_by_role("button", name="Try again").click()
    expect(first_hit(page)).to_be_visible()
