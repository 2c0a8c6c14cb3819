"""Did you mean: which words are corrected, and at what price."""

from __future__ import annotations

import pytest

from tests.unit.search.small_collection import Collection
from trapline.search.questions import Sort
from trapline.search.ranking import spelling
from trapline.search.ranking.spelling import MOST_COMPARED, MOST_UNKNOWN, edit_distance


@pytest.fixture
def there() -> Collection:
    there = Collection()
    for number in range(5):
        there.put(f"Part {number}", "Levels of transaction isolation in long space.")
        there.put(f"Merge {number}", "How to merge a branch.")
        there.put(f"Conflict {number}", "On a conflict do nothing, on conflict.")
    there.put("Zebras", "Nothing about comets here: a tranzit.")
    return there


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The words that are compared letter by letter."""
    words: list[str] = []

    def count(one: str, other: str, most: int) -> int:
        words.append(one)
        return edit_distance(one, other, most)

    monkeypatch.setattr(spelling, "edit_distance", count)
    return words


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("tranzaction isolatoin", "transaction isolation"),
        ("transaction", ""),
        ("transactions", ""),
        ("host:a.org +tranzaction", "host:a.org +transaction"),
        ('"TRANZACTION isolation" -x', '"transaction isolation" -x'),
        ("xpace", "space"),
        ("psace", "space"),
        ("pace", "space"),
        ("sspace", "space"),
        ("sapce", "space"),
        ("spac", "space"),
        ("zebra", ""),  # only a title has it
        ("lang:en space", ""),
        ("title:spase host:mergge site:brench changed:>conflct", ""),
        ("space -mergge -conflct", ""),
    ],
)
def test_what_is_corrected(there: Collection, query: str, meant: str) -> None:
    assert there.ask(query).meant == meant


def test_filters_stay(there: Collection) -> None:
    answer = there.ask("lang:de spase")
    assert (answer.meant, answer.total) == ("lang:de space", 0)
    assert there.ask("spase", language="de").total == 0
    assert there.ask("host:a.org spase").total == 5


def test_a_word_that_no_page_has_is_answered_corrected(there: Collection) -> None:
    answer = there.ask("mrege conflict")
    assert (answer.meant, answer.corrected) == ("merge conflict", True)
    assert {hit.title.split()[0] for hit in answer.hits} == {"Merge", "Conflict"}
    rest = there.ask("mrege conflict", limit=4, offset=4)
    assert [hit.page for hit in rest.hits] == [hit.page for hit in answer.hits[4:8]]
    cursor = there.ask("mrege conflict", limit=4).cursor
    assert there.ask("mrege conflict", limit=4, cursor=cursor).hits == rest.hits


def test_a_rare_word_is_answered_as_it_was_typed(there: Collection) -> None:
    for number in range(25):
        there.put(f"More {number}", "They transit.")
    answer = there.ask("tranzit")
    assert (answer.meant, answer.corrected) == ("transit", False)
    assert [hit.title for hit in answer.hits] == ["Zebras"]


def test_misspelt_words_in_order_of_date(there: Collection) -> None:
    answer = there.ask("mrege brench", sort=Sort.CHANGED)
    assert (answer.meant, answer.total) == ("merge branch", 5)


def test_many_unknown_words_are_left_alone(
    there: Collection, compared: list[str]
) -> None:
    unknown = [f"transac{letter}ion" for letter in "abdefghijklm"]
    assert there.ask(" ".join(unknown)).meant == ""
    assert compared == []
    assert there.ask(" ".join(unknown[:MOST_UNKNOWN])).meant != ""
    assert set(compared) == set(unknown[:MOST_UNKNOWN])


def test_a_word_is_compared_with_few_and_only_once(
    there: Collection, compared: list[str]
) -> None:
    names = [
        f"trans{one}{two}tion"
        for one in "abcdefghijklmnop"
        for two in "abcdefghijklmnop"
    ]
    strangers = [f"tr{one}zzq{one}kk" for one in "abcdefghij"]
    for _ in range(3):
        there.put("Names", " ".join(names * 2 + strangers * 2))
    there.ask("tranzaktion")
    assert 0 < len(compared) <= 2 * MOST_COMPARED
    compared.clear()
    there.ask("a tranzaktion")
    assert compared == []
    there.put("New", "Something tranzlates.")
    there.ask("tranzaktion")  # another index
    assert compared != []
