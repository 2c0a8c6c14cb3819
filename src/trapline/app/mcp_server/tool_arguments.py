"""What may be said to the tools, with the bounds that a model is told."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import Field

from trapline.core.errors import UserMistake
from trapline.core.storage import Store
from trapline.core.urls import canonical
from trapline.search.query_language import LONGEST
from trapline.search.questions import Sort

MOST_HITS: Final = 50
MOST_CHANGES: Final = 200
LARGEST_PIECE: Final = 50_000
LARGEST: Final = 2**63 - 1

Words = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST,
        description=(
            'Words to look for. Signs say more: "a phrase", +must -without, title:word, '
            "host:example.org, lang:en, changed:>2026-01-31; * alone is every page."
        ),
    ),
]
Hits = Annotated[int, Field(ge=1, le=MOST_HITS, description="Most results.")]
Offset = Annotated[int, Field(ge=0, le=10_000, description="Results to skip.")]
Host = Annotated[str, Field(max_length=300, description="Only pages of this host.")]
Language = Annotated[
    str,
    Field(pattern="^([A-Za-z]{2})?$", description="Only this language: two letters."),
]
ChangedSince = Annotated[
    str,
    Field(
        max_length=40, description="Only pages changed since: 2026-11-01, or a time."
    ),
]
ChangedBefore = Annotated[
    str,
    Field(
        max_length=40, description="Only pages changed before: 2026-11-30, or a time."
    ),
]
Order = Annotated[
    Sort, Field(description="The best first, or the newest change first.")
]
Explain = Annotated[bool, Field(description="Tell what each score is made of.")]
PageName = Annotated[
    int | str,
    Field(union_mode="left_to_right", description="The page's number, or its URL."),
]
Place = Annotated[
    int, Field(ge=0, le=LARGEST, description="Character to begin at: the next_offset.")
]
Size = Annotated[
    int, Field(ge=500, le=LARGEST_PIECE, description="Most characters at once.")
]
Since = Annotated[
    str, Field(max_length=40, description="Changes since then: 2026-11-01, or a time.")
]
After = Annotated[
    int, Field(ge=0, le=LARGEST, description="Changes after this number, instead.")
]
Changes = Annotated[int, Field(ge=1, le=MOST_CHANGES, description="Most changes.")]
Url = Annotated[
    str, Field(min_length=1, max_length=2000, description="http:// or https://")
]


def seconds_of(time: str) -> float | None:
    """A time as people and machines write it, in UTC if it does not say; nothing = none.

    >>> seconds_of("1970-01-02"), seconds_of("1970-01-01T01:00:00+01:00"), seconds_of("")
    (86400.0, 0.0, None)
    """
    if not time.strip():
        return None
    try:
        said = datetime.fromisoformat(time.strip())
        moment = said if said.tzinfo else said.replace(tzinfo=UTC)
        seconds = moment.timestamp()
    except (ValueError, OverflowError):
        seconds = math.nan
    if not math.isfinite(seconds):
        raise UserMistake(
            f"cannot read the time {time[:40]!r}: write it like 2026-11-01 or "
            "2026-11-01T12:00:00Z"
        )
    return seconds


def never_heard_of(url: str) -> UserMistake:
    return UserMistake(f"the engine has never heard of {url}: search for it")


def page_named(store: Store, name: int | str) -> int:
    """The number of a page."""
    if isinstance(name, str) and not name.strip().isdecimal():
        url = canonical(name)
        found = store.number_of(url)
        if found is None:
            raise never_heard_of(url)
        return found
    number = int(name) if len(str(name)) < 19 else -1
    if not 0 <= number < store.counts().known:
        raise UserMistake(f"there is no page {str(name)[:20]}: search gives numbers")
    return number
