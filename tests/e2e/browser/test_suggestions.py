"""Suggestions while typing: chosen by arrows, put away when they are in the way."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.watched_page import WatchedPages, first_hit
from trapline.app.web.server import WebServer

SPACE = ["space probe", "space telescope", "<b>spa"]
HALF = re.compile(r"/search\?q=s(pa?)?$")  # questions that are not typed to their end


def hold_answers(page: Page) -> None:
    """Without answers suggestions have no need to make room, however slow the machine is."""
    page.route(HALF, lambda route: None)


@pytest.fixture
def suggesting(page: Page) -> Page:
    """Whatever is typed, the same goes on."""
    answer = {"q": "spa", "suggestions": SPACE}
    page.route("**/api/suggest?*", lambda route: route.fulfill(json=answer))
    return page


def test_suggestions_are_chosen_by_arrows(page: Page) -> None:
    answer = {"q": "spa", "suggestions": ["space probe", "space telescope", "<b>spa"]}
    page.route("**/api/suggest?*", lambda route: route.fulfill(json=answer))
    hold_answers(page)
    page.keyboard.type("spa")
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options).to_have_text(answer["suggestions"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(page.locator("#q")).to_have_attribute(
        "aria-activedescendant", "suggestion-1"
    )
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results for space telescope")
    expect(page.get_by_role("listbox")).to_be_hidden()


def test_the_collection_suggests(pages: WatchedPages, server: WebServer) -> None:
    page = pages.open(server.url)
    hold_answers(page)
    page.keyboard.type("spa")
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options.first).to_contain_text("spa")
    page.keyboard.press("ArrowDown")
    wanted = options.first.inner_text()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(f"Results for {wanted}")


def test_escape_closes_suggestions(page: Page) -> None:
    answer = {"q": "spa", "suggestions": ["space probe"]}
    page.route("**/api/suggest?*", lambda route: route.fulfill(json=answer))
    hold_answers(page)
    page.keyboard.type("spa")
    expect(page.get_by_text("space probe")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(page.locator("#q")).to_have_value("spa")


def test_at_most_five_are_shown(page: Page) -> None:
    answer = {"q": "s", "suggestions": [f"space {n}" for n in range(8)]}
    page.route("**/api/suggest?*", lambda route: route.fulfill(json=answer))
    hold_answers(page)
    page.keyboard.type("s")
    expect(page.get_by_role("listbox").get_by_role("option")).to_have_count(5)


def test_they_make_room_for_the_answers(suggesting: Page) -> None:
    page = suggesting
    page.keyboard.type("space")
    expect(page.locator("#suggestions li")).to_have_count(len(SPACE))
    expect(first_hit(page)).to_be_visible()
    expect(page.get_by_role("listbox")).to_be_hidden()
    expect(page.locator("#q")).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("listbox")).to_be_visible()
    expect(page.locator("#q")).to_have_value(SPACE[0])


def test_escape_brings_back_what_was_typed(suggesting: Page) -> None:
    page = suggesting
    hold_answers(page)
    page.keyboard.type("spa")
    expect(page.get_by_role("listbox")).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#q")).to_have_value(SPACE[0])
    page.keyboard.press("Escape")
    expect(page.locator("#q")).to_have_value("spa")
    expect(page.get_by_role("listbox")).to_be_hidden()


def test_beyond_the_last_are_the_results_of_what_was_typed(suggesting: Page) -> None:
    page = suggesting
    page.keyboard.type("space")
    expect(page.locator("#suggestions li")).to_have_count(len(SPACE))
    expect(first_hit(page)).to_be_visible()
    for _ in range(len(SPACE) + 1):
        page.keyboard.press("ArrowDown")
    expect(first_hit(page)).to_be_focused()
    expect(page.locator("#q")).to_have_value("space")


def test_the_box_says_from_the_start_that_its_list_is_closed(page: Page) -> None:
    expect(page.get_by_role("combobox")).to_have_attribute("aria-expanded", "false")
