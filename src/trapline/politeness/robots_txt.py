"""robots.txt (RFC 9309): what a host allows us, and what its absence means.

An answer 2xx is the rules; 4xx says that there are none; anything else (5xx, 429, no answer, a
redirect that leads nowhere) means that we do not know, and then everything is disallowed until we
do: fail closed.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from typing import Final

from protego import Protego

from trapline.core.errors import BadUrl
from trapline.core.records import Failure, Fetched, Robots
from trapline.core.urls import canonical

PRODUCT: Final = "trapline"  # the product token by which robots.txt files may name us
_TRANSIENT: Final = (
    Failure.TIMEOUT,
    Failure.CONNECTION,
    Failure.NO_SUCH_NAME,
    Failure.PROXY,
)
LONGEST: Final = 500 * 1024  # RFC 9309 §2.5: what lies beyond may be ignored
VALID_S: Final = 86_400.0  # RFC 9309 §2.4: a copy older than a day should not be used
SOON_S: Final = 60.0  # a server in trouble may be well again in a minute
# a refusal by our own rules, or an answer that makes no sense, will not be
LATER_S: Final = 600.0
MOST_SITEMAPS: Final = 20

_AGENT_LINE: Final = re.compile(
    r"^[ \t]*user[- ]?agent[ \t]*[: \t][ \t]*(\*|[a-z_-]*).*$",
    re.IGNORECASE | re.MULTILINE,
)
_SITEMAP_LINE: Final = re.compile(
    r"^[ \t]*site-?map[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE
)


class Rules:
    """The rules of one robots.txt for one product token.

    >>> rules = Rules("User-agent: *\\nDisallow: /private\\nCrawl-delay: 2")
    >>> rules.allows("http://example.org/"), rules.allows("http://example.org/private/1")
    (True, False)
    >>> rules.crawl_delay_s
    2.0
    """

    def __init__(self, text: str, product: str = PRODUCT) -> None:
        self._product = product
        self._protego = Protego.parse(
            _only_for(product, _whole_lines(text.removeprefix("\ufeff")))
        )

    @classmethod
    def forbid_all(cls) -> Rules:
        """Rules that disallow everything.

        >>> Rules.forbid_all().allows("http://example.org/")
        False
        """
        return cls("User-agent: *\nDisallow: /")

    @classmethod
    def of(cls, robots: Robots) -> Rules:
        """The rules of a record: text that could not be had closes the host."""
        return cls.forbid_all() if robots.text is None else cls(robots.text)

    def allows(self, url: str) -> bool:
        try:
            return bool(self._protego.can_fetch(url, self._product))
        except ValueError:
            # a URL that protego cannot split has no path that a rule could allow
            return False

    @property
    def crawl_delay_s(self) -> float | None:
        delay = self._protego.crawl_delay(self._product)
        return (
            float(delay)
            if delay is not None and math.isfinite(delay) and delay >= 0
            else None
        )


def robots_from(fetched: Fetched, now_s: float) -> Robots:
    """What the answer to a request for robots.txt means, and until when.

    A failure has no memory here: the same host is asked again after a minute (or what Retry-After
    says), or after ten minutes where a quick change is unlikely.
    """
    if fetched.failure is None and 200 <= fetched.status < 300:
        return Robots(_whole_lines(_decode(fetched.body)), now_s + VALID_S)
    # 429 is a 4xx in number only: it speaks of us, not of the file.
    if (
        fetched.failure is None
        and 400 <= fetched.status < 500
        and fetched.status != 429
    ):
        return Robots("", now_s + VALID_S)
    return Robots(None, now_s + _patience_s(fetched))


def sitemaps_in(robots: Robots, url: str) -> list[str]:
    """The first sitemaps that the robots.txt at `url` names, for whomever its rules are (RFC 9309
    §2.2.4).

    >>> lines = ["User-agent: x", "Disallow: /", "Sitemap: /map.xml", "sitemap: mailto:me"]
    >>> sitemaps_in(Robots("\\n".join(lines), 0.0), "http://a.org/robots.txt")
    ['http://a.org/map.xml']
    """
    found: dict[str, None] = {}
    for match in _SITEMAP_LINE.finditer("\n".join((robots.text or "").splitlines())):
        with suppress(BadUrl):
            found[canonical(match[1], url)] = None
        if len(found) == MOST_SITEMAPS:
            break
    return list(found)


def _patience_s(fetched: Fetched) -> float:
    transient = fetched.failure in _TRANSIENT or fetched.status >= 400
    return min(max(SOON_S if transient else LATER_S, fetched.retry_after_s), VALID_S)


def _decode(body: bytes) -> str:
    # One byte more than the limit, so that `_whole_lines` sees that there was more.
    return body[: LONGEST + 1].decode("utf-8-sig", errors="replace")


def _whole_lines(text: str) -> str:
    """At most LONGEST characters, and no half line: `Allow: /` may be the stump of
    `Allow: /open`.
    """
    return text if len(text) <= LONGEST else text[: text.rfind("\n", 0, LONGEST) + 1]


def _only_for(product: str, text: str) -> str:
    """Name every group that is neither ours nor everybody's `someone-else`.

    protego takes `User-agent: trap` for a prefix of us and `User-agent: trapline/1.0` for a
    stranger; RFC 9309 §2.2.1 compares whole product tokens, case-insensitively, without a version.
    """

    def rename(match: re.Match[str]) -> str:
        token = match[1].lower()
        return f"User-agent: {token if token in ('*', product.lower()) else 'someone-else'}"

    return _AGENT_LINE.sub(rename, "\n".join(text.splitlines()))
