"""What an answer consists of: words, tongues, snippets, copies, facets, cursors, spelling."""

from __future__ import annotations

import math

import pytest

from tests.unit.search.small_collection import DAY_S, NOW_S, Collection, shown
from trapline.core.errors import BadNumber, BadQuery
from trapline.core.records import Kind, Outcome, Visit
from trapline.core.storage import Batch
from trapline.search.hits import Hit
from trapline.search.questions import FacetValue, Sort


@pytest.fixture
def there() -> Collection:
    return Collection()


def names_in(hit: Hit) -> set[str]:
    return {factor.name for factor in hit.factors}


# Words


def test_words_of_a_question_are_wished_for(there: Collection) -> None:
    there.put("Backups", "Copy the database while the server is running.")
    there.put("Why", "How do I do what my mother told me to do? I do what I do.")
    assert there.pages("how do I back up my running server database")[0] == 0


def test_words_that_stand_together_count(there: Collection) -> None:
    there.put("A", "A river bank. " + "Filler words are here. " * 9 + "An account.")
    there.put("B", "A bank account. " + "Filler words are here. " * 9 + "A river.")
    assert there.pages("bank account")[0] == 1


def test_a_title_that_is_asked_for_comes_first(there: Collection) -> None:
    there.put("Notes on everything", "vacuum " * 30)
    there.put("Vacuum", "Vacuum reclaims space.")
    assert there.pages("vacuum")[0] == 1


def test_what_others_call_a_page(there: Collection) -> None:
    there.put("Chapter 7", "Concerning the treatment of felines.")
    there.put("Index", "See elsewhere.")
    assert there.pages("cats") == []
    there.store.commit(Batch(texts=[(1, [(0, "All about cats")])]))
    assert there.pages("cats") == [0]


# Tongues


def test_each_language_has_its_own_stems(there: Collection) -> None:
    there.put("Wohnen", "Die Häuser stehen am Rand der Stadt.", language="de")
    there.put("Search", "全文検索は速い。", language="ja")
    there.put("Death", "Old soldiers die.")
    (hit,) = there.ask("haus").hits
    assert shown(hit.snippet) == "Die [Häuser] stehen am Rand der Stadt."
    assert there.pages("検索") == [1]
    assert there.pages("die")[0] == 2  # a stop word in German only
    assert there.pages("die", language="en") == [2]


@pytest.mark.parametrize(
    ("query", "marked"),
    [
        ("İstanbul", "[İstanbul]"),
        ("istanbul", "[İstanbul]"),
        ("ecole", "[école]"),
        ("élèves", "[élèves]"),
        ("eleve", "[élèves]"),
        ("resume", "[résumé]"),
        ("re\u0301sume\u0301", "[résumé]"),
        ("ｖａｃｕｕｍ", "[vacuum]"),
        ("vacuum", "[ｖａｃｕｕｍ]"),
        ("डेटाबेस", "[डेटाबेस]"),
        ("संग्रह", "[संग्रह]"),
        ("ฐานข้อมูล", "[ข][้][อ]"),
        ('"ข้อมูล"', "[ข้อมูล]"),
    ],
)
def test_words_are_cut_alike_in_queries_pages_and_marks(
    there: Collection, query: str, marked: str
) -> None:
    there.put("A", "Burada İstanbul var.", language="tr")
    there.put("B", "À l'école des élèves.", language="fr")
    there.put("C", "Send a résumé.")
    there.put("D", "vacuum or ｖａｃｕｕｍ")
    there.put("E", "डेटाबेस एक संगठित संग्रह है", language="hi")
    there.put("F", "ฐานข้อมูลคือระบบ", language="th")
    (hit,) = there.ask(query).hits
    assert marked in shown(hit.snippet)


# Snippets


def test_a_phrase_is_in_its_snippet(there: Collection) -> None:
    text = "This is one page. " * 60 + "A note on this page. " + "That is a page. " * 60
    there.put("Notes", text)
    (hit,) = there.ask('"on this page"').hits
    assert "A note [on this page]." in shown(hit.snippet)


def test_all_words_of_a_snippet_are_marked(there: Collection) -> None:
    there.put("Notes", "The moon shines. " * 40 + "A moon on a comet.")
    for number in range(9):
        there.put(f"Moon {number}", "A moon.")
    hit = next(hit for hit in there.ask("moon comet").hits if hit.page == 0)
    assert "A [moon] on a [comet]." in shown(hit.snippet)
    assert " moon" not in shown(hit.snippet)


def test_snippets_mark_what_tells(there: Collection) -> None:
    there.put("On the moon", "Nothing.\nIt is on the moon that <b>dust</b> lies. " * 3)
    (hit,) = there.ask("what is on the moon").hits
    assert shown(hit.marked_title) == "On the [moon]"
    assert "[moon]" in shown(hit.snippet)
    assert "[on]" not in shown(hit.snippet)
    assert "<b>dust</b>" in shown(hit.snippet)


def test_snippets_of_strange_texts(there: Collection) -> None:
    there.put("Long", "x" * 50_000 + " moon " + "y" * 50_000)
    there.put("İstanbul", "İİİİ moon ¶ of İstanbul")
    there.put("שלום", "שלום moon עולם")
    there.put("", "\n \n moon")
    hits = there.ask("moon").hits
    assert len(hits) == 4
    for hit in hits:
        assert "[moon]" in shown(hit.snippet)
        assert len(shown(hit.snippet)) < 500
        assert "¶" not in shown(hit.snippet)


def test_what_a_host_repeats_is_neither_shown_nor_counted(there: Collection) -> None:
    for number in range(12):
        text = f"Small fast reliable\nSubject number {number} is treated here.\nImprint"
        there.put(f"Subject {number} - Example Docs", text)
    assert there.pages("reliable") == []
    hit = there.ask("subject 7").hits[0]
    assert (hit.title, hit.page) == ("Subject 7", 7)
    assert shown(hit.snippet).startswith("[Subject] number [7]")
    page = there.store.page(7)
    assert page is not None
    assert there.processor.repeated_lines(page) == {0, 2}


def test_furniture_learnt_late_is_taken_out_of_what_was_put_in_early(
    there: Collection,
) -> None:
    for number in range(14):
        there.put(f"Page {number}", f"Home of tales\nStory {number} goes on.")
        there.ask("story")
    assert len(there.pages("tales")) <= 2


# Copies


def test_copies_are_folded_but_not_lost(there: Collection) -> None:
    first = there.put("Series.to_csv", "Write to a file with commas.")
    copy = there.put("DataFrame.to_csv", "Write to a file with commas.", same_as=first)
    again = there.put("Series.to_csv", "Write to a file with commas.", same_as=first)
    (hit,) = there.ask("commas").hits
    assert (hit.page in (first, copy, again), hit.copies) == (True, 2)
    assert there.pages("DataFrame to_csv")[0] == copy
    assert there.pages("Series to_csv").count(again) == 0


@pytest.mark.parametrize("sort", Sort)
def test_a_mirror_does_not_stand_in_the_place_of_its_original(
    there: Collection, sort: Sort
) -> None:
    mirror = there.put("Comets", "Of comets.", same_as=2, changed_s=9.0)
    newer = there.put("Tails", "The tails of comets.", changed_s=5.0)
    original = there.put("Comets", "Of comets.", changed_s=2.0)
    assert (mirror, original) == (0, 2)
    pages = there.pages("comets", sort=sort)
    assert mirror not in pages
    assert original in pages
    if sort is Sort.CHANGED:
        assert pages == [newer, original]


def test_when_a_page_was_first_seen(there: Collection) -> None:
    number = there.put("Moon", "The moon.", changed_s=9.0)
    assert there.ask("moon").hits[0].first_seen_s == 9.0  # nothing else is known
    times = (1.0, 5.0, math.inf, Outcome.OK, 200, True, 0.5, "")
    there.store.commit(Batch(visits=[Visit(1, number, 0, Kind.PAGE, *times)]))
    assert there.ask("moon").hits[0].first_seen_s == 5.0


# Filters, facets, order


def test_filters_and_facets(there: Collection) -> None:
    there.put("Moon", "The moon.", changed_s=NOW_S - 0.5 * DAY_S)
    there.put("Mond", "Der Mond, moon.", host=1, language="de", changed_s=1.0)
    there.put("Moons", "Many moons.", host=1, changed_s=NOW_S - 3 * DAY_S)
    facets = there.ask("moon", facets=True).facets
    assert facets is not None
    assert facets.hosts == [FacetValue("docs.b.org", 2), FacetValue("a.org", 1)]
    assert dict(facets.languages) == {"en": 2, "de": 1}
    assert dict(facets.ages) == {"day": 1, "week": 1, "older": 1}
    assert there.pages("moon", host="a.org") == [0]
    assert sorted(there.pages("moon", host="b.org")) == [1, 2]
    assert there.pages("moon", language="de") == [1]
    assert there.pages("moon", changed_from_s=NOW_S - DAY_S) == [0]
    assert there.pages("moon", changed_to_s=2.0) == [1]
    assert there.pages("moon", sort=Sort.CHANGED) == [0, 2, 1]


def test_newest_first_needs_all_words(there: Collection) -> None:
    there.put("A", "moon landing", changed_s=1.0)
    there.put("B", "moon", changed_s=2.0)
    assert there.pages("the moon landing", sort=Sort.CHANGED) == [0]


def test_facets_count_the_documents_of_the_total(there: Collection) -> None:
    there.put("A", "moon landing", changed_s=1.0)
    there.put("B", "moon", host=1, changed_s=2.0)
    answer = there.ask("moon landing", sort=Sort.CHANGED, facets=True)
    assert answer.facets is not None
    assert (answer.total, answer.facets.hosts) == (1, [FacetValue("a.org", 1)])
    assert dict(answer.facets.ages) == {"older": 1}


def test_an_empty_collection_has_empty_facets(there: Collection) -> None:
    for query in ("moon", "*", ""):
        answer = there.ask(query, facets=True)
        assert answer.facets is not None
        facets = answer.facets
        assert (facets.hosts, facets.languages, facets.ages) == ([], [], [])


@pytest.mark.parametrize(
    ("filters", "problem"),
    [
        ({"language": "english"}, "two letters"),
        ({"host": "a.org/docs"}, "a host"),
        ({"host": "a b"}, "a host"),
    ],
)
def test_filters_that_cannot_be_read_are_named(
    there: Collection, filters: dict[str, str], problem: str
) -> None:
    with pytest.raises(BadQuery, match=problem):
        there.ask("moon", **filters)


def test_filters_as_people_write_them(there: Collection) -> None:
    there.put("Moon", "The moon.")
    there.put("Moons", "Many moons.", host=1, language="de")
    assert there.pages("moon", host="http://A.org/") == [0]
    assert there.pages("moon", language="de-AT") == [1]


def test_what_is_read_as_words_is_said(there: Collection) -> None:
    answer = there.ask("moon changed:>NaN lang:english -changed:2026")
    assert [remark.partition(": ")[0] for remark in answer.remarks] == [
        "changed:>NaN",
        "lang:english",
        "changed:2026",
    ]
    assert there.ask("moon changed:>2026 foo:bar").remarks == ()


def test_a_pasted_url_finds_its_page(there: Collection) -> None:
    for number in range(3):
        there.put(f"Page {number}", "a.org org http " * (3 - number))
    for url in ("http://a.org/2", "https://A.org/2#top", "a.org/2", "a.org/2/"):
        assert there.pages(url) == [2]
    assert there.pages("http://a.org/2", host="docs.b.org") == []
    assert len(there.pages("http://a.org/nowhere")) == 3  # words


# Paging


def test_a_cursor_keeps_its_order(there: Collection) -> None:
    for number in range(25):
        there.put(f"Page {number}", "moon " * (number + 1))
    first = there.ask("moon", limit=10)
    for number in range(5):
        there.put("Moon", f"moon moon moon {number}")  # these would come first now
    second = there.ask("moon", limit=10, cursor=first.cursor)
    third = there.ask("moon", limit=10, cursor=second.cursor)
    seen = [hit.page for part in (first, second, third) for hit in part.hits]
    assert sorted(seen) == list(range(25))
    assert third.cursor == ""


def test_whoever_reads_on_gets_to_the_end(there: Collection) -> None:
    for number in range(230):
        there.put(f"Page {number}", "moon and more")
    answer = there.ask("moon", limit=40)
    seen = [hit.page for hit in answer.hits]
    while answer.cursor:
        answer = there.ask("moon", limit=40, cursor=answer.cursor)
        seen += [hit.page for hit in answer.hits]
    assert sorted(seen) == list(range(230))


@pytest.mark.parametrize("cursor", ["x", "abc-1", "0123456789ab-", "0123456789ab--1"])
def test_wrong_cursors_are_named(there: Collection, cursor: str) -> None:
    with pytest.raises(BadQuery, match="cursor"):
        there.ask("moon", cursor=cursor)


def test_a_forgotten_cursor_goes_on_by_its_place(there: Collection) -> None:
    for number in range(25):
        there.put(f"Page {number}", "moon")
    assert len(there.ask("moon", cursor="0123456789ab-20").hits) == 5
    with pytest.raises(BadNumber):
        there.ask("moon", cursor="0123456789ab-999999")


# Help


def test_factors_add_up_to_the_score(there: Collection) -> None:
    there.put("The moon", "A moon orbits.", relevance=1.0)
    there.put("Mars", "Mars has moons.")
    for hit in there.ask("moon orbit", explain=True).hits:
        points = sum(factor.points for factor in hit.factors)
        assert points == pytest.approx(hit.score, abs=1e-4)
        assert {"text", "closeness", "spelling", "title", "relevance"} <= names_in(hit)
    assert there.ask("moon").hits[0].factors == ()


def test_factors_add_up_to_the_score_of_pages_far_down(there: Collection) -> None:
    for number in range(130):
        there.put(f"Page {number}", "moon and more " + "of it " * number)
    first = there.ask("moon", limit=70, explain=True)
    second = there.ask("moon", limit=70, cursor=first.cursor, explain=True)
    for hit in (*first.hits, *second.hits):
        points = sum(factor.points for factor in hit.factors)
        assert points == pytest.approx(hit.score, abs=1e-4)
    assert names_in(second.hits[-1]) == {"first look"}
    newest = there.ask("moon", sort=Sort.CHANGED, explain=True).hits[0]
    assert (newest.score, newest.factors) == (0.0, ())


def test_whole_texts_are_marked(there: Collection) -> None:
    number = there.put("Moon", "One line.\nThe moons <i>here</i>.")
    there.ask("moon")
    page = there.store.page(number)
    assert page is not None
    marked = there.processor.mark_text(page, "the moon")
    assert list(map(shown, marked)) == ["One line.", "The [moons] <i>here</i>."]


def test_words_just_as_they_are_spelt_count() -> None:
    """Of pages with the same stems the one that has the very word comes first."""
    pages = Collection()
    filler = "Here are some more words of a text that goes on for a while."
    pages.put("One", f"The robot is connecting. {filler}")
    wanted = pages.put("Two", f"The robot is connected. {filler}")
    pages.put("Three", f"The robot is connective. {filler}")
    assert pages.ask("connected").hits[0].page == wanted


def test_spelling_is_not_counted_once_for_every_tongue() -> None:
    pages = Collection()
    pages.put("Eins", "Der Roboter wandert durch die Welt und die Netze", language="de")
    pages.put("One", "The robot Roboter wanders through the world and its nets")
    (first, second) = pages.ask("Roboter", explain=True).hits
    for hit in (first, second):
        spelling = next(f for f in hit.factors if f.name == "spelling")
        assert spelling.value == 1.0


def test_a_title_that_the_text_does_not_repeat_is_found_by_it() -> None:
    pages = Collection()
    pages.put("Home", "Mars, long, stars and moons")
    wanted = pages.put("Long", "moon number one, moon number two")
    assert pages.ask("long").hits[0].page == wanted


def test_a_blank_filter_is_none() -> None:
    pages = Collection()
    page = pages.put("Long", "moon number one")
    assert pages.pages("moon", host="\u3000", language=" ") == [page]
