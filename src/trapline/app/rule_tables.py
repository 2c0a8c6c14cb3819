"""The tables [watch] and [[extract]] of the settings: rules by which pages are read.

A line of a list says the same in words: `URL Name of the page key=value …`, see
app/crawl/watch_lines.py. What a page does not say itself, [watch] says for it.
"""

from __future__ import annotations

import re
from fnmatch import translate
from math import inf, isfinite
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from trapline.app.settings_tables import Table
from trapline.core.errors import UserMistake
from trapline.core.spans import read_span
from trapline.core.urls import canonical
from trapline.reading.rules.field_values import MOST_FIELDS, read_field_rule
from trapline.reading.rules.numbers import ANY, check_number_pattern
from trapline.reading.rules.patterns import compile_pattern
from trapline.reading.rules.reading_rules import (
    NO_THRESHOLD,
    FieldRule,
    ReadingRules,
    Threshold,
)
from trapline.reading.rules.selectors import check_selector
from trapline.robot.page_intervals import Interval

FIRST_NUMBER: Final = "true"
LONGEST_S: Final = 100.0 * 365.0 * 86_400.0
MOST_RULES: Final = 50  # selectors or expressions of one kind
_THRESHOLD: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*(%|words?)?")


def seconds_of(text: object) -> float:
    """Read an interval.

    >>> seconds_of("10min"), seconds_of("1d"), seconds_of(90)
    (600.0, 86400.0, 90.0)
    """
    if isinstance(text, int | float) and not isinstance(text, bool) and text >= 0:
        return float(text)
    seconds = read_span(str(text))
    if seconds is None:
        raise ValueError(f"it must be an interval like 10min, 2h or 1d, not {text!r}")
    return seconds


def threshold_of(text: str) -> Threshold:
    """
    >>> threshold_of("5"), threshold_of("2.5%")
    (Threshold(words=5, share=0.0), Threshold(words=0, share=0.025))
    """
    match = _THRESHOLD.fullmatch(text.strip())
    if match is None or (match[2] != "%" and "." in match[1]):
        raise ValueError(f"it must be words or a share, like 5 or 2%, not {text!r}")
    if match[2] == "%":
        return Threshold(share=float(match[1]) / 100.0)
    return Threshold(words=int(match[1]))


def _check_selector(text: str) -> str:
    return _check(check_selector, text)


def _check_pattern(text: str) -> str:
    return _check(compile_pattern, text)


def _check(check: Any, text: str) -> str:
    try:
        check(text)
    except UserMistake as mistake:
        raise ValueError(str(mistake)) from None
    return text


def _read_list(value: object) -> object:
    """One text is a list of one."""
    return [value] if isinstance(value, str) and value else value


def _read_number(value: object) -> object:
    if isinstance(value, bool):
        return FIRST_NUMBER if value else ""
    if not isinstance(value, str) or not value:
        return value
    if value.lower() in (FIRST_NUMBER, "false"):  # as a line of a list says it
        return FIRST_NUMBER if value.lower() == FIRST_NUMBER else ""
    return _check(check_number_pattern, value)


def _read_threshold(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = f"{value:g}"
    if isinstance(value, str) and value:
        threshold_of(value)
    return value


def _read_limit(value: object) -> object:
    """A number, as text: no limit is an empty one, and JSON knows no infinity."""
    if isinstance(value, bool) or value == "":
        return value
    if not isinstance(value, int | float | str) or not _is_finite(value):
        raise ValueError(f"it must be a number, not {value!r}")
    return f"{float(value):.12g}"


def _is_finite(value: float | str) -> bool:
    try:
        return isfinite(float(value))
    except ValueError:
        return False


def _read_interval(value: object) -> object:
    if isinstance(value, bool) or value == "":
        return value
    seconds = seconds_of(value)
    if seconds > LONGEST_S:
        raise ValueError(f"it must be an interval of at most 100 years, not {value!r}")
    return value if isinstance(value, str) else f"{seconds:f}s"


def _read_pattern(value: object) -> object:
    return _check_pattern(value) if isinstance(value, str) and value else value


def _read_url(value: object) -> object:
    try:
        return canonical(value) if isinstance(value, str) else value
    except UserMistake as mistake:
        raise ValueError(str(mistake)) from None


Selectors = Annotated[
    list[Annotated[str, AfterValidator(_check_selector)]],
    Field(max_length=MOST_RULES),
    BeforeValidator(_read_list),
]
Patterns = Annotated[
    list[Annotated[str, AfterValidator(_check_pattern)]],
    Field(max_length=MOST_RULES),
    BeforeValidator(_read_list),
]
Limit = Annotated[str, BeforeValidator(_read_limit)]
Duration = Annotated[str, BeforeValidator(_read_interval)]


class RulesTable(Table):
    """What is empty asks for nothing."""

    select: Selectors = Field(default_factory=list)
    ignore: Selectors = Field(default_factory=list)
    ignore_text: Patterns = Field(default_factory=list)
    only_if: Annotated[str, BeforeValidator(_read_pattern)] = ""
    threshold: Annotated[str, BeforeValidator(_read_threshold)] = ""
    number: Annotated[str, BeforeValidator(_read_number)] = ""
    above: Limit = ""
    below: Limit = ""
    at_least: Duration = ""
    at_most: Duration = ""

    @model_validator(mode="after")
    def _check_together(self) -> RulesTable:
        least_s, most_s = self.interval()
        if least_s > most_s or most_s <= 0.0:
            raise ValueError("at_least is longer than at_most, or at_most is nothing")
        return self

    def interval(self) -> Interval:
        return Interval(
            seconds_of(self.at_least or 0.0), seconds_of(self.at_most or inf)
        )

    def rules(self, fields: tuple[FieldRule, ...] = ()) -> ReadingRules:
        """For the page of a watch."""
        return ReadingRules(
            select=tuple(self.select),
            ignore=tuple(self.ignore),
            ignore_text=tuple(self.ignore_text),
            only_if=self.only_if,
            number=ANY if self.number == FIRST_NUMBER else self.number,
            above=float(self.above or inf),
            below=float(self.below or -inf),
            threshold=threshold_of(self.threshold) if self.threshold else NO_THRESHOLD,
            fields=fields,
            watched=True,
        )


class WatchedPageTable(RulesTable):
    url: Annotated[str, BeforeValidator(_read_url)]
    name: str = ""
    tags: Annotated[list[str], BeforeValidator(_read_list)] = Field(
        default_factory=list
    )

    def over(self, below: RulesTable) -> WatchedPageTable:
        """The same page; what it does not say itself is as the table below says."""
        said = {
            name: value
            for name in RulesTable.model_fields
            if (value := getattr(below, name)) != getattr(_SAYS_NOTHING, name)
            and getattr(self, name) == getattr(_SAYS_NOTHING, name)
        }
        return self.model_copy(update=said) if said else self


_SAYS_NOTHING: Final = RulesTable()


class WatchTable(RulesTable):
    pages: list[WatchedPageTable] = Field(default_factory=list)

    @model_validator(mode="after")
    def _check_pages(self) -> WatchTable:
        for page in self.pages:
            check_laid(page.over(self))
        return self


def check_laid(page: WatchedPageTable) -> None:
    """What a page and [watch] say together; ValueError if it does not fit."""
    least_s, most_s = page.interval()
    if least_s > most_s:
        raise ValueError(
            f"at_least is longer than at_most for {page.url}: say both there"
        )
    if not page.number and (page.above or page.below):
        raise ValueError(f"above and below need number = true for {page.url}")


class ExtractTable(Table):
    """Fields that are picked out of pages; `pages` are patterns of path and query."""

    pages: list[Annotated[str, Field(pattern=r"^[/*]")]] = Field(default_factory=list)
    fields: Annotated[dict[str, str], Field(min_length=1, max_length=MOST_FIELDS)]

    @model_validator(mode="after")
    def _check_fields(self) -> ExtractTable:
        try:
            self.field_rules()
        except UserMistake as mistake:
            raise ValueError(f"fields: {mistake}") from None
        return self

    def field_rules(self) -> tuple[FieldRule, ...]:
        return tuple(read_field_rule(*field) for field in self.fields.items())

    def pattern(self) -> re.Pattern[str]:
        """Of path and query; without patterns, any."""
        return re.compile("|".join(map(translate, self.pages or ["*"])))
