"""Pages read by rules: what is left of them, what is picked out, and hostile ones."""

from __future__ import annotations

import json
from typing import Any

import pytest

from trapline.core.records import Fetched, Kind, Ticket
from trapline.reading.answer import read_answer
from trapline.reading.packing import pack_reading, unpack_reading
from trapline.reading.readings import ReadDocument, Reading, Unreadable
from trapline.reading.rules.field_values import LARGEST, LONGEST, MOST_VALUES
from trapline.reading.rules.reading_rules import FieldRule, ReadingRules

HTML = "text/html; charset=utf-8"
PAGE = """
<html><head><title>Shop</title></head><body>
<nav><a href="/home">Home</a> <a href="/cart">Cart</a></nav>
<div class="item"><h2>Tea</h2><p>Price: <b>1.234,50</b> EUR</p><p>Seen 17 times</p></div>
<div class="item"><h2>Coffee</h2><p>Price: <b>9</b> EUR</p></div>
<p class="foot">Made in 2026 by a shop that sells tea and coffee to people.</p>
</body></html>
"""


def read(body: str | bytes, kind: str = HTML, **rules: Any) -> Reading:
    raw = body.encode() if isinstance(body, str) else body
    ticket = Ticket(1, Kind.PAGE, 0, 0, 0.0, 0.0)
    answer = Fetched(
        ticket, "http://a.org/x", 1.0, status=200, body=raw, content_type=kind
    )
    return read_answer(answer, ReadingRules(**rules))


def document(body: str | bytes, kind: str = HTML, **rules: Any) -> ReadDocument:
    found = read(body, kind, **rules)
    assert isinstance(found, ReadDocument), found
    sent = unpack_reading(pack_reading(found))
    assert isinstance(sent, ReadDocument) and sent.findings == found.findings
    return found


def text(body: str | bytes, kind: str = HTML, **rules: Any) -> str:
    return document(body, kind, **rules).document.text


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        (("h2",), "Tea\nCoffee"),
        (("//h2",), "Tea\nCoffee"),
        (("(//h2)[2]",), "Coffee"),
        (("//b/text()",), "1.234,50\n9"),
        (("//a/@href",), "/home\n/cart"),
        (("(count(//h2))",), "2"),
        (("nav", "//h2[1]"), "Home Cart\nTea\nCoffee"),
        (("div.item:nth-of-type(2) b",), "9"),
        (("body, .item, h2",), None),  # each part is read once
    ],
)
def test_select(select: tuple[str, ...], expected: str | None) -> None:
    found = text(PAGE, select=select)
    if expected is None:
        assert found.count("Coffee") == 1
    else:
        assert found == expected


TABLE = """<table><caption>Shop</caption><tbody>
<tr><th>Tea</th><td>4.5</td><td>13 reviews</td></tr>
<tr><th>Coffee</th><td>9</td><td>2 reviews</td></tr></tbody></table>"""


@pytest.mark.parametrize(
    "select", ["tr", "//tr", "tbody", "//tbody", "tr:first-child, tr"]
)
def test_cells_stay_apart_and_rows_are_lines(select: str) -> None:
    assert text(TABLE, select=(select,)) == "Tea 4.5 13 reviews\nCoffee 9 2 reviews"


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("td", "4.5\n13 reviews\n9\n2 reviews"),
        ("//th", "Tea\nCoffee"),
        ("caption", "Shop"),
    ],
)
def test_cells_by_themselves(select: str, expected: str) -> None:
    assert text(TABLE, select=(select,)) == expected


@pytest.mark.parametrize(
    "rules",
    [
        {"ignore": ("body",)},
        {"ignore_text": (".*",)},
        {"select": ("h2",), "ignore_text": ("Tea|Coffee",)},
    ],
)
def test_rules_that_leave_nothing_are_trouble(rules: dict[str, Any]) -> None:
    reason = "the rules leave nothing of it"
    assert read(PAGE, **rules) == Unreadable(reason, retry=True)


def test_a_part_that_is_empty_by_itself_is_none() -> None:
    page = PAGE.replace("Tea", "").replace("Coffee", "")
    assert text(page, select=("h2",), ignore_text=("x",)) == ""


def test_what_is_selected_need_not_be_text() -> None:
    assert text("<img src=3.png>", select=("//img/@src",), watched=True) == "3.png"


def test_the_title_is_kept_and_links_are_left_out() -> None:
    found = document(PAGE, select=("h2",))
    assert found.document.title == "Shop"
    assert found.links.urls == []


@pytest.mark.parametrize("ignore", [(".foot", "nav"), ("//p[@class='foot']", "//nav")])
def test_ignore(ignore: tuple[str, ...]) -> None:
    assert "people" in text(PAGE)
    found = document(PAGE, ignore=ignore)
    assert "people" not in found.document.text
    assert "Coffee" in found.document.text
    assert found.links.urls == []


def test_ignore_and_select_together() -> None:
    assert text(PAGE, select=(".item",), ignore=("p", "//h2[.='Tea']")) == "Coffee"


def test_ignore_text() -> None:
    left = text(PAGE, select=(".item",), ignore_text=(r"Seen \d+ times", "Price: "))
    assert left == "Tea\n1.234,50 EUR\nCoffee\n9 EUR"


def test_in_a_selected_part_every_letter_counts() -> None:
    later = PAGE.replace("17", "18")
    part: dict[str, Any] = {"select": (".item p",)}
    assert document(PAGE, **part).marks != document(later, **part).marks
    assert document(PAGE).marks == document(later).marks, "a counter is no news"
    assert document(PAGE, **part).marks.simhash == 0, "it is nobody's copy"


def test_what_is_not_selected_does_not_count() -> None:
    later = PAGE.replace("Shop", "Store").replace("2026", "2027")
    part: dict[str, Any] = {"select": (".item",)}
    assert document(PAGE, **part).marks == document(later, **part).marks


@pytest.mark.parametrize(
    ("kind", "body", "rules", "reason"),
    [
        (
            HTML,
            PAGE,
            {"select": (".gone", "//u")},
            "select matched nothing: .gone, //u",
        ),
        (HTML, "", {"select": ("p",)}, "select matched nothing: p"),
        (HTML, PAGE, {"select": ("p",), "ignore": ("p",)}, "select matched nothing: p"),
        (
            "text/plain",
            "Tea",
            {"select": ("p",)},
            "select matched nothing: it is not HTML",
        ),
        (HTML, PAGE, {"number": r"Rating: (\d+)"}, "there is no number where one was"),
    ],
)
def test_what_is_missing_is_trouble(
    kind: str, body: str, rules: dict[str, Any], reason: str
) -> None:
    assert read(body, kind, **rules) == Unreadable(reason, retry=True)


def test_an_expression_that_fails_on_a_page_is_trouble() -> None:
    found = read(PAGE, select=("//h2[unknown(.)]",))
    assert isinstance(found, Unreadable) and found.retry
    assert found.reason.startswith("a rule cannot be applied")


def test_other_kinds_of_content() -> None:
    assert text("Tea\n\nSeen 3 times", "text/plain", ignore_text=("Seen.*",)) == "Tea"
    found = document('{"price": 3.5}', "application/json", number="(.+)", watched=True)
    assert json.loads(found.findings.fields) == {"number": 3.5}
    assert isinstance(read('{"price": 3.5}', "application/json"), Unreadable)
    part = document('{"a": 1}', "application/vnd.api+json; charset=utf-8", watched=True)
    assert part.document.text == '{"a": 1}'


def test_only_if_and_number() -> None:
    assert document(PAGE, only_if="(?i)COFFEE").findings.matches
    assert not document(PAGE, only_if="cocoa").findings.matches
    found = document(PAGE, select=(".item",), number=r"Price: ([\d.,]+)")
    assert json.loads(found.findings.fields) == {"number": 1234.5}


def test_orders_to_robots_hold_whatever_is_ignored() -> None:
    closed = "<meta name=robots content=noindex><p>one</p><h2>two</h2>"
    found = document(closed, select=("h2",), ignore=("meta", "head"))
    assert found.document.noindex


def test_a_page_that_is_missing_is_missing_whatever_is_selected() -> None:
    gone = "<title>404 Not Found</title><h1>Page not found</h1>"
    assert document(gone, select=("h2",)).missing
    prose = "<p>Tea is picked by hand, dried in the sun and sold in spring.</p>" * 20
    part = f"<title>Shop</title>{prose}<h2>Page not found</h2>"
    assert text(part, select=("h2",)) == "Page not found"
    assert not document(part, select=("h2",)).missing


FIELDS = (
    FieldRule("name", "h2"),
    FieldRule("names", "//h2", many=True),
    FieldRule("first", "a", "href"),
    FieldRule("links", "a", "href", many=True),
    FieldRule("none", ".none"),
    FieldRule("nones", ".none", many=True),
    FieldRule("missing", "a", "title"),
)


def test_fields() -> None:
    found = document(PAGE, fields=FIELDS, select=("h2",))
    assert json.loads(found.findings.fields) == {
        "name": "Tea",
        "names": ["Tea", "Coffee"],
        "first": "/home",
        "links": ["/home", "/cart"],
        "none": None,
        "nones": [],
        "missing": "",
    }, "of the whole page, whatever is selected"
    assert found.document.text == "Tea\nCoffee"
    assert document(PAGE, fields=FIELDS).marks == document(PAGE).marks


def test_fields_are_bounded() -> None:
    body = "<i>" + "x" * 5000 + "</i>" + "<b>y</b>" * 500
    long = FieldRule("long", "i")
    many = FieldRule("many", "b", many=True)
    found = json.loads(document(body, fields=(long, many)).findings.fields)
    assert len(found["long"]) == LONGEST
    assert len(found["many"]) == MOST_VALUES
    body = ("<i>" + "x" * 2000 + "</i>") * 100
    rules = tuple(FieldRule(str(i), "i", many=True) for i in range(9))
    assert len(document(body, fields=rules).findings.fields) < LARGEST + 2000


def test_text_that_no_store_can_hold() -> None:
    found = document(
        "<p title='&#xD800;'>a</p>", fields=(FieldRule("t", "p", "title"),)
    )
    found.findings.fields.encode()


HOSTILE = {
    "large": b"<p>one two three</p>" * 500_000,  # 10 MB
    "one large text": b"<p>" + b"word " * 2_000_000,
    "deep": b"<div>" * 100_000 + b"<p>end",
    "deep formats": b"".join(b"<p><b a=%d>" % i for i in range(3000)),
    "unclosed": b"<table><tr><td><select><option>" * 1000,
    "not text": bytes(range(256)) * 1000,
    "comments": b"<!--" * 10_000,
}
RULES = {
    "css": {"select": ("p",)},
    "xpath": {"select": ("//p",)},
    "all": {"select": ("*",), "ignore": ("b",)},
    "all by xpath": {"select": ("//*",), "ignore": ("//b",)},
    "text": {"ignore_text": (r"\bt\w+", "e$"), "only_if": r"z\Z", "number": r"(\d*)"},
    "fields": {"fields": (FieldRule("a", "p", many=True), FieldRule("b", "//div//p"))},
}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("page", HOSTILE)
def test_hostile_pages_are_read_or_refused(page: str, rules: str) -> None:
    found = read(HOSTILE[page], **RULES[rules])  # type: ignore[arg-type]
    assert isinstance(found, ReadDocument | Unreadable)
    assert len(pack_reading(found)) < 60_000_000
