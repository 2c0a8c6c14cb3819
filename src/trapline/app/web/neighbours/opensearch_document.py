"""The description of an engine by OpenSearch 1.1 (draft 6)."""

from __future__ import annotations

from typing import Final

from trapline.app.output.changes import xml_text
from trapline.app.web.neighbours.xml_elements import (
    OPENSEARCH,
    Element,
    make_root,
    put,
    write_xml,
)

# how many characters the specification allows
_SHORT_NAME: Final = 16
_LONG_NAME: Final = 48
_DESCRIPTION: Final = 1024
_TAGS: Final = 256
_QUERY: Final = "q={searchTerms}"
_FEED: Final = (
    f"{_QUERY}&count={{count?}}&start_index={{startIndex?}}&start_page={{startPage?}}"
    "&language={language?}"
)
_ADDRESSES: Final = (
    ("results", "text/html", f"/search?{_QUERY}"),
    ("results", "application/atom+xml", f"/api/opensearch?{_FEED}&format=atom"),
    ("results", "application/rss+xml", f"/api/opensearch?{_FEED}&format=rss"),
    ("results", "application/json", f"/api/search?{_QUERY}"),
    (
        "suggestions",
        "application/x-suggestions+json",
        f"/api/opensearch-suggest?{_QUERY}",
    ),
    ("self", "application/opensearchdescription+xml", "/opensearch.xml"),
)
_FACTS: Final = {
    "Developer": "Trapline",
    "SyndicationRight": "open",  # results may be passed on
    "Language": "*",
    "InputEncoding": "UTF-8",
    "OutputEncoding": "UTF-8",
}


def describe_engine(name: str, here: str, example: str) -> bytes:
    """`here` is its address without a slash; `example` a query that finds something, or ""."""
    name = xml_text(" ".join(name.split())) or "Trapline"
    root = make_root(f"{{{OPENSEARCH}}}OpenSearchDescription", {None: OPENSEARCH})
    _put(root, "ShortName", name[:_SHORT_NAME])
    _put(root, "LongName", f"Trapline: {name}"[:_LONG_NAME])
    _put(root, "Description", f"Search the collection {name}."[:_DESCRIPTION])
    _put(root, "Tags", _tags(name))
    for rel, kind, path in _ADDRESSES:
        _put(root, "Url", rel=rel, type=kind, template=here + path)
    icon = f"{here}/static/favicon.svg"
    _put(root, "Image", icon, type="image/svg+xml", width="16", height="16")
    if example:
        _put(root, "Query", role="example", searchTerms=example)
    for fact, value in _FACTS.items():
        _put(root, fact, value)
    return write_xml(root)


def _tags(name: str) -> str:
    """Single words.

    >>> _tags("moon-pages of 2026")
    'trapline moon pages of 2026'
    """
    words = "".join(sign if sign.isalnum() else " " for sign in name).lower()
    return " ".join(["trapline", *words.split()])[:_TAGS].rstrip()


def _put(root: Element, name: str, text: str = "", **attributes: str) -> None:
    put(root, f"{{{OPENSEARCH}}}{name}", text, **attributes)
