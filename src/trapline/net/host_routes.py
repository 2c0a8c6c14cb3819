"""How each host is reached: what need not be found out anew for each request.

>>> routes = Routes(Credentials())
>>> routes.spell("http://example.org/a/b?c=1"), routes.spell("HTTP://example.org/a/../b")
('http://example.org/a/b?c=1', 'http://example.org/b')
>>> routes.to("http://example.org/a/b").host_name
'example.org:80'
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from yarl import URL

from trapline.core.urls import canonical, host_of, origin_of
from trapline.net.credentials import Credentials

_REMEMBERED: Final = 10_000
_LONGEST: Final = 1_000  # what is longer is parsed
# After the origin: segments of letters that no rule of URLs changes, none of them beginning with a
# dot, and a query of such letters.
_PLAIN: Final = re.compile(
    r"https?://[a-z0-9.:-]+(?:/(?:[\w~-][\w.~-]*)?)+(?:\?[\w.~=&/-]+)?", re.ASCII
)


@dataclass(frozen=True, slots=True, repr=False)
class Route:
    """To one host."""

    host_name: str
    proxy: URL | None
    headers: Mapping[str, str]
    canonical: bool  # as it was spelt


class Routes:
    def __init__(self, credentials: Credentials) -> None:
        self._credentials = credentials
        self._by_origin = lru_cache(_REMEMBERED)(self._route)

    def to(self, url: str) -> Route:
        """For a URL of which at least the form is canonical."""
        return self._by_origin(url[: url.index("/", 8)])

    def spell(self, url: str) -> str:
        """The URL, canonical.

        Nearly all are already, and most can be seen to be without parsing them.
        """
        plain = len(url) <= _LONGEST and _PLAIN.fullmatch(url)
        return url if plain and self.to(url).canonical else canonical(url)

    def _route(self, origin: str) -> Route:
        home = canonical(origin + "/")
        host_name = host_of(home)
        headers = self._credentials.headers(origin_of(home))
        return Route(
            host_name,
            self._credentials.proxy_for(host_name),
            headers,
            canonical=home == origin + "/",
        )
