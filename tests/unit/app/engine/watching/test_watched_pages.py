"""By which rules each page is read: those of its line, of [watch], and of [[extract]]."""

from __future__ import annotations

from typing import Any

from trapline.app.engine.watching.watched_pages import WatchedPages
from trapline.app.settings import Settings, settings_from
from trapline.reading.rules.reading_rules import NO_RULES, FieldRule
from trapline.robot.page_intervals import NO_BOUNDS, Interval

A = "http://a.org/a"
B = "http://a.org/b"
MOVED = "http://b.org/a"
EXTRACT = [
    {"pages": ["/a*", "/c?"], "fields": {"x": "h1", "y": "h2"}},
    {"fields": {"x": "h3", "z[]": "p@id"}},
]


def settings(**values: Any) -> Settings:
    return settings_from("a test", values)


def listed_as(url: str) -> str:
    return A if url == MOVED else url


def test_a_crawl_has_fields_only() -> None:
    crawl = WatchedPages(settings(extract=EXTRACT, watch={"select": ["b"]}))
    rules = crawl.rules(A)
    found = {rule.name: rule.selector for rule in rules.fields}
    assert found == {"x": "h1", "y": "h2", "z": "p"}
    assert rules.select == () and not rules.watched
    assert crawl.rules("http://a.org/c1") is crawl.rules(A), (
        "the same rules, one object"
    )
    assert {rule.name for rule in crawl.rules(B).fields} == {"x", "z"}
    assert FieldRule("z", "p", "id", many=True) in crawl.rules(B).fields
    assert crawl.asks()
    plain = WatchedPages(settings(watch={"select": ["b"]}))
    assert plain.rules(A) is NO_RULES and not plain.asks()
    assert plain.interval(A) == NO_BOUNDS


def test_a_watch_has_rules_of_the_page_and_of_all() -> None:
    page = {"url": A, "select": ["i"], "name": "One", "tags": ["t"], "at_least": 60}
    watch = WatchedPages(
        settings(watch={"ignore": ["u"], "at_most": "1h", "pages": [page]}), listed_as
    )
    for url in (A, MOVED):
        assert (watch.rules(url).select, watch.rules(url).ignore) == (("i",), ("u",))
        assert watch.interval(url) == Interval(60.0, 3600.0)
        assert watch.name(url) == ("One", ("t",))
    assert (watch.rules(B).select, watch.rules(B).ignore) == ((), ("u",))
    assert watch.interval(B) == Interval(most_s=3600.0)
    assert watch.asks()


def test_other_settings_take_effect() -> None:
    watch = WatchedPages(Settings(), listed_as)
    assert watch.rules(A).watched and watch.rules(A).mark == 0 and not watch.asks()
    watch.take(settings(watch={"pages": [{"url": A, "select": ["i"]}]}))
    assert watch.rules(A).select == ("i",)
    watch.take(Settings())
    assert watch.rules(A).select == ()
