"""How an engine wants to be asked: its OpenSearch description, and addresses made from it.

>>> searxng_template("http://a.org/").fill("red moon", count=10, start=20)
'http://a.org/search?q=red%20moon&format=json&pageno=3'
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final
from urllib.parse import quote

from trapline.core.errors import BadUrl, DescriptionUnreadable
from trapline.core.urls import canonical
from trapline.oasis.neighbours.bounded_xml import XmlUnreadable, parse_xml

MOST_BYTES: Final = 65_536
_NAMESPACE: Final = "{http://a9.com/-/spec/opensearch/1.1/}"
_PARAMETER: Final = re.compile(r"\{([^{}?]*)(\??)\}")
# A query must never choose the host: nothing is filled in before the path.
_FIXED_HOST: Final = re.compile(r"https?://[^/?#{}\s@]+[/?#]", re.IGNORECASE)
_WHOLE: Final = re.compile(r"-?[0-9]{1,9}")


class AnswerType(StrEnum):
    """Types that are read; the first is read best."""

    ATOM = "application/atom+xml"
    RSS = "application/rss+xml"
    JSON = "application/json"


@dataclass(frozen=True, slots=True)
class UrlTemplate:
    """An address with places to be filled in."""

    template: str
    answer: AnswerType
    first_index: int = 1  # number of the first result
    first_page: int = 1  # number of the first page of results

    def fill(self, query: str, count: int, start: int = 0) -> str:
        """Where to ask for `count` results after the first `start`.

        BadUrl for a query that is too long for an address.
        """
        values = {
            "searchTerms": quote(query.encode("utf-8", "replace"), safe=""),
            "count": str(count),
            "startIndex": str(self.first_index + start),
            "startPage": str(self.first_page + start // count),
            "inputEncoding": "UTF-8",
            "outputEncoding": "UTF-8",
        }

        def value_of(parameter: re.Match[str]) -> str:
            value = values.get(parameter[1])
            if value is None and parameter[2]:
                return ""
            # the one other parameter that must be filled in, see `_is_fillable`
            return "*" if value is None else value

        return canonical(_PARAMETER.sub(value_of, self.template))


def searxng_template(base: str) -> UrlTemplate:
    """How a SearXNG is asked that allows `json` under `search: formats:`."""
    path = "/search?q={searchTerms}&format=json&pageno={startPage}"
    return UrlTemplate(base.rstrip("/") + path, AnswerType.JSON)


def trapline_template(base: str) -> UrlTemplate:
    """How every Trapline can be asked, of whatever version."""
    path = "/api/search?q={searchTerms}&limit={count}&offset={startIndex}"
    return UrlTemplate(base.rstrip("/") + path, AnswerType.JSON, first_index=0)


def read_opensearch(body: bytes) -> UrlTemplate:
    """How an engine is asked best; DescriptionUnreadable if it cannot be asked by programs."""
    if len(body) > MOST_BYTES:
        raise DescriptionUnreadable(f"it has more than {MOST_BYTES:,} bytes")
    try:
        root = parse_xml(body)
    except XmlUnreadable as problem:
        raise DescriptionUnreadable(str(problem)) from None
    if root.tag != f"{_NAMESPACE}OpenSearchDescription":
        raise DescriptionUnreadable("it is no OpenSearch description")
    offered = {found.answer: found for found in _usable(root)}
    for answer in AnswerType:
        if answer in offered:
            return offered[answer]
    raise DescriptionUnreadable("it offers neither Atom nor RSS nor JSON")


def _usable(root: Any) -> Iterator[UrlTemplate]:
    """Of several of one type, the first comes last: it counts."""
    for url in reversed(root.findall(f"{_NAMESPACE}Url")):
        kind = url.get("type", "").strip().lower()
        template = url.get("template", "").strip()
        if (
            kind in tuple(AnswerType)
            and _is_for_results(url)
            and _is_fillable(template)
        ):
            yield UrlTemplate(
                template,
                AnswerType(kind),
                _whole(url.get("indexOffset", "")),
                _whole(url.get("pageOffset", "")),
            )


def _is_for_results(url: Any) -> bool:
    """Not for suggestions, and by GET: what is sent otherwise is not in the address."""
    rel = url.get("rel", "").split() or ["results"]
    method = url.get("method", "get").lower()
    return "results" in rel and method == "get" and len(url) == 0


def _is_fillable(template: str) -> bool:
    names = {name for name, optional in _PARAMETER.findall(template) if not optional}
    known = {"searchTerms", "count", "startIndex", "startPage", "language"}
    encodings = {"inputEncoding", "outputEncoding"}
    if not names <= known | encodings or "{searchTerms" not in template:
        return False
    if not _FIXED_HOST.match(template):
        return False
    try:
        UrlTemplate(template, AnswerType.JSON).fill("x", count=10)
    except BadUrl:
        return False
    return True


def _whole(text: str) -> int:
    """1 is what the specification says if nothing else is said.

    >>> _whole("0"), _whole(""), _whole("1e9")
    (0, 1, 1)
    """
    return int(text) if _WHOLE.fullmatch(text) else 1
