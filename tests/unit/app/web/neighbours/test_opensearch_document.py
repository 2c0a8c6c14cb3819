"""The description of this engine: within what the specification allows, and readable by us."""

from __future__ import annotations

from typing import Any

import pytest
from lxml import etree

from trapline.app.web.neighbours.opensearch_document import describe_engine
from trapline.oasis.neighbours.opensearch_description import AnswerType, read_opensearch

HERE = "http://127.0.0.1:8765"
NAMESPACE = "{http://a9.com/-/spec/opensearch/1.1/}"


def described(name: str, example: str = "red moon") -> Any:
    return etree.fromstring(describe_engine(name, HERE, example))


def texts(root: Any) -> dict[str, str]:
    return {one.tag.removeprefix(NAMESPACE): one.text or "" for one in root}


def test_it_is_complete() -> None:
    root = described("moon-pages")
    assert root.tag == f"{NAMESPACE}OpenSearchDescription"
    found = texts(root)
    assert found["ShortName"] == "moon-pages"
    assert found["LongName"] == "Trapline: moon-pages"
    assert found["Tags"] == "trapline moon pages"
    assert (found["SyndicationRight"], found["Language"]) == ("open", "*")
    assert (found["InputEncoding"], found["OutputEncoding"]) == ("UTF-8", "UTF-8")
    assert found["Image"] == f"{HERE}/static/favicon.svg"
    [query] = root.findall(f"{NAMESPACE}Query")
    assert dict(query.attrib) == {"role": "example", "searchTerms": "red moon"}
    urls = {
        (one.get("rel"), one.get("type")) for one in root.findall(f"{NAMESPACE}Url")
    }
    assert urls == {
        ("results", "text/html"),
        ("results", "application/atom+xml"),
        ("results", "application/rss+xml"),
        ("results", "application/json"),
        ("suggestions", "application/x-suggestions+json"),
        ("self", "application/opensearchdescription+xml"),
    }
    for one in root.findall(f"{NAMESPACE}Url"):
        assert one.get("template").startswith(f"{HERE}/")


@pytest.mark.parametrize(
    "name", ["x" * 5000, 'a & <b> "c" \'', "\x00\ud800", "", "über straße 月", "a\nb"]
)
def test_any_name_will_do(name: str) -> None:
    root = described(name, example='"]]>\x00')
    found = texts(root)
    assert 1 <= len(found["ShortName"]) <= 16
    assert len(found["LongName"]) <= 48 and len(found["Description"]) <= 1024
    assert len(found["Tags"]) <= 256
    for once in ("ShortName", "LongName", "Description", "Tags"):
        assert len(root.findall(NAMESPACE + once)) == 1


def test_without_an_example_there_is_none() -> None:
    assert described("a", example="").find(f"{NAMESPACE}Query") is None


def test_we_can_ask_ourselves() -> None:
    found = read_opensearch(describe_engine("a", HERE, ""))
    assert found.answer is AnswerType.ATOM
    assert found.fill("red moon", count=5, start=10) == (
        f"{HERE}/api/opensearch?q=red%20moon&count=5&start_index=11&start_page=3"
        "&language=&format=atom"
    )
