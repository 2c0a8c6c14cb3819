"""robots.txt (RFC 9309): what a host allows us, and what its absence means.

An answer 2xx is the rules; 4xx says that there are none; anything else (5xx, 429, no answer, a
redirect that leads nowhere) means that we do not know, and then everything is disallowed until we
do: fail closed.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Final, NamedTuple

from trapline.core.errors import BadUrl
from trapline.core.records import Failure, Fetched, HostRules, Robots
from trapline.core.urls import canonical
from trapline.politeness.rule_packing import pack_rules
from trapline.politeness.rules import rules_of

_TRANSIENT: Final = (
    Failure.TIMEOUT,
    Failure.CONNECTION,
    Failure.NO_SUCH_NAME,
    Failure.PROXY,
    Failure.NO_LEASE,
)
LONGEST: Final = 500 * 1024  # RFC 9309 §2.5: what lies beyond may be ignored
VALID_S: Final = 86_400.0  # RFC 9309 §2.4: a copy older than a day should not be used
SOON_S: Final = 60.0  # a server in trouble may be well again in a minute
# a refusal by our own rules, or an answer that makes no sense, will not be
LATER_S: Final = 600.0
MOST_SITEMAPS: Final = 20

_SITEMAP_LINE: Final = re.compile(
    r"^[ \t]*site-?map[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE
)


class RobotsFile(NamedTuple):
    """A robots.txt, read: large ones take a tenth of a second, so readers do it."""

    text: str
    rules: bytes  # compiled
    sitemaps: tuple[str, ...]


def read_robots(body: bytes, url: str) -> RobotsFile:
    text = _whole_lines(_decode(body))
    return RobotsFile(text, pack_rules(text), tuple(sitemaps_in(text, url)))


def has_robots(fetched: Fetched) -> bool:
    """Whether an answer to a request for robots.txt is one."""
    return fetched.failure is None and 200 <= fetched.status < 300


def robots_from(fetched: Fetched, now_s: float, file: RobotsFile | None) -> Robots:
    """What the answer to a request for robots.txt means, and until when; `file` is what was read of
    it, if it is one.

    A failure has no memory here: the same host is asked again after a minute (or what Retry-After
    says), or after ten minutes where a quick change is unlikely.
    """
    if file is not None:
        return Robots(file.text, now_s + VALID_S, file.rules)
    # 429 is a 4xx in number only: it speaks of us, not of the file.
    if (
        fetched.failure is None
        and 400 <= fetched.status < 500
        and fetched.status != 429
    ):
        return Robots("", now_s + VALID_S)
    return Robots(None, now_s + _patience_s(fetched))


def host_rules(robots: Robots) -> HostRules:
    """What the controller needs to know of it."""
    rules = rules_of(robots)
    return HostRules(
        robots.until_s,
        open=robots.text is not None,
        ruled=len(rules) > 0,
        delay_s=rules.crawl_delay_s,
    )


def sitemaps_in(text: str, url: str) -> list[str]:
    """The first sitemaps that the robots.txt at `url` names, for whomever its rules are (RFC 9309
    §2.2.4).

    >>> lines = ["User-agent: x", "Disallow: /", "Sitemap: /map.xml", "sitemap: mailto:me"]
    >>> sitemaps_in("\\n".join(lines), "http://a.org/robots.txt")
    ['http://a.org/map.xml']
    """
    found: dict[str, None] = {}
    for match in _SITEMAP_LINE.finditer("\n".join(text.splitlines())):
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
