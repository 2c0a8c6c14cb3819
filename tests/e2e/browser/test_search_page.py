"""The search page as people use it: typing, arrows, filters, pages of results."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from tests.e2e.browser.watched_page import WatchedPages, first_hit
from trapline.app.demand.demand_file import read_demand
from trapline.app.web.server import WebServer


def test_answers_come_while_one_types(page: Page, server: WebServer) -> None:
    expect(
        page.get_by_role("searchbox").or_(page.get_by_role("combobox"))
    ).to_be_focused()
    page.keyboard.type("space")
    expect(first_hit(page)).to_be_visible()
    expect(page).to_have_url(server.url + "search?q=space")
    expect(page).to_have_title("space · Trapline")
    expect(page.locator("#said")).to_contain_text("pages, ")
    assert page.evaluate("window.same"), "the page was loaded anew"
    page.locator("#q").fill("")
    expect(page.get_by_role("heading", name="Search engine")).to_be_visible()
    expect(page).to_have_url(server.url)


def test_an_answer_that_comes_too_late_is_dropped(page: Page) -> None:
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/search?q=spa", hold)
    with page.expect_request("**/search?q=spa"):
        page.keyboard.type("spa")
    page.keyboard.type("ce")
    expect(page.locator("h1")).to_have_text("Results for space")
    held[0].fulfill(body="<div id=answers>late</div><div id=intro>late</div>")
    page.keyboard.type(" moon")
    expect(page.locator("h1")).to_have_text("Results for space moon")
    expect(page.locator("#answers")).not_to_contain_text("late")


def test_slash_and_arrows(page: Page) -> None:
    page.keyboard.type("space")
    expect(first_hit(page)).to_be_visible()
    page.keyboard.press("ArrowDown")
    links = page.locator(".hit h3 a")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("a/b")
    expect(page.locator("#q")).to_have_value("a/b")


def test_what_is_opened_is_told(page: Page, server: WebServer) -> None:
    page.keyboard.type("space")
    expect(first_hit(page)).to_be_visible()
    page.evaluate("document.addEventListener('click', e => e.preventDefault())")
    page.keyboard.press("ArrowDown")
    with page.expect_response("**/api/opened") as told:
        page.keyboard.press("Enter")
    assert told.value.status == 204
    server.served.demand.write()
    opened = [str(one.page) for one in read_demand(server.served.folder).opened]
    assert opened == [first_hit(page).get_attribute("data-page")]


def test_filters_stay_in_the_url(page: Page, server: WebServer) -> None:
    page.keyboard.type("space")
    page.get_by_label("Order").select_option("changed")
    expect(page).to_have_url(re.compile(r"q=space&sort=changed$"))
    page.get_by_label("Changed").focus()
    page.get_by_label("Changed").select_option("day")
    expect(page).to_have_url(re.compile(r"q=space&age=day&sort=changed$"))
    expect(page.get_by_label("Changed")).to_be_focused()
    page.reload()
    expect(page.get_by_label("Order")).to_have_value("changed")
    page.go_back()
    expect(page.get_by_label("Changed")).to_have_value("")
    page.get_by_label("Changed").select_option("day")
    page.get_by_role("link", name="Clear filters").click()
    expect(page).to_have_url(re.compile(r"q=space&sort=changed$"))


def test_more_from_one_host(page: Page) -> None:
    page.keyboard.type("space")
    page.get_by_role("link", name="More from this host").first.click()
    expect(page).to_have_url(re.compile(r"q=space&host=127\.0\.0\."))
    expect(page.get_by_role("link", name="Clear filters")).to_be_visible()


def test_pages_of_results(page: Page) -> None:
    page.keyboard.type("space")
    expect(first_hit(page)).to_be_visible()
    before = first_hit(page).inner_text()
    page.get_by_role("link", name="Next").click()
    expect(page).to_have_url(re.compile("page=2$"))
    expect(page.locator("#count")).to_contain_text("11–")
    page.get_by_role("link", name="Previous").click()
    expect(first_hit(page)).to_have_text(before)


def test_nothing_found_says_what_would_help(page: Page) -> None:
    page.keyboard.type('"qqqzzz yyy"')
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    expect(page.locator("#said")).to_have_text("Nothing found")
    expect(page.locator(".notice")).to_contain_text("Leave out quotation marks")


def test_results_stay_while_a_word_is_half_typed(page: Page) -> None:
    page.keyboard.type("space")
    expect(first_hit(page)).to_be_visible()
    page.evaluate(
        """() => {
            window.emptied = 0;
            new MutationObserver(() => {
                if (document.querySelector(".notice")) window.emptied += 1;
            }).observe(document.getElementById("answers"), { childList: true });
        }"""
    )
    with page.expect_response("**/search?q=spacezz"):
        page.keyboard.type("zz")
    with page.expect_response("**/search?q=space"):
        page.keyboard.press("Backspace")
        page.keyboard.press("Backspace")
    expect(first_hit(page)).to_be_visible()
    page.locator("#q").fill("qqqzzz")
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    assert page.evaluate("window.emptied") == 1


def test_whoever_turns_the_page_goes_on_there(page: Page) -> None:
    page.keyboard.type("space")
    page.get_by_role("link", name="Next").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_contain_text("11–")
    expect(first_hit(page)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit h3 a").nth(1)).to_be_focused()


def test_from_the_cached_text_one_comes_back_to_the_same_results(
    pages: WatchedPages, server: WebServer
) -> None:
    results = server.url + "search?q=space&sort=changed&page=2"
    page = pages.open(results)
    page.get_by_role("link", name="Cached text").first.click()
    page.get_by_role("link", name="Back to the results").click()
    expect(page).to_have_url(results)
