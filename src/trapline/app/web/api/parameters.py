"""What may be said in a request: parameters and their bounds, as the OpenAPI document has them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import Annotated, Any, Final
from urllib.parse import unquote_to_bytes

from fastapi import Path, Query, Request
from pydantic import BeforeValidator, StringConstraints
from pydantic.json_schema import SkipJsonSchema
from starlette.exceptions import HTTPException

from trapline.app.web.api.patterns import (
    CLEAN,
    CURSOR,
    HOST,
    LANGUAGE,
    QUERY_ID,
    RARITIES,
    URL,
    VERSION,
)
from trapline.search.query_language import LONGEST
from trapline.search.statistics.rarities import LONGEST as LONGEST_RARITIES

LARGEST: Final = 2**53 - 1  # number that JSON tells from its neighbours
DAY_S: Final = 86_400.0
Nothing = SkipJsonSchema[None]  # what is left out; nobody can write it
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_TIME: Final = re.compile(_DAY.pattern + r"($|[Tt ][0-9]{2}:)")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def _read_day(said: Any) -> Any:
    """Only the one spelling: others that Python would take for a date are not meant as one."""
    if isinstance(said, str) and not _DAY.fullmatch(said):
        raise ValueError("must be a date like 2026-01-31")
    return said


def _read_time(said: Any) -> Any:
    """A day begins at midnight, and all is in UTC that does not say otherwise."""
    if not isinstance(said, str):
        return said
    try:
        if not _TIME.match(said):
            raise ValueError
        moment = datetime.fromisoformat(said)
    except ValueError:
        problem = "must be a date or a time like 2026-01-31 or 2026-01-31T12:00:00Z"
        raise ValueError(problem) from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


Words = Annotated[
    str,
    Query(max_length=LONGEST, pattern=CLEAN, description="What is looked for."),
]
Beginning = Annotated[
    str,
    Query(max_length=LONGEST, pattern=CLEAN, description="A query being typed."),
]
Url = Annotated[
    str,
    Query(max_length=2000, pattern=URL, description="A page that the engine knows."),
]
HostName = Annotated[
    Annotated[str, StringConstraints(max_length=300, pattern=HOST)] | Nothing,
    Query(description="Only pages of this host."),
]
Language = Annotated[
    Annotated[str, StringConstraints(pattern=LANGUAGE)] | Nothing,
    Query(description="Only pages in this language."),
]
ChangedFrom = Annotated[
    date | Nothing,
    BeforeValidator(_read_day),
    Query(description="Only pages that changed on this day or later (UTC)."),
]
ChangedTo = Annotated[
    date | Nothing,
    BeforeValidator(_read_day),
    Query(description="Only pages that changed on this day or earlier (UTC)."),
]
Cursor = Annotated[
    str,
    Query(
        max_length=1000,
        pattern=CURSOR,
        description="Of the answer before: goes on where that one ended.",
    ),
]
RaritiesGiven = Annotated[
    str,
    Query(
        max_length=LONGEST_RARITIES,
        pattern=RARITIES,
        description="How rare the stems of the query are, for scores that can be compared.",
    ),
]
StatisticsVersion = Annotated[
    str,
    Query(
        max_length=64,
        pattern=VERSION,
        description="The version of the table from which the rarities are.",
    ),
]
AsTyped = Annotated[
    bool, Query(description="Nothing is corrected: the query was passed on.")
]
QueryId = Annotated[
    str,
    Query(
        max_length=32,
        pattern=QUERY_ID,
        description="Of a query that was passed on: it is not passed on twice.",
    ),
]
Hops = Annotated[
    int,
    Query(
        ge=0,
        le=100,
        description="Brokers that passed the query on; from 1 on nobody else is asked.",
    ),
]
EngineNames = Annotated[
    str,
    Query(
        max_length=2000,
        pattern=CLEAN,
        description="Only these engines: names or fingerprints, with commas; `own` is this one.",
    ),
]
Offset = Annotated[int, Query(ge=0, le=10_000, description="Results to skip.")]
Hits = Annotated[int, Query(ge=1, le=100, description="Most results.")]
Suggestions = Annotated[int, Query(ge=1, le=20, description="Most suggestions.")]
Rows = Annotated[int, Query(ge=1, le=1000, description="Most rows.")]
After = Annotated[
    int, Query(ge=0, le=LARGEST, description="Number of the last change known.")
]
Since = Annotated[
    date | datetime | Nothing,
    BeforeValidator(_read_time),
    Query(description="Only changes since then: a date, or a time."),
]
PageNumber = Annotated[int, Path(ge=0, le=LARGEST, description="Number of a page.")]


def start_of(day: date | None) -> float | None:
    """Seconds at which a day begins.

    >>> start_of(date(1970, 1, 2)), start_of(None)
    (86400.0, None)
    """
    if day is None:
        return None
    return (day.toordinal() - date(1970, 1, 1).toordinal()) * DAY_S


class BadCharacters(ValueError):
    """What no keyboard writes stands in an address."""


async def check_parameters(request: Request) -> None:
    """What is misspelt must not be taken for what is left out, nor other characters for those that
    were said.
    """
    _check_characters(request.scope["query_string"])
    if not request.url.path.startswith("/api/"):
        return
    dependant = getattr(request.scope.get("route"), "dependant", None)
    if dependant is None:
        return
    known = _query_names(dependant)
    seen: set[str] = set()
    for name, _ in request.query_params.multi_items():
        if name not in known:
            raise HTTPException(422, f"there is no parameter {name[:50]!r} here")
        if name in seen:
            raise HTTPException(422, f"{name} is given twice")
        seen.add(name)


def _query_names(dependant: Any) -> set[str]:
    """Of an endpoint, and of what it depends on."""
    known = {field.alias for field in dependant.query_params}
    return known.union(*map(_query_names, dependant.dependencies))


def _check_characters(query: bytes) -> None:
    try:
        said = unquote_to_bytes(query).decode()
    except UnicodeDecodeError:
        raise BadCharacters(
            "the address must be in UTF-8, in whole characters"
        ) from None
    if _CONTROL.search(said):
        raise BadCharacters("the address must not have control characters")
