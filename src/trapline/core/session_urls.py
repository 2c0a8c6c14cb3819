"""Session and tracking marks in URLs: one page under a new address for every visitor."""

from __future__ import annotations

import re
from typing import Final

_SESSION_NAMES: Final = frozenset(
    re.findall(
        r"\w+",
        "jsessionid phpsessid sessionid session_id sessid oscsid zenid cfid cftoken "
        "gclid dclid gbraid wbraid fbclid msclkid yclid twclid ttclid igshid mc_cid mc_eid "
        "mkt_tok _ga _gl _hsenc "
        "_hsmi vero_id",
    )
)
_SESSION_STARTS: Final = ("utm_", "aspsessionid", "pk_campaign", "mtm_")
# `sid` is a story here and a session there: its value tells, a long mixture of letters and digits.
_PERHAPS_SESSION: Final = frozenset(("sid", "s", "sess", "session", "psid", "token"))
_MARK: Final = re.compile(r"(?=[^\d]*\d)(?=[^a-zA-Z]*[a-zA-Z])[\w-]{16,}")
_PATH_SESSION: Final = re.compile(
    r";(?:jsessionid|phpsessid|sid)=[^/?;]*|(?<=/)\([A-Z]\([\w-]{10,}\)\)/",
    re.IGNORECASE,
)


def without_session(url: str) -> str:
    """A canonical URL without the marks of a session or a campaign; still canonical, and once is
    enough.

    >>> without_session("http://example.org/a;jsessionid=1F3?id=7&utm_source=x&PHPSESSID=9")
    'http://example.org/a?id=7'
    """
    path, _, query = url.partition("?")
    if ";" in path or "(" in path:
        path = _PATH_SESSION.sub("", path)
    if not query:
        return path
    kept = [parameter for parameter in query.split("&") if not _of_session(parameter)]
    return f"{path}?{'&'.join(kept)}" if any(kept) else path


def _of_session(parameter: str) -> bool:
    name, _, value = parameter.partition("=")
    name = name.lower()
    if name in _PERHAPS_SESSION:
        return _MARK.fullmatch(value) is not None
    return name in _SESSION_NAMES or name.startswith(_SESSION_STARTS)
