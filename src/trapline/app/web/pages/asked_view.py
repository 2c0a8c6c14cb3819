"""What a reader of the search page has chosen, as the URL says it."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from fastapi import Depends, Header, Query

from trapline.app.web.api.patterns import HOST_OR_NONE, LANGUAGE_OR_NONE
from trapline.app.web.pages.search.search_view import FARTHEST, Age, View
from trapline.search.questions import Sort

Text = Annotated[str, Query(max_length=20_000)]
HostName = Annotated[str, Query(max_length=300, pattern=HOST_OR_NONE)]
Language = Annotated[str, Query(pattern=LANGUAGE_OR_NONE)]
PageNumber = Annotated[int, Query(ge=1, le=FARTHEST)]
# of a federation: several by commas, or one after another as a form has them
EngineNames = Annotated[list[str], Query(max_length=50)]
Waiting = Annotated[bool, Query()]  # until other engines have answered
Typing = Annotated[str | None, Header(alias="Trapline-Typing")]
StreamTyping = Annotated[bool, Query(alias="typing")]  # which cannot have headers


def read_view(
    q: Text = "",
    host: HostName = "",
    lang: Language = "",
    age: Age = Age.ANY,
    sort: Sort = Sort.BEST,
    page: PageNumber = 1,
) -> View:
    return View(
        q.strip(),
        host,
        lang,
        age,
        sort,
        page,
    )


def limit_view(
    view: Annotated[View, Depends(read_view)],
    engines: EngineNames = [],  # noqa: B006
) -> View:
    return replace(view, engines=split_names(engines))


def split_names(said: list[str]) -> tuple[str, ...]:
    """
    >>> split_names(["moons, sun", "moons", ""])
    ('moons', 'sun')
    """
    names = [name.strip() for one in said for name in one.split(",")]
    return tuple(dict.fromkeys(name for name in names if name))


AskedView = Annotated[View, Depends(limit_view)]
