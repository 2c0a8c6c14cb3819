"""Titles, texts and URLs of strangers are shown as they are, and run nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.e2e.browser.hostile_folder import ATTACKS, HEBREW, LONG, TITLES
from tests.e2e.browser.page_checks import faults
from tests.e2e.browser.watched_page import WatchedPages
from trapline.app.web.server import WebServer

QUOTED = '"><script>window.hacked=1</script>'


@pytest.mark.parametrize("path", ["", "search?q=moon", "search?q=moon&page=2"])
def test_results_of_strangers(
    pages: WatchedPages, hostile_server: WebServer, path: str
) -> None:
    page = pages.open(hostile_server.url + path)
    assert faults(page) == {}
    assert page.evaluate("window.hacked") is None


@pytest.mark.parametrize("number", range(len(TITLES)))
def test_cached_texts_of_strangers(
    pages: WatchedPages, hostile_server: WebServer, number: int
) -> None:
    page = pages.open(f"{hostile_server.url}cached/{number}?q=moon")
    if TITLES[number]:
        expect(page.locator("h1")).to_have_text(TITLES[number])
    assert faults(page) == {}
    assert page.evaluate("window.hacked") is None
    assert page.locator("main script, main iframe, main style, main img").count() == 0


def test_attacks_are_shown_as_text(
    pages: WatchedPages, hostile_server: WebServer
) -> None:
    page = pages.open(hostile_server.url + "search?q=moon")
    titles = page.locator(".hit h3").all_inner_texts()
    page.goto(hostile_server.url + "search?q=moon&page=2")
    titles += page.locator(".hit h3").all_inner_texts()
    assert {*ATTACKS, LONG} <= set(titles)


def test_a_title_from_right_to_left(
    pages: WatchedPages, hostile_server: WebServer
) -> None:
    page = pages.open(hostile_server.url + "search?q=הירח")
    heading = page.locator(".hit h3", has_text=HEBREW)
    expect(heading).to_have_css("direction", "rtl")
    expect(page.locator(".hit .place").first).to_have_css("direction", "ltr")


def test_a_query_that_means_harm(
    pages: WatchedPages, hostile_server: WebServer
) -> None:
    page = pages.open(hostile_server.url)
    page.keyboard.type(QUOTED)
    expect(page.locator("h1")).to_have_text(f"Results for {QUOTED}")
    page.reload()
    expect(page.locator("#q")).to_have_value(QUOTED)
    assert page.evaluate("window.hacked") is None
    assert faults(page) == {}
