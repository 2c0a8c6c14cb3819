"""What is answered, as far as no other room has a record of it; and how it becomes JSON."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from pydantic import TypeAdapter
from starlette.responses import Response

from trapline.app.output.changes import Line
from trapline.reading.rules.field_values import Value
from trapline.search.hits import Fragment

T = TypeVar("T")


_PROBLEM: Final = {
    "type": "object",
    "title": "Problem",
    "description": "What is wrong, in one line.",
    "properties": {"error": {"type": "string"}},
    "required": ["error"],
    "additionalProperties": False,
}
_CONTENT: Final = {"application/json": {"schema": _PROBLEM}}
# of every endpoint; FastAPI would describe errors as its own validation makes them
PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    "4XX": {"content": _CONTENT, "description": "What was asked cannot be answered."},
    "5XX": {"content": _CONTENT, "description": "It cannot be answered now."},
}


@dataclass(frozen=True, slots=True)
class Suggested:
    query: str
    suggestions: list[str]


@dataclass(frozen=True, slots=True)
class PageText:
    """A document as the collection holds it: text with marks, never the HTML that was fetched."""

    page: int
    url: str
    title: str
    language: str
    relevance: float
    fetched_s: float
    changed_s: float
    same_as: int  # the page of which it is a copy; −1 = none
    copies: list[int]
    lines: list[tuple[Fragment, ...]]
    fields: dict[str, Value]  # what the rules of people picked out of it


@dataclass(frozen=True, slots=True)
class Health:
    status: str  # ok, or failing
    reason: str = ""  # why it is failing
    pages_held: int = 0
    visits: int = 0
    robot_silence_s: float | None = None  # None = none has run


@dataclass(frozen=True, slots=True)
class Changes:
    engine: str
    changes: list[Line]


def as_json(kind: type[T]) -> Callable[[T], Response]:
    """A function that makes the answer of a record.

    What FastAPI does itself (copy, check, copy) takes longer than most of our searches.
    """
    adapter = TypeAdapter(kind)

    def answer(value: T) -> Response:
        text = adapter.dump_json(value)
        return Response(text, 200, {"Cache-Control": "no-store"}, "application/json")

    return answer
