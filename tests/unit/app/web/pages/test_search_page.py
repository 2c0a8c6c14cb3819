"""The search page, by what the answer says."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from trapline.app.web.pages.engine_light import Engine
from trapline.app.web.pages.search.cached_page import LONGEST, cached_page
from trapline.app.web.pages.search.search_hints import Named, hints_of
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
    factors = (Factor("closeness", 0.5, 1.25), Factor("names", 0.0, 0.0))
    hit = replace(HIT, factors=factors)
    text = answered(Answer([hit], 1, 0.0))
    details = re.search("<details>.*</details>", text)
    assert details and "words that stand close together" in details[0]
    assert "+1.25" in details[0] and "what others call it" not in details[0]
    assert "<details>" not in answered()


def facets_of(languages: list[FacetValue]) -> Facets:
    hosts = [FacetValue("a.org", 1200), FacetValue("b.org", 1)]
    return Facets(hosts, languages, [FacetValue("day", 3), FacetValue("month", 4)])


EN = FacetValue("en", 7)
DE = FacetValue("de", 1)


def test_filters_say_how_many_there_are() -> None:
    text = answered(replace(ANSWER, facets=facets_of([EN, DE])))
    for said in ("a.org (1,200)", "en (7)", "the last day (3)"):
        assert said in text


def test_the_last_month_holds_the_last_day() -> None:
    text = answered(replace(ANSWER, facets=facets_of([EN])))
    assert "the last month (7)" in text
    assert "the last week" not in text and "more than a year" not in text


def test_what_selects_nothing_is_not_offered() -> None:
    assert ">Language<" not in answered(replace(ANSWER, facets=facets_of([EN])))
    assert "<select" not in answered(Answer([], 0, 0.0, facets=Facets([], [], [])))
    filtered = View("moon", host="a.org")
    assert "<select" in answered(Answer([], 0, 0.0), view=filtered)


def test_a_language_is_told_where_there_are_several() -> None:
    assert "<li>en</li>" not in answered(replace(ANSWER, facets=facets_of([EN])))
    assert "<li>en</li>" in answered(replace(ANSWER, facets=facets_of([EN, DE])))


def test_the_pager_says_where_one_is() -> None:
    text = answered(replace(ANSWER, total=387), View("moon", page=2))
    assert "Page 2 of 39" in text and 'rel="prev"' in text and 'rel="next"' in text
    assert "Page 1 of" not in answered()


def test_the_cached_text_leads_back_to_the_same_results() -> None:
    view = View("moon", host="a.org", sort=Sort.CHANGED, page=2)
    assert "/cached/3?q=moon&amp;host=a.org&amp;sort=changed&amp;page=2" in answered(
        view=view
    )
    page = Page(3, "http://a/", "Moon", "", 0.5, 1, "", "", NOW_S, NOW_S)
    text = cached_page(ENGINE, page, [], view, NOW_S)
    assert "/search?q=moon&amp;host=a.org&amp;sort=changed&amp;page=2" in text


def test_hints_are_of_the_collection() -> None:
    hints = hints_of([Named("About orbit insertion", "a.org")])
    text = home_page(ENGINE, [], hints, NOW_S)
    assert "/search?q=%22orbit+insertion%22" in text and "host:a.org" in text
    assert "hints" not in home_page(ENGINE, [], hints_of([]), NOW_S)


def test_nothing_found_offers_what_there_is() -> None:
    nothing = Answer([], 0, 0.0)
    text = answer_page(View("mooon", host="a.org"), ENGINE, nothing, NOW_S, ["moon"])
    assert "/search?q=moon&amp;host=a.org" in text and "/dashboard" in text


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
    assert said in home_page(engine, [], [], NOW_S)
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
    assert older.changed_to_s == NOW_S - 366 * 86_400.0


def test_of_a_book_the_beginning_is_shown() -> None:
    page = Page(1, "http://a/", "Book", "", 0.5, 1, "", "", NOW_S, NOW_S)
    line = (Fragment("word " * 1000, False),)
    text = cached_page(ENGINE, page, [line] * 100, View("word"), NOW_S)
    assert "The rest is not shown" in text
    assert len(text) < LONGEST + 10_000
    assert "The rest" not in cached_page(ENGINE, page, [line], View(), NOW_S)
