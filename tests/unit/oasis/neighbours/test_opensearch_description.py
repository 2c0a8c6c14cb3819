"""How other engines want to be asked: the best way that they offer, and never another host."""

from __future__ import annotations

import pytest

from trapline.core.errors import BadUrl, DescriptionUnreadable
from trapline.oasis.neighbours.opensearch_description import (
    MOST_BYTES,
    AnswerType,
    UrlTemplate,
    read_opensearch,
    searxng_template,
    trapline_template,
)

NAMESPACE = 'xmlns="http://a9.com/-/spec/opensearch/1.1/"'


def description(*urls: str) -> bytes:
    inner = "".join(f"<Url {url}/>" for url in urls)
    names = "<ShortName>A</ShortName><Description>B</Description>"
    return f"<OpenSearchDescription {NAMESPACE}>{names}{inner}</OpenSearchDescription>".encode()


def url(kind: str, template: str, more: str = "") -> str:
    return f'type="{kind}" template="{template}" {more}'


HTML = url("text/html", "http://a.org/?q={searchTerms}")
JSON = url("application/json", "http://a.org/j?q={searchTerms}")
RSS = url("application/rss+xml", "http://a.org/r?q={searchTerms}&amp;n={count?}")
ATOM = url("application/atom+xml", "http://a.org/a?q={searchTerms}")
SUGGESTIONS = url(
    "application/json", "http://a.org/s?q={searchTerms}", 'rel="suggestions"'
)


@pytest.mark.parametrize(
    ("urls", "kind", "place"),
    [
        ([HTML, JSON, RSS, ATOM], AnswerType.ATOM, "http://a.org/a?q=x"),
        ([JSON, RSS], AnswerType.RSS, "http://a.org/r?q=x&n=10"),
        ([SUGGESTIONS, HTML, JSON], AnswerType.JSON, "http://a.org/j?q=x"),
        (
            [RSS, RSS.replace("a.org/r", "a.org/second")],
            AnswerType.RSS,
            "http://a.org/r?q=x&n=10",
        ),
        (
            [ATOM + ' rel="self"', RSS + 'rel=""'],
            AnswerType.RSS,
            "http://a.org/r?q=x&n=10",
        ),
        (
            [RSS + ' rel="collection results"'],
            AnswerType.RSS,
            "http://a.org/r?q=x&n=10",
        ),
        ([ATOM + ' method="POST"', JSON], AnswerType.JSON, "http://a.org/j?q=x"),
        (
            [ATOM.replace("?q", "?u={user}&amp;q"), JSON],
            AnswerType.JSON,
            "http://a.org/j?q=x",
        ),
    ],
)
def test_the_best_offer_is_taken(urls: list[str], kind: AnswerType, place: str) -> None:
    found = read_opensearch(description(*urls))
    assert (found.answer, found.fill("x", count=10)) == (kind, place)


@pytest.mark.parametrize(
    ("template", "more", "place"),
    [
        (
            "http://a.org/{searchTerms}/{startPage?}",
            "",
            "http://a.org/red%20%C3%A9%26%2F/3",
        ),
        (
            "http://a.org?q={searchTerms}&amp;s={startIndex}",
            "",
            "http://a.org/?q=red%20%C3%A9%26%2F&s=21",
        ),
        (
            "http://a.org/?q={searchTerms}&amp;s={startIndex}&amp;p={startPage}",
            'indexOffset="0" pageOffset="0"',
            "http://a.org/?q=red%20%C3%A9%26%2F&s=20&p=2",
        ),
        (
            "http://a.org/?q={searchTerms}&amp;l={language}&amp;m={language?}"
            "&amp;e={inputEncoding}",
            "",
            "http://a.org/?q=red%20%C3%A9%26%2F&l=*&m=&e=UTF-8",
        ),
        (
            "http://a.org/?q={searchTerms}&amp;t={time:start?}",
            'xmlns:time="http://a9.com/-/opensearch/extensions/time/1.0/"',
            "http://a.org/?q=red%20%C3%A9%26%2F&t=",
        ),
    ],
)
def test_templates_are_filled_as_the_specification_says(
    template: str, more: str, place: str
) -> None:
    found = read_opensearch(description(url("application/atom+xml", template, more)))
    assert found.fill("red é&/", count=10, start=20) == place


@pytest.mark.parametrize(
    "template",
    [
        "http://{searchTerms}/",
        "http://{searchTerms}.a.org/?q={searchTerms}",
        "{searchTerms}",
        "http://a.org:{count}/?q={searchTerms}",
        "http://me:{searchTerms}@a.org/?q={searchTerms}",
        "javascript:{searchTerms}",
        "/search?q={searchTerms}",
        "ftp://a.org/?q={searchTerms}",
        "http://a.org:25/?q={searchTerms}",
        "http://a.org/?q=moon",
        "http://a.org/?q={searchterms}",
        "http://a.org/" + "x" * 3000 + "?q={searchTerms}",
        "",
    ],
)
def test_templates_that_cannot_be_trusted_are_not_offers(template: str) -> None:
    offered = description(url("application/atom+xml", template))
    with pytest.raises(DescriptionUnreadable, match="neither Atom nor RSS nor JSON"):
        read_opensearch(offered)


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "not well-formed"),
        (b"<html><body></html>", "not well-formed"),
        (b"<OpenSearchDescription/>", "no OpenSearch description"),
        (description(HTML), "neither Atom nor RSS nor JSON"),
        (description(), "neither Atom nor RSS nor JSON"),
        (b"<!DOCTYPE x>" + description(ATOM), "DOCTYPE"),
        (description(ATOM) + b" " * MOST_BYTES, "more than 65,536 bytes"),
    ],
)
def test_what_is_no_description_is_named(body: bytes, problem: str) -> None:
    with pytest.raises(DescriptionUnreadable, match=problem):
        read_opensearch(body)


def test_a_query_cannot_change_the_rest_of_the_address() -> None:
    template = UrlTemplate("http://a.org/?q={searchTerms}&n={count}", AnswerType.JSON)
    for query in ("&n=1#", "{count}", "http://b.org/", "../../x", "a\ud800b", "%26"):
        place = template.fill(query, count=5)
        assert place.startswith("http://a.org/?q=") and place.endswith("&n=5")
        assert place.count("&") == 1
    with pytest.raises(BadUrl):
        template.fill("x" * 10_000, count=5)


def test_engines_without_a_description() -> None:
    searxng = searxng_template("http://a.org/x/")
    assert (
        searxng.fill("é", count=10)
        == "http://a.org/x/search?q=%C3%A9&format=json&pageno=1"
    )
    trapline = trapline_template("http://a.org")
    place = "http://a.org/api/search?q=red%20moon&limit=10&offset=20"
    assert trapline.fill("red moon", count=10, start=20) == place
