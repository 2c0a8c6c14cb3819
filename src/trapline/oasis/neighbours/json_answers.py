"""Answers in JSON: of SearXNG (`format=json`), and of Trapline's own /api/search.

>>> searxng = b'{"results": [{"url": "http://a.org/", "title": "A", "content": "red moon"}]}'
>>> trapline = b'{"hits": [{"url": "http://a.org/", "title": "A", "snippet": [["red ", false]]}]}'
>>> read_json(searxng)[0].text, read_json(trapline)[0].text
('red moon', 'red')
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from trapline.core.errors import AnswerUnreadable
from trapline.oasis.neighbours.foreign_hits import ForeignHit, Found, collect_hits


def read_json(body: bytes) -> list[ForeignHit]:
    try:
        answer = json.loads(body)
    # brackets without end are too deep for Python, numbers without end too long
    except (ValueError, RecursionError):
        raise AnswerUnreadable("it is not JSON") from None
    match answer:
        case {"results": [*results]}:
            return collect_hits(_results(results))
        case {"hits": [*hits]}:
            return collect_hits(_hits(hits))
    raise AnswerUnreadable("its JSON has neither results nor hits")


def _results(results: list[Any]) -> Iterator[Found]:
    """As SearXNG names them."""
    for result in results:
        match result:
            case {"url": str(url)}:
                yield url, _text(result, "title"), _text(result, "content")


def _hits(hits: list[Any]) -> Iterator[Found]:
    """As Trapline names them: a snippet is a list of pieces, some of them marked."""
    for hit in hits:
        match hit:
            case {"url": str(url), "snippet": [*pieces]}:
                yield url, _text(hit, "title"), "".join(_pieces(pieces))
            case {"url": str(url)}:
                yield url, _text(hit, "title"), ""


def _pieces(pieces: list[Any]) -> Iterator[str]:
    for piece in pieces:
        match piece:
            case [str(text), *_]:
                yield text


def _text(record: Mapping[str, Any], name: str) -> str:
    match record.get(name):
        case str(text):
            return text
    return ""
