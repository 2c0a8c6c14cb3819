"""Which changes are told by the rules of a page, and which text the next one is compared with."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.robot.response.desk import Desk
from trapline.core.records import Outcome, Page
from trapline.core.storage import Held
from trapline.reading.rules.numbers import ANY
from trapline.reading.rules.reading_rules import ReadingRules, Threshold
from trapline.robot.response.results import Processed

WORDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


class Watched:
    """A page with rules, visited again and again."""

    def __init__(self, **rules: Any) -> None:
        self.rules = ReadingRules(**rules)
        self.desk = Desk(reading=lambda _: self.rules)

    def visit(self, text: str, at_s: float = 10.0) -> Processed:
        found = self.desk.read(body=f"<p>{text}</p>".encode(), at_s=at_s)
        if found.page is not None:
            self.desk.held[found.page.page] = Held.of(found.page)
            self.desk.documents[found.page.page] = found.page
        return found

    def told(self, text: str) -> bool:
        return self.visit(text).observation.changed

    @property
    def base(self) -> Page:
        [page] = self.desk.documents.values()
        return page


def test_only_if_keeps_what_it_does_not_tell() -> None:
    page = Watched(only_if="in stock", select=("p",))
    assert page.told("sold out"), "it is new"
    assert page.told("12 in stock")
    assert not page.told("sold out")
    assert page.base.text == "sold out"
    assert page.told("12 in stock"), "again"
    assert not page.told("12 in stock")


def test_what_is_kept_untold_has_its_own_date() -> None:
    page = Watched(only_if="in stock", number=ANY, below=5.0, select=("p",))
    page.visit("sold out, 12 EUR", 10.0)
    page.visit("sold out, 11 EUR", 20.0)
    assert (page.base.text, page.base.changed_s) == ("sold out, 11 EUR", 20.0)
    page.visit("sold out, 11 EUR", 30.0)
    assert page.base.changed_s == 20.0


@pytest.mark.parametrize("threshold", [Threshold(words=3), Threshold(share=0.3)])
def test_small_changes_add_up_until_they_are_told(threshold: Threshold) -> None:
    page = Watched(threshold=threshold, select=("p",))
    assert page.told(" ".join(WORDS))
    for changed in (1, 2):
        words = ["other"] * changed + WORDS[changed:]
        found = page.visit(" ".join(words))
        assert not found.observation.changed and found.page is None and found.seen
        assert found.visit.remark == f"below the threshold: {changed} words"
        assert page.base.text == " ".join(WORDS)
    assert page.told(" ".join(["other"] * 3 + WORDS[3:]))
    assert page.base.text.startswith("other")


def test_a_number_is_told_when_it_passes_a_limit_and_again_after_it_went_back() -> None:
    page = Watched(number=ANY, above=20.0, below=10.0, select=("p",))
    assert page.told("12.00 EUR")
    told = [page.told(f"{price} EUR") for price in ("11", "9,50", "9", "15", "9", "25")]
    assert told == [False, True, False, False, True, True]
    found = page.visit("1.000,00 EUR")
    assert found.page is not None and found.page.fields == '{"number":1000.0}'
    assert found.visit.remark == "number 25 → 1000"


def test_a_number_at_its_limit_has_not_passed_it() -> None:
    page = Watched(number=ANY, above=20.0, select=("p",))
    page.visit("19")
    assert not page.told("20")
    assert page.told("20.01")


def test_without_a_limit_every_other_number_is_told() -> None:
    page = Watched(number=ANY, select=("p",))
    page.visit("3.50 EUR")
    assert not page.told("3,50 Euro"), "the same number in other words"
    assert page.told("3.51 EUR")


def test_other_rules_are_no_change_of_the_page() -> None:
    page = Watched()
    page.visit("Tea <b>3.50</b>")
    page.rules = ReadingRules(select=("b",))
    found = page.visit("Tea <b>3.50</b>")
    assert not found.observation.changed
    assert found.visit.remark == "read by new rules"
    assert page.base.text == "3.50"
    assert page.told("Tea <b>3.60</b>")


@pytest.mark.parametrize("kind", ["application/xml", "text/plain", "text/html"])
def test_whatever_it_is_it_was_read_by_its_rules(kind: str) -> None:
    """Else it would be asked for without validators for ever."""
    page = Watched(only_if="tea", ignore_text=("x",))
    body = b"<urlset><url><loc>http://a.org/1</loc></url></urlset>"
    found = page.desk.read(body=body, content_type=kind)
    assert found.page is not None and found.page.rules == page.rules.mark != 0


def test_what_is_missing_leaves_the_page_as_it_is() -> None:
    page = Watched(select=("b",))
    page.visit("Tea <b>3.50</b>")
    found = page.visit("Tea")
    assert found.observation.outcome is Outcome.FAILED
    assert found.visit.remark == "select matched nothing: b"
    assert not found.gone and page.base.text == "3.50"
    assert not page.told("Tea <b>3.50</b>"), "as it was before"
