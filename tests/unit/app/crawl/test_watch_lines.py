"""Lines of a list of pages to watch: what is a rule, what is the name, and what is a mistake."""

from __future__ import annotations

import pytest

from trapline.app.crawl.watch_lines import read_line
from trapline.app.rule_tables import WatchTable, threshold_of
from trapline.core.errors import UserMistake
from trapline.reading.rules.numbers import ANY
from trapline.reading.rules.reading_rules import Threshold

URL = "http://127.0.0.1:8/"


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("", ""),
        ("The first one", "The first one"),
        ("E=mc2 and a=b", "E=mc2 and a=b"),
        ("Tea and coffee select=h1", "Tea and coffee"),
        ('name="select=h1"', "select=h1"),
        ('"Green tea"', "Green tea"),
        ("'Green tea' select=h1", "Green tea"),
        ('"select=h1" select=h1', "select=h1"),
        ('The "best" tea', 'The "best" tea'),
        ('"Green" and "black"', '"Green" and "black"'),
        ("http://x/?select=1", "http://x/?select=1"),
    ],
)
def test_what_is_no_rule_is_the_name(line: str, name: str) -> None:
    assert read_line(f"{URL} {line}").name == name


def test_all_rules() -> None:
    page = read_line(
        f'{URL} select=h1 select="a > b" ignore=\'//p[@id="x y"]\' only_if="say \\"yes\\" \\d+" '
        "ignore_text=(?i)seen threshold=2.5% number=true above=10.5 below=-3 at_least=10min "
        "at_most=1d tags=a,b tags=c"
    )
    assert page.select == ["h1", "a > b"]
    assert page.ignore == ['//p[@id="x y"]']
    assert page.only_if == 'say "yes" \\d+'
    assert page.tags == ["a", "b", "c"]
    assert page.interval() == (600.0, 86400.0)
    rules = page.rules()
    assert (rules.number, rules.above, rules.below) == (ANY, 10.5, -3.0)
    assert rules.threshold == Threshold(share=0.025)
    assert rules.ignore_text == ("(?i)seen",)
    assert rules.watched


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("selct=h1", "did you mean select="),
        ("Slect=h1", "did you mean select="),
        ("select=div .price number=true", 'marks: select="div .price"'),
        ('name="A" B C', 'marks: name="A B C"'),
        ('select=//p[@id="x y"]', "marks: select='//p[@id=\"x y\"]'"),
        ("Tea select=h1 and coffee", "a name stands before the rules"),
        ("select=h1 E=mc2", "E=mc2 is no rule"),
        ("at_leest=1d", "did you mean at_least="),
        ("threshold=1.5", "like 5 or 2%"),
        ("above=nan number=true", "above: it must be a number"),
        ("at_most=0s", "at_most is nothing"),
        ("at_least=-1h", "like 10min"),
        ("number=((a)b)", "several groups"),
        ("only_if=*", "not a regular expression"),
        ("select=(//p", "not an XPath expression"),
        (f"select={'a' * 1001}", "longer than 1000"),
    ],
)
def test_mistakes(line: str, hint: str) -> None:
    with pytest.raises(UserMistake) as caught:
        read_line(f"{URL} {line}")
    assert hint in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("word", "number"),
    [("false", ""), ("False", ""), ("true", ANY), ("TRUE", ANY), (r"(\d+) EUR", None)],
)
def test_number_is_on_or_off_or_an_expression(word: str, number: str | None) -> None:
    page = read_line(f'{URL} number="{word}"')
    assert page.rules().number == (word if number is None else number)


def test_rules_may_be_written_in_capitals() -> None:
    page = read_line(f"{URL} Tea Select=h1 TAGS=a")
    assert (page.name, page.select, page.tags) == ("Tea", ["h1"], ["a"])


def test_what_a_page_does_not_say_the_table_says() -> None:
    table = WatchTable.model_validate(
        {"select": ["main"], "at_most": "1d", "pages": [{"url": URL, "select": "h1"}]}
    )
    page = table.pages[0].over(table)
    assert page.select == ["h1"]
    assert page.interval() == (0.0, 86400.0)
    assert page.over(table) == page
    assert table.pages[0].at_most == ""


def test_words() -> None:
    assert threshold_of("3 words") == Threshold(words=3)
