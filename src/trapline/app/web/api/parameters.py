"""What may be said in a request: parameters and their bounds, as the OpenAPI document has them."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Final

from fastapi import Path, Query, Request
from pydantic import BeforeValidator

from trapline.app.web.error_pages import ParameterMisused
from trapline.search.query_language import LONGEST

LARGEST: Final = 2**63 - 1  # number that the store can look for
DAY_S: Final = 86_400.0
# line ends and tabs are spaces to a query; other control characters are a mistake
CLEAN: Final = r"^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$"
_HOST: Final = r"^[^\s\x00-\x20\x7f/?#@]+$"
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _read_day(said: Any) -> Any:
    """Only the one spelling: others that Python would take for a date are not meant as one."""
    if isinstance(said, str) and not _DAY.fullmatch(said):
        raise ValueError("a date is wanted, like 2026-01-31")
    return said


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
    Query(max_length=2000, pattern=CLEAN, description="A page that the engine knows."),
]
HostName = Annotated[
    str | None,
    Query(max_length=300, pattern=_HOST, description="Only pages of this host."),
]
Language = Annotated[
    str | None,
    Query(pattern="^[a-z]{2}$", description="Only pages in this language."),
]
ChangedFrom = Annotated[
    date | None,
    BeforeValidator(_read_day),
    Query(description="Only pages that changed on this day or later (UTC)."),
]
ChangedTo = Annotated[
    date | None,
    BeforeValidator(_read_day),
    Query(description="Only pages that changed on this day or earlier (UTC)."),
]
Cursor = Annotated[
    str,
    Query(
        max_length=1000,
        pattern=r"^[A-Za-z0-9._~=:,-]*$",
        description="Of the answer before: goes on where that one ended.",
    ),
]
Offset = Annotated[int, Query(ge=0, le=10_000, description="Results to skip.")]
Hits = Annotated[int, Query(ge=1, le=100, description="Most results.")]
Suggestions = Annotated[int, Query(ge=1, le=20, description="Most suggestions.")]
Rows = Annotated[int, Query(ge=1, le=1000, description="Most rows.")]
After = Annotated[
    int, Query(ge=0, le=LARGEST, description="Number of the last change known.")
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


async def check_parameters(request: Request) -> None:
    """What is misspelt must not be taken for what is left out."""
    if not request.url.path.startswith("/api/"):
        return
    dependant = getattr(request.scope.get("route"), "dependant", None)
    if dependant is None:
        return
    known = {field.alias for field in dependant.query_params}
    seen: set[str] = set()
    for name, _ in request.query_params.multi_items():
        if name not in known:
            raise ParameterMisused(f"there is no parameter {name[:50]!r} here")
        if name in seen:
            raise ParameterMisused(f"{name} is given twice")
        seen.add(name)
