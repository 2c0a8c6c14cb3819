"""Back and forward: a step for each question, none for the letters of one."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e.browser.watched_page import first_hit
from trapline.app.web.server import WebServer


def test_back_goes_through_what_was_asked(page: Page, server: WebServer) -> None:
    page.keyboard.type("space")
    expect(first_hit(page)).to_be_visible()
    page.keyboard.press("Enter")
    page.locator("#q").select_text()
    page.keyboard.type("moon", delay=200)
    expect(page).to_have_url(re.compile("q=moon$"))
    page.keyboard.press("Enter")
    page.go_back()
    expect(page).to_have_url(re.compile("q=space$"))
    expect(page.locator("#q")).to_have_value("space")
    expect(page.locator("h1")).to_have_text("Results for space")
    page.go_back()
    expect(page).to_have_url(server.url)
    expect(page.locator("#q")).to_have_value("")


def test_leaving_the_box_ends_a_question(page: Page) -> None:
    page.keyboard.type("space")
    expect(page).to_have_url(re.compile("q=space$"))
    first_hit(page).focus()
    page.keyboard.press("/")
    page.keyboard.type("moon")
    expect(page).to_have_url(re.compile("q=moon$"))
    page.go_back()
    expect(page).to_have_url(re.compile("q=space$"))


def test_what_is_typed_and_sent_at_once_is_one_step(
    page: Page, server: WebServer
) -> None:
    page.keyboard.type("space")
    page.keyboard.press("Enter")
    expect(first_hit(page)).to_be_visible()
    page.go_back()
    expect(page).to_have_url(server.url)
