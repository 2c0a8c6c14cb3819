"""The change feed as others read it."""

from __future__ import annotations

import fastfeedparser
from lxml import etree

from trapline.app.output.changes import Line, atom, lines_after, newest_lines
from trapline.core.records import Diff, Page, Turn
from trapline.core.storage import Batch, HostRow, UrlRow
from trapline.stores.memory import MemoryStore

ATOM = {"a": "http://www.w3.org/2005/Atom"}


def store_of(pages: int, changes: int) -> MemoryStore:
    """Page 0 is held, page 1 is gone; then page 0 changes and changes."""
    store = MemoryStore()
    urls = [UrlRow(page, f"http://a/{page}", 0) for page in range(pages)]
    store.commit(Batch(hosts=[HostRow(0, "a:80", "http://a/")], urls=urls))
    store.commit(
        Batch(
            pages=[
                Page(
                    0,
                    "http://a/0",
                    "Stars \x00& <moons>",
                    "text",
                    1.0,
                    1,
                    "",
                    "",
                    5.0,
                    5.0,
                )
            ]
        )
    )
    diffs = [Diff(0, 1.0, Turn.NEW, 3), Diff(1, 2.0, Turn.GONE, 0, 7)]
    store.commit(
        Batch(
            diffs=[
                *diffs,
                *(Diff(0, 3.0 + i, Turn.CHANGED, i, 1) for i in range(changes)),
            ]
        )
    )
    return store


def test_lines_go_on_after_a_number() -> None:
    store = store_of(2, 3)
    first, second, *_ = lines_after(store, 0)
    assert (first.number, first.url, first.turn, first.added) == (
        1,
        "http://a/0",
        "new",
        3,
    )
    assert (second.turn, second.removed, second.title) == ("gone", 7, ""), (
        "nothing is held of it any more"
    )
    assert [line.number for line in lines_after(store, 2, most=2)] == [3, 4]
    assert lines_after(store, 5) == []
    assert second.at == "1970-01-01T00:00:02.000Z"


def test_newest_come_first_and_are_bounded() -> None:
    assert [line.number for line in newest_lines(store_of(2, 200), most=3)] == [
        202,
        201,
        200,
    ]
    assert newest_lines(MemoryStore()) == []


def test_the_feed_is_atom() -> None:
    """By RFC 4287: ids, times and authors where they must be, also for titles that XML
    cannot say.
    """
    feed = etree.fromstring(atom("my engine", newest_lines(store_of(2, 1))))
    assert [
        feed.xpath(f"count(a:{name})", namespaces=ATOM)
        for name in ("title", "id", "updated", "author")
    ] == [1.0] * 4
    entries = feed.xpath("a:entry", namespaces=ATOM)
    assert [entry.findtext("a:title", namespaces=ATOM) for entry in entries] == [
        "changed: Stars & <moons>",
        "gone: http://a/1",
        "new: Stars & <moons>",
    ]
    ids = [entry.findtext("a:id", namespaces=ATOM) for entry in entries]
    assert len(set(ids)) == 3 and all(name.startswith("urn:uuid:") for name in ids)
    assert entries[0].find("a:link", ATOM).get("href") == "http://a/0"


def test_ids_stay_when_more_is_told() -> None:
    def ids(changes: int) -> list[str]:
        return [
            entry["id"]
            for entry in fastfeedparser.parse(
                atom("e", newest_lines(store_of(2, changes)))
            ).entries
        ]

    assert ids(2)[1:] == ids(1)


def test_an_empty_feed_can_be_read() -> None:
    assert etree.fromstring(atom("e", [])).findtext("a:updated", namespaces=ATOM)


def test_a_line_is_one_line_of_json() -> None:
    line = Line(1, "http://a/", "new", "", 0.0, "two\nlines\u2028and more", 1, 0)
    assert "\n" not in line.as_json()


def changing_store(versions: int = 0) -> MemoryStore:
    """A page that has changed twice, and is failing."""
    store = MemoryStore()
    store.commit(
        Batch(
            hosts=[HostRow(0, "a:80", "http://a/")],
            urls=[UrlRow(0, "http://a/", 0)],
            notes={"names": '{"http://a/": ["Shop", ["cheap", "near"]]}'},
        )
    )
    for at_s, text in enumerate(("1 <b> moon", "2 <b> moons", "3 <b> moons"), 1):
        page = Page(0, "http://a/", "T", text, 1.0, at_s, "", "", at_s, at_s)
        store.commit(Batch(pages=[page], versions=versions))
    lines = "- 2 <b> moons\n+ 3 <b> moons"
    store.commit(
        Batch(
            diffs=[
                Diff(0, 2.0, Turn.CHANGED, 2, 2, "- 1 <b> moon\n+ 2 <b> moons"),
                Diff(0, 3.0, Turn.CHANGED, 1, 1, lines),
                Diff(0, 4.0, Turn.FAILING, remark="404 Not Found"),
                Diff(0, 5.0, Turn.BACK, remark="404 Not Found"),
            ]
        )
    )
    return store


def test_a_change_is_told_with_its_lines_as_far_as_they_are_kept() -> None:
    for versions, first in ((0, ()), (9, ("- 1 <b> moon", "+ 2 <b> moons"))):
        told = lines_after(changing_store(versions), 0)
        assert [line.diff for line in told] == [
            first,
            ("- 2 <b> moons", "+ 3 <b> moons"),
            (),
            (),
        ]
    assert {(line.name, line.tags) for line in told} == {("Shop", ("cheap", "near"))}
    assert [line.remark for line in told] == ["", "", *["404 Not Found"] * 2]


def test_a_feed_marks_words_and_keeps_markup_of_pages_out() -> None:
    feed = etree.fromstring(atom("e", newest_lines(changing_store())))
    back, failing, changed, _ = feed.findall("a:entry", ATOM)
    assert changed.findtext("a:title", namespaces=ATOM) == "changed: Shop"
    assert changed.find("a:content", ATOM).get("type") == "html"
    assert changed.findtext("a:content", namespaces=ATOM) == (
        "<p>- <del>2</del> &lt;b&gt; moons<br>+ <ins>3</ins> &lt;b&gt; moons</p>"
    )
    terms = [one.get("term") for one in changed.findall("a:category", ATOM)]
    assert terms == ["changed", "cheap", "near"]
    told = [one.findtext("a:summary", namespaces=ATOM) for one in (failing, back)]
    assert told == [
        "http://a/ failing 404 Not Found",
        "http://a/ back was: 404 Not Found",
    ]
