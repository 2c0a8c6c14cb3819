"""Who made a browser ask: a person, one of our own pages, or a page of another site.

Browsers say so themselves (`Sec-Fetch-Site`), and no page can make them say otherwise. Programs say
nothing, and ask for themselves.
"""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers
from starlette.requests import Request

_OWN_SITES: Final = ("same-origin", "none")  # none: a person typed the address


def is_foreign(headers: Headers) -> bool:
    """Whether a page of another site had this asked.

    >>> is_foreign(Headers({"Sec-Fetch-Site": "cross-site"})), is_foreign(Headers())
    (True, False)
    """
    return headers.get("sec-fetch-site", "none").lower() not in _OWN_SITES


def follows_a_link(headers: Headers) -> bool:
    """Whether the answer is to be a page of its own, for a person to see; not a picture, not a
    frame.

    >>> follows_a_link(Headers({"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}))
    True
    """
    mode = headers.get("sec-fetch-mode", "").lower()
    dest = headers.get("sec-fetch-dest", "document").lower()
    return mode == "navigate" and dest == "document"


def asks_by_itself(request: Request) -> bool:
    """Whether this counts as a question that somebody asked here."""
    return request.method != "HEAD" and not is_foreign(request.headers)
