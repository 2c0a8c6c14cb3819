"""Which URLs of strangers are shown: none that leads into the reader's own network.

>>> refuse_private("http://127.0.0.1/a"), refuse_private("https://example.org/")
('a private address', None)
>>> refuse_private("http://router.local/"), refuse_private("http://[::1]:8000/")
('a private address', 'a private address')
"""

from __future__ import annotations

from typing import Final

from trapline.core.urls import host_of
from trapline.politeness.addresses import reason_forbidden

_OF_HOME: Final = (
    ".localhost",
    ".local",
    ".internal",
    ".lan",
    ".home.arpa",
    ".intranet",
)
_PRIVATE: Final = "a private address"


def show_all(_: str) -> str | None:
    """For engines that the owner has listed: their pages may be of the owner's network."""
    return None


def refuse_private(url: str) -> str | None:
    """Why a canonical URL is not shown; None = it is."""
    name = host_of(url).rpartition(":")[0].strip("[]").rstrip(".")
    if _is_address(name):
        forbidden = reason_forbidden(name, named_by_user=False) is not None
        return _PRIVATE if forbidden else None
    # a name without a dot is one of the reader's own network
    if "." not in name or name.endswith(_OF_HOME):
        return _PRIVATE
    return None


def _is_address(name: str) -> bool:
    """A canonical URL has addresses in their one spelling."""
    return ":" in name or name.replace(".", "").isdigit()
