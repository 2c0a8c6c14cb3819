"""The search page, by what the answer says."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.search.cached_page import LONGEST, cached_page
from trapline.app.web.pages.search.search_page import answer_page, home_page
from trapline.app.web.pages.search.search_view import Age, View
from trapline.core.records import Page
from trapline.search.hits import Factor, Fragment, Hit
from trapline.search.questions import Answer, Facets, FacetValue, Sort

NOW_S = 1_700_000_000.0
ENGINE = Engine("engine", held=5, known=9, fringe=4, at_work=False)
HIT = Hit(
    3,
    "http://a.org:81/b",
    "The Moon",
    (Fragment("the ", False), Fragment("moon", True)),
    1.0,
    1.0,
    NOW_S - 90.0,
    host="a.org:81",
    language="en",
    changed_s=NOW_S - 7200.0,
    marked_title=(Fragment("The ", False), Fragment("Moon", True)),
)
ANSWER = Answer([HIT], 1, 0.002)


def answered(
    answer: Answer = ANSWER, view: View | None = None, engine: Engine = ENGINE
) -> str:
    return answer_page(view or View("moon"), engine, answer, NOW_S)


def test_a_result_says_where_and_how_old() -> None:
    text = answered()
    assert "The <mark>Moon</mark>" in text and "the <mark>moon</mark>" in text
    assert "<bdi>a.org:81</bdi>" in text
    assert "2 hours ago" in text
    assert '/cached/3?q=moon"' in text
    assert "/why?url=http%3A%2F%2Fa.org%3A81%2Fb" in text
    assert "/search?q=moon&amp;host=a.org%3A81" in text


def test_relevance_is_no_fact_of_a_result() -> None:
    assert "relevance" not in answered()


def test_did_you_mean_keeps_the_filters() -> None:
    view = View("mooon", host="a.org")
    text = answered(replace(ANSWER, meant="moon"), view)
    assert 'Did you mean <a href="/search?q=moon&amp;host=a.org">moon</a>?' in text


def test_factors_are_behind_a_summary() -> None:
    hit = replace(HIT, factors=(Factor("closeness", 0.5, 1.25),))
    text = answered(Answer([hit], 1, 0.0))
    details = re.search("<details>.*</details>", text)
    assert details and "closeness" in details[0] and "+1.25" in details[0]
    assert "<details>" not in answered()


def test_filters_say_how_many_there_are() -> None:
    facets = Facets(
        [FacetValue("a.org", 1200)], [FacetValue("en", 7)], [FacetValue("day", 3)]
    )
    text = answered(replace(ANSWER, facets=facets))
    for said in ("a.org (1,200)", "en (7)", "the last day (3)"):
        assert said in text


def test_what_is_chosen_stays_to_be_seen() -> None:
    view = View("moon", host="gone.org", age=Age.WEEK, sort=Sort.CHANGED)
    text = answered(view=view)
    for value in ("gone.org", "week", "changed"):
        assert f'<option value="{value}" selected>' in text
    assert "Clear filters" in text


def test_a_result_without_a_title_is_named_by_its_url() -> None:
    text = answered(Answer([replace(HIT, title="", marked_title=())], 1, 0.0))
    assert ">http://a.org:81/b</a>" in text


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (replace(ENGINE, held=0), "This collection is empty"),
        (replace(ENGINE, held=0, at_work=True), "first pages are on their way"),
    ],
)
def test_an_empty_collection(engine: Engine, said: str) -> None:
    assert said in home_page(engine, [], NOW_S)
    assert said in answered(Answer([], 0, 0.0), engine=engine)


def test_nothing_found_while_the_robot_is_at_work() -> None:
    text = answered(Answer([], 0, 0.0), engine=replace(ENGINE, at_work=True))
    assert "Nothing found" in text and "4 pages wait to be fetched" in text
    assert "still crawling" not in answered(Answer([], 0, 0.0))


def test_results_while_the_robot_is_at_work() -> None:
    assert "still crawling" in answered(engine=replace(ENGINE, at_work=True))
    assert "still crawling" not in answered()


def test_beyond_the_last_result() -> None:
    text = answered(Answer([], 12, 0.0), View("moon", page=9))
    assert "no more results" in text


def test_the_question_of_a_view() -> None:
    question = View("moon", age=Age.WEEK, page=3).question(NOW_S)
    assert (question.offset, question.limit) == (20, 10)
    assert question.changed_from_s == NOW_S - 7 * 86_400.0
    older = View("moon", age=Age.OLDER).question(NOW_S)
    assert older.changed_from_s is None
    assert older.changed_to_s == NOW_S - 365 * 86_400.0


def test_of_a_book_the_beginning_is_shown() -> None:
    page = Page(1, "http://a/", "Book", "", 0.5, 1, "", "", NOW_S, NOW_S)
    line = (Fragment("word " * 1000, False),)
    text = cached_page(ENGINE, page, [line] * 100, View("word"), NOW_S)
    assert "The rest is not shown" in text
    assert len(text) < LONGEST + 10_000
    assert "The rest" not in cached_page(ENGINE, page, [line], View(), NOW_S)
