"""What an answer consists of: words, tongues, snippets, copies, facets, cursors, spelling."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from trapline.core.errors import BadNumber, BadQuery
from trapline.core.records import Kind, Outcome, Page, Visit
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.search.hits import Fragment, Hit
from trapline.search.index import FullTextIndex
from trapline.search.query_processor import QueryProcessor
from trapline.search.questions import Answer, FacetValue, Question, Sort
from trapline.stores.memory import MemoryStore

DAY_S = 86_400.0
NOW_S = 2_000 * DAY_S
HOSTS = ("a.org:80", "docs.b.org:443")


class Collection:
    """Pages put in one by one, and asked for."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        rows = [HostRow(n, name, f"http://{name}/") for n, name in enumerate(HOSTS)]
        self.store.commit(Batch(hosts=rows))
        self.index = FullTextIndex(None)
        self.processor = QueryProcessor(self.index, self.store, now=lambda: NOW_S)
        self._count = 0

    def put(
        self,
        title: str,
        text: str,
        host: int = 0,
        language: str = "en",
        same_as: int = -1,
        changed_s: float = NOW_S,
        relevance: float = 0.5,
    ) -> int:
        number = self._count
        self._count += 1
        scheme = "https" if HOSTS[host].endswith("443") else "http"
        url = f"{scheme}://{HOSTS[host].partition(':')[0]}/{number}"
        page = Page(
            number,
            url,
            title,
            text,
            relevance,
            1,
            "",
            "",
            changed_s,
            changed_s,
            language,
            same_as=same_as,
        )
        self.store.commit(Batch(urls=[UrlRow(number, url, host)], pages=[page]))
        return number

    def ask(self, text: str, **wishes: object) -> Answer:
        self.index.catch_up(self.store)
        return self.processor.ask(replace(Question(text), **wishes))  # type: ignore[arg-type]

    def pages(self, text: str, **wishes: object) -> list[int]:
        return [hit.page for hit in self.ask(text, **wishes).hits]


@pytest.fixture
def there() -> Collection:
    return Collection()


def shown(fragments: tuple[Fragment, ...]) -> str:
    return "".join(f"[{f.text}]" if f.is_match else f.text for f in fragments)


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


# Snippets


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


def test_misspelt_words(there: Collection) -> None:
    for number in range(5):
        there.put(f"Part {number}", "Levels of transaction isolation.")
    answer = there.ask("tranzaction isolatoin")
    assert answer.meant == "transaction isolation"
    assert len(answer.hits) == 5
    assert there.ask("transaction").meant == ""
    assert there.ask("host:a.org +tranzaction").meant == "host:a.org +transaction"


def test_suggestions(there: Collection) -> None:
    there.put("Transaction Isolation", "Levels.")
    there.put("Transitive closure", "Sets.")
    assert there.processor.suggest("trans") == []  # not put in yet
    there.ask("x")
    assert there.processor.suggest("trans")[:2] == [
        "Transitive closure",
        "Transaction Isolation",
    ]
    assert there.processor.suggest("transaction is")[0] == "Transaction Isolation"
    for strange in ("", "   ", '"', "a" * 5000, "文" * 900, "\ud800", "[.*", "+-"):
        there.processor.suggest(strange)


def test_factors_add_up_to_the_score(there: Collection) -> None:
    there.put("The moon", "A moon orbits.", relevance=1.0)
    there.put("Mars", "Mars has moons.")
    for hit in there.ask("moon orbit", explain=True).hits:
        points = sum(factor.points for factor in hit.factors)
        assert points == pytest.approx(hit.score, abs=1e-4)
        assert {"text", "closeness", "cover", "title", "relevance"} <= names_in(hit)
    assert there.ask("moon").hits[0].factors == ()


def test_whole_texts_are_marked(there: Collection) -> None:
    number = there.put("Moon", "One line.\nThe moons <i>here</i>.")
    there.ask("moon")
    page = there.store.page(number)
    assert page is not None
    marked = there.processor.mark_text(page, "the moon")
    assert list(map(shown, marked)) == ["One line.", "The [moons] <i>here</i>."]
