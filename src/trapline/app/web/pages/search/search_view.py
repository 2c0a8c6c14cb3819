"""What a reader of the search page has chosen: all of it stands in the URL."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final
from urllib.parse import urlencode

from trapline.search.questions import Question, Sort

PER_PAGE: Final = 10
FARTHEST: Final = 1000  # pages of results
_DAY_S: Final = 86_400.0


class Age(StrEnum):
    """How long ago a page changed last."""

    ANY = ""
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"
    OLDER = "older"


AGE_NAMES: Final = {
    Age.ANY: "any time",
    Age.DAY: "the last day",
    Age.WEEK: "the last week",
    Age.MONTH: "the last month",
    Age.YEAR: "the last year",
    Age.OLDER: "more than a year ago",
}
_LENGTHS_S: Final = {
    Age.DAY: _DAY_S,
    Age.WEEK: 7 * _DAY_S,
    Age.MONTH: 31 * _DAY_S,  # as facets are counted
    Age.YEAR: 366 * _DAY_S,
}


@dataclass(frozen=True, slots=True)
class View:
    """A query with its filters, order and page.

    >>> View("red shift", host="a.org", page=2).link(page=3)
    '/search?q=red+shift&host=a.org&page=3'
    """

    query: str = ""
    host: str = ""
    language: str = ""
    age: Age = Age.ANY
    sort: Sort = Sort.BEST
    page: int = 1
    engines: tuple[str, ...] = ()  # of a federation; none = all

    @property
    def is_filtered(self) -> bool:
        return bool(self.host or self.language or self.age or self.engines)

    def link(self, **changes: Any) -> str:
        """The URL of this view with changes."""
        return f"/search?{replace(self, **changes).parameters()}"

    def parameters(self) -> str:
        """As a URL has them; what is not chosen is not said."""
        chosen = {
            "q": self.query,
            "host": self.host,
            "lang": self.language,
            "age": str(self.age),
            "engines": ",".join(self.engines),
            "sort": "" if self.sort is Sort.BEST else str(self.sort),
            "page": "" if self.page == 1 else str(self.page),
        }
        return urlencode({name: v for name, v in chosen.items() if v})

    def link_without_filters(self) -> str:
        return self.link(host="", language="", age=Age.ANY, page=1, engines=())

    def question(self, now_s: float) -> Question:
        newest_s = now_s - _LENGTHS_S[Age.YEAR]
        length_s = _LENGTHS_S.get(self.age)
        return Question(
            self.query,
            limit=PER_PAGE,
            offset=(self.page - 1) * PER_PAGE,
            sort=self.sort,
            host=self.host,
            language=self.language,
            changed_from_s=None if length_s is None else now_s - length_s,
            changed_to_s=newest_s if self.age is Age.OLDER else None,
            explain=True,
            facets=True,
        )
