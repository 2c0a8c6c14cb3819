"""What belongs to a crawl: hosts, path patterns, languages, links from a seed, pages in all.

Patterns are as in a shell: `*` is any text, `?` one character. A host pattern without a port means
any port; one that begins with a dot means the domain and everything below it.

>>> scope = Scope(hosts=(".example.org",), exclude=("*/print/*",), languages=("en",))
>>> scope.allows("http://docs.example.org/a"), scope.allows("http://example.com/")
(True, False)
>>> scope.allows("https://example.org/print/a"), Scope().allows("http://anywhere.net/")
(False, True)
>>> scope.speaks("de"), scope.speaks("")
(False, True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fnmatch import translate
from functools import cached_property
from typing import Final

from trapline.core.errors import check_count
from trapline.core.urls import host_of

UNLIMITED: Final = 10**9
DEEPEST: Final = 255  # links from a seed that a card can count


def _pattern(texts: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(map(translate, texts)))


def _host_texts(pattern: str) -> list[str]:
    names = [pattern[1:], f"*{pattern}"] if pattern.startswith(".") else [pattern]
    return [name if re.search(r":[\d*]+$", name) else f"{name}:*" for name in names]


@dataclass(frozen=True)
class Scope:
    hosts: tuple[str, ...] = ()  # none = any
    include: tuple[str, ...] = ()  # of path and query, beginning with /; none = any
    exclude: tuple[str, ...] = ()
    # two letters; none = any. A page whose language is unknown is let in
    languages: tuple[str, ...] = ()
    depth: int = DEEPEST  # links from a seed
    pages: int = UNLIMITED  # held at most
    _hosts_known: dict[str, bool] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        check_count("scope.pages", self.pages, "how many may be held")

    def allows(self, url: str) -> bool:
        """Whether a canonical URL may be visited."""
        if not (self.hosts or self.include or self.exclude):
            return True
        origin = url[: url.index("/", 8)]
        path = url[url.index("/", 8) :]
        if self.hosts and not self._host_allowed(origin):
            return False
        if self.include and not self._included.match(path):
            return False
        return not (self.exclude and self._excluded.match(path))

    def allows_host(self, url: str) -> bool:
        return not self.hosts or self._host_allowed(url[: url.index("/", 8)])

    def speaks(self, language: str) -> bool:
        return not self.languages or not language or language.lower() in self.languages

    def _host_allowed(self, origin: str) -> bool:
        known = self._hosts_known.get(origin)
        if known is None:
            if len(self._hosts_known) > 100_000:
                self._hosts_known.clear()
            known = self._hosts_known[origin] = (
                self._named.match(host_of(origin + "/")) is not None
            )
        return known

    @cached_property
    def _named(self) -> re.Pattern[str]:
        return _pattern(
            tuple(
                text for pattern in self.hosts for text in _host_texts(pattern.lower())
            )
        )

    @cached_property
    def _included(self) -> re.Pattern[str]:
        return _pattern(self.include)

    @cached_property
    def _excluded(self) -> re.Pattern[str]:
        return _pattern(self.exclude)
