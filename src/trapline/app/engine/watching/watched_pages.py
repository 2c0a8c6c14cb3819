"""By which rules, and within which intervals, each page is read: from the settings, and from lists
that may change while the robot runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from trapline.app.output.page_names import NAMELESS, PageName
from trapline.app.rule_tables import RulesTable, WatchedPageTable
from trapline.app.settings import Settings
from trapline.reading.rules.reading_rules import NO_RULES, FieldRule, ReadingRules
from trapline.robot.page_intervals import NO_BOUNDS, Interval

Fields = tuple[FieldRule, ...]


class WatchedPages:
    """`listed_as(url)` names the page on the list that has moved to `url`, or `url` itself; None =
    nothing is watched, links are followed.
    """

    def __init__(
        self, settings: Settings, listed_as: Callable[[str], str] | None = None
    ) -> None:
        self._listed_as = listed_as
        self._pages: dict[str, WatchedPageTable] = {}
        self._others: RulesTable = RulesTable()
        self._extracts: list[tuple[re.Pattern[str], Fields]] = []
        self._made: dict[tuple[str, Fields], ReadingRules] = {}
        self.take(settings)

    def take(self, settings: Settings) -> None:
        """From now on these hold."""
        watch = settings.watch
        self._others = watch
        self._pages = {page.url: page.over(watch) for page in watch.pages}
        self._extracts = [
            (one.pattern(), one.field_rules()) for one in settings.extract
        ]
        self._made = {}

    def rules(self, url: str) -> ReadingRules:
        """By which the page at `url` is to be read."""
        fields = self._fields(url) if self._extracts else ()
        if self._listed_as is None:
            return self._make("", fields) if fields else NO_RULES
        listed = self._listed_as(url)
        return self._make(listed if listed in self._pages else "", fields)

    def asks(self) -> bool:
        """Whether any page has rules: expressions of people may take long."""
        if self._extracts or self._listed_as is None:
            return bool(self._extracts)
        return any(one.rules().asks for one in (self._others, *self._pages.values()))

    def interval(self, url: str) -> Interval:
        if self._listed_as is None:
            return NO_BOUNDS
        return self._pages.get(self._listed_as(url), self._others).interval()

    def name(self, url: str) -> PageName:
        page = self._pages.get(self._listed_as(url) if self._listed_as else url)
        return PageName(page.name, tuple(page.tags)) if page else NAMELESS

    def _make(self, listed: str, fields: Fields) -> ReadingRules:
        """The same object for the same rules: thousands of pages may have them."""
        rules = self._made.get((listed, fields))
        if rules is None and self._listed_as is None:
            rules = ReadingRules(fields=fields)
        elif rules is None:
            rules = self._pages.get(listed, self._others).rules(fields)
        return self._made.setdefault((listed, fields), rules)

    def _fields(self, url: str) -> Fields:
        """Of all tables whose patterns match; of two fields of one name, the first."""
        path = url[url.index("/", 8) :]
        found: dict[str, FieldRule] = {}
        for pattern, rules in self._extracts:
            if pattern.match(path):
                found = {rule.name: rule for rule in rules} | found
        return tuple(found.values())
