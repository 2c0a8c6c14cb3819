"""Results of several engines: they come one after another, and what is being read stays."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser.page_checks import faults
from tests.e2e.browser.scripted_broker import (
    FOUND,
    BrokerServer,
    ScriptedBroker,
    answered,
    failed,
    strange_hit,
)
from tests.e2e.browser.watched_page import NARROW, WatchedPages, first_hit
from trapline.app.web.pages.federation.engines_page import EngineRow
from trapline.app.web.server import bind

TIME_OUT = "did not answer within 2 s"
ATTACK = "<img src=x onerror=window.hacked=1>"
Open = Callable[..., Page]


@pytest.fixture(scope="module")
def broker_server(crawled: Path, figures: None) -> Iterator[BrokerServer]:
    with BrokerServer(crawled, bind(0)) as server:
        yield server


@pytest.fixture
def broker(broker_server: BrokerServer) -> ScriptedBroker:
    """As new: what one test has put into its script is no other test's."""
    fresh = ScriptedBroker(broker_server.served)
    broker_server.broker.__dict__.update(fresh.__dict__)
    return broker_server.broker


@pytest.fixture
def ask(pages: WatchedPages, broker_server: BrokerServer) -> Open:
    """A question put to the broker. Time stands still in the page, unless it `runs`: however busy
    the machine is, nobody has begun to read only because a second has passed.
    """

    def stop_time(page: Page) -> None:
        page.clock.install()
        page.clock.pause_at(time.time() + 1.0)

    def ask(query: str = "search?q=space", runs: bool = False, **options: Any) -> Page:
        prepare = None if runs else stop_time
        return pages.open(broker_server.url + query, prepare, **options)

    return ask


def titles(page: Page) -> list[str]:
    return page.locator(".hit h3").all_inner_texts()


def top_of(page: Page) -> Any:
    """Where the first result begins; less than a pixel is no move."""
    box = page.locator(".hit").first.bounding_box()
    assert box is not None
    return pytest.approx(box["y"], abs=0.9)


def begin_to_read(page: Page) -> None:
    """With the pointer, as most people do."""
    expect(page.locator("#who-line")).to_contain_text("asking moons")
    box = page.locator(".hit .snippet").first.bounding_box()
    assert box is not None
    for step in (5, 15, 25):
        page.mouse.move(box["x"] + step, box["y"] + 5)


def test_own_results_are_there_before_anybody_else_answers(
    ask: Open, broker: ScriptedBroker
) -> None:
    broker.script = [(answered("moons"), {0: strange_hit("moons", 1)})]
    page = ask()
    expect(first_hit(page)).to_be_visible()
    expect(page.locator("#who-line")).to_have_text(
        "engine 3 ms · asking moons … · asking sun … · asking mars …"
    )
    assert "moons 1" not in titles(page)
    broker.go_on()
    expect(page.locator(".hit h3").first).to_have_text("moons 1")


def test_before_one_reads_the_best_are_put_where_they_belong(
    ask: Open, broker: ScriptedBroker
) -> None:
    broker.script = [
        (answered("moons"), {0: strange_hit("moons", 1)}),
        (answered("sun", 60.0), {1: strange_hit("sun", 1)}),
        (failed("mars", TIME_OUT), {}),
    ]
    page = ask()
    expect(page.locator("#who-line")).to_contain_text("asking moons")
    for _ in broker.script:
        broker.go_on()
    line = f"engine 3 ms · moons 41 ms · sun 60 ms · mars {TIME_OUT}"
    expect(page.locator("#who-line")).to_have_text(line)
    assert titles(page)[:2] == ["moons 1", "sun 1"]
    expect(page.locator("#better")).to_be_hidden()
    expect(page.locator("#said")).to_contain_text(line)
    expect(page.locator("#said")).to_have_attribute("role", "status")


def test_what_one_reads_keeps_its_place(ask: Open, broker: ScriptedBroker) -> None:
    broker.script = [
        (answered("moons"), {0: strange_hit("moons", 1), 2: strange_hit("moons", 2)}),
        (answered("sun"), {}),
        (failed("mars", TIME_OUT), {}),
    ]
    page = ask()
    begin_to_read(page)
    before = titles(page)
    top = top_of(page)
    for _ in broker.script:
        broker.go_on()
    offer = page.get_by_role("button", name="2 better results from moons — show")
    expect(offer).to_be_visible()
    expect(page.locator("#who-line")).to_contain_text(f"mars {TIME_OUT}")
    expect(page.locator("#said")).to_have_text("2 better results from moons")
    assert titles(page) == before
    assert top_of(page).expected == top
    assert faults(page) == {}
    offer.click()
    assert titles(page)[:3] == ["moons 1", before[0], "moons 2"]
    expect(first_hit(page)).to_be_focused()
    expect(offer).to_be_hidden()


def test_what_is_not_better_goes_below(ask: Open, broker: ScriptedBroker) -> None:
    broker.most_own = 3
    broker.script = [
        (answered("moons"), {3: strange_hit("moons", 1)}),
        (answered("sun"), {4: strange_hit("sun", 1, comparable=False)}),
    ]
    page = ask()
    begin_to_read(page)
    before = titles(page)
    broker.go_on()
    expect(page.locator(".hit h3")).to_have_count(4)
    broker.go_on()
    expect(page.locator(".hit h3")).to_have_count(5)
    assert titles(page) == [*before, "moons 1", "sun 1"]
    expect(page.locator("#better")).to_be_hidden()
    assert page.locator(".by-rank").count() == 1


def test_a_second_is_as_good_as_a_move(ask: Open, broker: ScriptedBroker) -> None:
    broker.script = [(answered("moons"), {0: strange_hit("moons", 1)})]
    page = ask()
    expect(page.locator("#who-line")).to_contain_text("asking moons")
    before = titles(page)
    page.clock.run_for(1100)
    broker.go_on()
    expect(page.locator("#better")).to_be_visible()
    assert titles(page) == before


@pytest.mark.parametrize("way", ["arrow", "scroll"])
def test_other_ways_to_begin(ask: Open, broker: ScriptedBroker, way: str) -> None:
    broker.script = [(answered("moons"), {0: strange_hit("moons", 1)})]
    page = ask()
    expect(page.locator("#who-line")).to_contain_text("asking moons")
    if way == "arrow":
        page.locator("#q").focus()
        page.keyboard.press("ArrowDown")
        expect(first_hit(page)).to_be_focused()
    else:
        page.evaluate(
            """() => new Promise((done) => {
                addEventListener("scroll", done, { once: true });
                scrollBy(0, 120);
            })"""
        )
    before = titles(page)
    broker.go_on()
    expect(page.locator("#better")).to_be_visible()
    assert titles(page) == before


def test_a_new_question_ends_the_old_one(ask: Open, broker: ScriptedBroker) -> None:
    broker.script = [(answered("moons"), {0: strange_hit("moons", 1)})]
    page = ask()
    expect(page.locator("#who-line")).to_contain_text("asking moons")
    broker.script = [(answered("sun"), {0: strange_hit("sun", 1)})]
    page.locator("#q").fill("orbit")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Results for orbit")
    expect(page.locator("#who-line")).to_contain_text("asking moons")
    broker.go_on()
    broker.go_on()
    expect(page.locator(".hit h3", has_text="sun 1")).to_be_visible()
    assert "moons 1" not in titles(page)


def test_while_one_types_others_are_left_in_peace(
    ask: Open, broker: ScriptedBroker
) -> None:
    broker.script = [(answered("moons"), {0: strange_hit("moons", 1)})]
    page = ask("")
    for typed in ("s", "sp", "spa", "spac", "space"):
        page.keyboard.type(typed[-1])
        with page.expect_response(f"**/search?q={typed}"):
            page.clock.run_for(150)
    expect(page.locator("h1")).to_have_text("Results for space")
    assert all(wish.engines == ("own",) for wish in broker.asked)
    page.clock.run_for(700)
    expect(page.locator("#who-line")).to_contain_text("asking moons")
    assert [wish.engines for wish in broker.asked].count(()) == 1
    broker.go_on()
    expect(page.locator("#who-line")).to_contain_text("moons 41 ms")


def test_who_holds_it_and_what_can_be_done_with_it(
    ask: Open, broker: ScriptedBroker
) -> None:
    both = strange_hit("moons", 1, origins=("moons", "sun"))
    broker.script = [(answered("moons"), {0: both})]
    broker.at_once = True
    page = ask()
    first = page.locator(".hit").first
    expect(first.locator(".origins")).to_have_text("from moons, sun")
    expect(first.get_by_role("link", name="Cached text")).to_have_count(0)
    expect(first.get_by_role("link", name="Why and when")).to_have_count(0)
    own = page.locator(".hit").nth(1)
    expect(own.locator(".origins")).to_have_text("from engine")
    expect(own.get_by_role("link", name="Cached text")).to_be_visible()


def test_what_is_opened_is_told_to_the_broker(
    ask: Open, broker: ScriptedBroker
) -> None:
    broker.script = [(answered("moons"), {0: strange_hit("moons", 1)})]
    broker.at_once = True
    page = ask()
    expect(page.locator(".hit h3").first).to_have_text("moons 1")
    page.evaluate("document.addEventListener('click', e => e.preventDefault())")
    with page.expect_response("**/api/result-opened") as told:
        first_hit(page).click()
    assert told.value.status == 204
    assert broker.opened == [{"q": "space", "url": "https://moons.example/1"}]


def test_strangers_words_are_words(ask: Open, broker: ScriptedBroker) -> None:
    bad = strange_hit("moons", 1, title=ATTACK, origins=(ATTACK, "moons"))
    script = strange_hit("moons", 2, url="javascript:window.hacked=1")
    broker.script = [
        (answered("moons"), {0: bad, 1: script}),
        (failed("mars", ATTACK), {}),
    ]
    broker.at_once = True
    page = ask()
    expect(page.locator(".hit h3").first).to_have_text(ATTACK)
    expect(page.locator("#who-line")).to_contain_text(f"mars {ATTACK}")
    assert page.locator("a[href^=javascript]").count() == 0
    assert page.locator("#answers img").count() == 0
    assert page.evaluate("window.hacked") is None
    page.locator("#who summary").click()
    assert faults(page) == {}


def test_results_are_limited_to_engines(ask: Open, broker: ScriptedBroker) -> None:
    broker.script = [
        (answered("moons"), {0: strange_hit("moons", 1)}),
        (answered("sun"), {0: strange_hit("sun", 1)}),
    ]
    broker.at_once = True
    page = ask()
    page.locator("#filter-engines summary").click()
    page.get_by_label("moons").check()
    expect(page).to_have_url(re.compile(r"q=space&engines=moons$"))
    expect(page.locator(".hit h3")).to_have_text(["moons 1"])
    expect(page.get_by_label("moons")).to_be_focused()
    page.get_by_label("sun").check()
    expect(page).to_have_url(re.compile(r"q=space&engines=moons%2Csun$"))
    expect(page.locator(".hit h3")).to_have_text(["sun 1", "moons 1"])
    expect(page.locator(".chosen")).to_have_text("moons, sun")
    assert broker.asked[-1].engines == ("moons", "sun")
    assert faults(page) == {}
    page.keyboard.press("Escape")
    expect(page.get_by_label("sun")).to_be_hidden()
    page.get_by_role("link", name="Clear filters").click()
    expect(page.locator(".chosen")).to_have_text("all engines")


def test_an_engine_that_is_gone_is_said(
    pages: WatchedPages, ask: Open, broker: ScriptedBroker
) -> None:
    pages.forgiven = ("Failed to load resource",)
    page = ask("search?q=space&engines=pluto")
    expect(page.get_by_role("alert")).to_contain_text("pluto")
    expect(page.get_by_role("alert")).to_contain_text("moons")


def test_nothing_here_and_something_there(ask: Open, broker: ScriptedBroker) -> None:
    broker.script = [(answered("moons"), {0: strange_hit("moons", 1)})]
    page = ask("search?q=qqqzzz")
    expect(page.get_by_role("heading", name="Asking other engines")).to_be_visible()
    broker.go_on()
    expect(page.locator(".hit h3")).to_have_text(["moons 1"])
    expect(page.locator(".filters")).to_be_visible()


def test_nothing_anywhere(ask: Open, broker: ScriptedBroker) -> None:
    broker.script = [(failed("mars", TIME_OUT), {})]
    broker.at_once = True
    page = ask("search?q=qqqzzz")
    expect(page.get_by_role("heading", name="Nothing found")).to_be_visible()
    assert faults(page) == {}


def test_without_scripts_the_page_waits_for_all(
    ask: Open, broker: ScriptedBroker
) -> None:
    broker.script = [
        (answered("moons"), {0: strange_hit("moons", 1)}),
        (failed("mars", TIME_OUT), {}),
    ]
    broker.at_once = True
    page = ask(runs=True, java_script_enabled=False)
    expect(page).to_have_url(re.compile(r"wait=1$"))
    expect(page.locator(".hit h3").first).to_have_text("moons 1")
    expect(page.locator("#who-line")).to_contain_text(f"mars {TIME_OUT}")
    page.locator("#filter-engines summary").click()
    page.get_by_label("moons").check()
    page.get_by_role("button", name="Apply").click()
    expect(page).to_have_url(re.compile(r"engines=moons.*wait=1$"))
    expect(page.locator(".hit h3")).to_have_text(["moons 1"])


def test_a_stream_that_breaks_is_said(
    pages: WatchedPages, ask: Open, broker: ScriptedBroker
) -> None:
    pages.forgiven = ("Failed to load resource",)
    page = ask("", runs=True)
    page.route("**/search/stream?*", lambda route: route.abort())
    page.keyboard.type("space")
    page.keyboard.press("Enter")
    expect(page.locator("#who-line")).to_contain_text("could not be heard")
    expect(first_hit(page)).to_be_visible()


def test_a_longer_reason_moves_nothing_on_a_phone(
    ask: Open, broker: ScriptedBroker
) -> None:
    broker.script = [(failed("moons", f"{TIME_OUT} or in any time after it"), {})]
    page = ask("search?q=space&engines=own,moons", viewport=NARROW)
    begin_to_read(page)
    top = top_of(page)
    broker.go_on()
    expect(page.locator("#who-line")).to_contain_text(TIME_OUT)
    assert top_of(page).expected == top


def test_nothing_moves_sideways_on_a_phone(ask: Open, broker: ScriptedBroker) -> None:
    long_name = "engine-with-a-name-of-sixty-characters-that-nobody-can-abbrev"
    broker.script = [
        (answered("moons"), {0: strange_hit("moons", 1, origins=(long_name, "moons"))}),
        (failed("mars", f"{TIME_OUT} {'x' * 200}"), {}),
    ]
    page = ask()
    page.set_viewport_size(NARROW)
    begin_to_read(page)
    top = top_of(page)
    broker.go_on()
    broker.go_on()
    expect(page.locator("#better")).to_be_visible()
    assert top_of(page).expected == top
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="1 better result").click()
    assert faults(page) == {}


def test_the_engines_that_are_known(ask: Open, broker: ScriptedBroker) -> None:
    broker.rows = [
        EngineRow(
            "moons",
            "3f2a91bc",
            "https://moons.example",
            topic="moons and their orbits",
            pages=12345,
            languages=(("en", 9000), ("de", 300)),
            fresh=0.93,
            heard_s=1_789_999_990.0,
            answer_ms=41.0,
            record=1.07,
        ),
        EngineRow(
            f"mars·{'0' * 8}",
            "0" * 8,
            "javascript:window.hacked=1",
            topic=ATTACK,
            trouble=TIME_OUT,
            findings=[FOUND],
        ),
    ]
    page = ask("engines")
    row = page.get_by_role("row", name=re.compile("moons"))
    for said in ("3f2a91bc", "12,345", "en, de", "93 %", "41 ms", "1.1", "is asked"):
        expect(row).to_contain_text(said)
    mars = page.get_by_role("row", name=re.compile("mars")).first
    expect(mars).to_contain_text(f"left alone: {TIME_OUT}")
    expect(mars).to_contain_text(ATTACK)
    expect(page.get_by_text("inflated scores")).to_be_visible()
    expect(page.get_by_role("link", name="http://directory.example/")).to_be_visible()
    assert page.locator("a[href^=javascript]").count() == 0
    assert faults(page) == {}


def test_where_nobody_else_is_known(ask: Open, broker: ScriptedBroker) -> None:
    broker.rows = []
    page = ask()
    expect(page.locator("#who-line")).to_have_text("engine 3 ms")
    page.goto(page.url.partition("search")[0] + "engines")
    expect(page.get_by_text("No other engine is known yet")).to_be_visible()
    assert faults(page) == {}


def test_the_first_page_says_how_many_there_are(
    ask: Open, broker: ScriptedBroker
) -> None:
    page = ask("")
    tagline = page.locator(".tagline")
    expect(tagline).to_contain_text("and 3 other engines")
    assert faults(page) == {}
    tagline.get_by_role("link", name="3 other engines").click()
    expect(page.get_by_role("heading", name="Engines", exact=True)).to_be_visible()
