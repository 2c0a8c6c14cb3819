"""The results of a federation, by what the answer says."""

from __future__ import annotations

from dataclasses import replace

import pytest

from trapline.app.federation.asking.broker_answer import (
    BrokerAnswer,
    BrokerHit,
    EngineReport,
    EngineState,
)
from trapline.app.federation.asking.engine_choice import LIKELIER
from trapline.app.web.pages.asked_view import split_names
from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.search.engine_filter import EngineChoice, engine_filter
from trapline.app.web.pages.search.federated_page import (
    FederatedView,
    federated_page,
    federated_part,
)
from trapline.app.web.pages.search.search_view import View
from trapline.app.web.pages.search.who_answered import say_line, say_report
from trapline.search.hits import Fragment

NOW_S = 1_700_000_000.0
ENGINE = Engine("home", 5, 9, 4, False, is_broker=True, others=2)
CHOICES = (EngineChoice("home", "own"), EngineChoice("moons", "3f2a91bc"))
HIT = BrokerHit(
    -1,
    "https://a.org/b",
    "The Moon",
    (Fragment("moon", True),),
    1.0,
    0.0,
    0.0,
    origins=("moons", "sun"),
)


def report(name: str, state: EngineState, reason: str = "") -> EngineReport:
    return EngineReport(name, name, state, 41.0, reason=reason)


ANSWERED = report("moons", EngineState.ANSWERED)
HUNG = report("mars", EngineState.FAILED, "did not answer within 2 s")
ANSWER = BrokerAnswer([HIT], 1, 0.1, engines=(ANSWERED, HUNG))


def page_of(answer: BrokerAnswer = ANSWER, view: View | None = None) -> str:
    asked = FederatedView(view or View("moon"), ENGINE, CHOICES, NOW_S)
    return federated_page(asked, answer)


def test_a_strangers_page_has_no_links_of_ours() -> None:
    text = page_of()
    assert "from <bdi>moons</bdi>, <bdi>sun</bdi>" in text
    assert "Cached text" not in text and "Why and when" not in text
    assert "data-page" not in text
    assert "at an unknown time" not in text
    assert "Cached text" in page_of(replace(ANSWER, hits=[replace(HIT, page=3)]))


def test_what_cannot_be_compared_is_marked() -> None:
    assert "placed by rank" not in page_of()
    hits = [replace(HIT, comparable=False)]
    assert "placed by rank" in page_of(replace(ANSWER, hits=hits))


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://a"])
def test_only_links_of_the_web_are_made(url: str) -> None:
    text = page_of(replace(ANSWER, hits=[HIT, replace(HIT, url=url)]))
    assert url not in text
    assert text.count('class="hit"') == 1


def test_who_did_not_answer_is_said_with_the_reason() -> None:
    assert "moons 41 ms · mars did not answer within 2 s" in page_of()
    nameless = report("<b>", EngineState.FAILED, "<script>")
    text = page_of(replace(ANSWER, engines=(nameless,)))
    assert "&lt;b&gt; &lt;script&gt;" in text and "<script>" not in text


def test_of_many_engines_the_line_counts_those_that_answered() -> None:
    many = [report(f"e{n}", EngineState.ANSWERED) for n in range(6)]
    passed = report("sun", EngineState.NOT_ASKED, LIKELIER)
    answer = replace(ANSWER, engines=(*many, HUNG, passed))
    said = "6 of 7 engines answered within 41 ms · mars did not answer within 2 s"
    assert say_line(answer) == said
    awaited = replace(
        answer, engines=(*answer.engines, report("x", EngineState.AWAITED))
    )
    assert "asking 1 …" in say_line(awaited)
    assert say_report(passed) == f"sun was not asked: {LIKELIER}"


def test_an_engine_that_is_left_alone_is_news() -> None:
    alone = report("mars", EngineState.NOT_ASKED, "hung up; left alone for 5 s")
    line = say_line(replace(ANSWER, engines=(ANSWERED, alone)))
    assert line == "moons 41 ms · mars hung up; left alone for 5 s"


def test_as_long_as_somebody_is_awaited_the_page_says_where_to_hear() -> None:
    first = replace(ANSWER, complete=False, engines=(ANSWERED,))
    text = page_of(first, View("a&b", engines=("moons", "home")))
    address = "/search/stream?q=a%26b&amp;engines=moons%2Chome"
    assert f'data-stream="{address}"' in text
    assert "moons 41 ms · asking others …" in text
    go = '<noscript><meta http-equiv="refresh" content="0; url=/search?q=a%26b'
    assert go in text and "wait=1" in text
    whole = page_of()
    assert "data-stream" not in whole and "refresh" not in whole


def test_the_part_is_the_part_of_the_page() -> None:
    asked = FederatedView(View("moon"), ENGINE, CHOICES, NOW_S)
    assert federated_part(asked, ANSWER) in page_of()


def test_the_engines_that_are_chosen_stand_in_the_url() -> None:
    view = View("moon", engines=("moons", "gone"))
    assert view.link(page=2) == "/search?q=moon&engines=moons%2Cgone&page=2"
    assert view.link_without_filters() == "/search?q=moon"
    text = engine_filter(view, CHOICES)
    assert 'value="moons" form="ask" checked' in text
    assert 'value="gone" form="ask" checked' in text
    assert 'value="home" form="ask">' in text
    assert engine_filter(View("moon"), CHOICES[:1]) == ""


def test_a_name_that_a_url_cannot_have_is_chosen_by_its_fingerprint() -> None:
    text = engine_filter(View("x"), [*CHOICES, EngineChoice("a, b", "77aa")])
    assert 'value="77aa"' in text and "<bdi>a, b</bdi>" in text


def test_names_come_by_commas_or_one_by_one() -> None:
    assert split_names(["a,b", "c", "a", " "]) == ("a", "b", "c")
