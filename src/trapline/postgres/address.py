"""Addresses of stores: postgresql://user@host:5432/database#crawl.

What stands behind # is the name of the crawl; each has tables of its own. Passwords belong into
PGPASSWORD or ~/.pgpass; one that is written in the address is used and shown to nobody.

>>> read_address("postgresql://me:secret@db.lab.org/web#news").shown
'postgresql://me@db.lab.org/web#news'
>>> read_address("postgresql://me@db.lab.org/web").schema
'trapline_trapline'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit

from trapline.core.errors import StoreAddressBad

SCHEMES: Final = ("postgresql", "postgres")
USUAL: Final = "trapline"  # crawl, where none is named
_CRAWL: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_SECRET: Final = ("password", "sslpassword")


@dataclass(frozen=True, slots=True)
class StoreAddress:
    uri: str  # for the database; it may hold a password
    shown: str  # for people
    crawl: str

    @property
    def schema(self) -> str:
        """Where the tables are: a name that needs no quotes."""
        return f"trapline_{self.crawl.replace('-', '_')}"

    def __repr__(self) -> str:
        return f"StoreAddress({self.shown!r})"


def is_store_address(text: str) -> bool:
    """Whether a text is meant as one, and not as a folder."""
    return "://" in text


def read_address(text: str) -> StoreAddress:
    """StoreAddressBad if it is none."""
    scheme = text.partition("://")[0]
    if scheme not in SCHEMES:
        raise StoreAddressBad(hide_password(text), f"{scheme}:// is not known here")
    try:
        parts = urlsplit(text)
        _ = parts.port
    except ValueError as fault:
        raise StoreAddressBad(hide_password(text), str(fault)) from None
    crawl = unquote(parts.fragment) or USUAL
    if not _CRAWL.fullmatch(crawl):
        problem = "the name of a crawl has small letters, digits, - and _, at most 40"
        raise StoreAddressBad(hide_password(text), problem)
    uri = urlunsplit(parts._replace(fragment=""))
    return StoreAddress(uri, hide_password(text), crawl)


def password_in(text: str) -> str:
    """The one that is written in an address; "" = none."""
    parts = urlsplit(text)
    asked = dict(parse_qsl(parts.query))
    return unquote(parts.password or "") or asked.get("password", "")


def hide_password(text: str) -> str:
    """The address without it, wherever it stands.

    >>> hide_password("postgresql://a:b@/x?host=/tmp&password=c")
    'postgresql://a@/x?host=/tmp'
    """
    try:
        parts = urlsplit(text)
    except ValueError:
        return text.partition("://")[0] + "://…"
    user, at, place = parts.netloc.rpartition("@")
    netloc = f"{user.partition(':')[0]}{at}{place}"
    kept = [(k, v) for k, v in parse_qsl(parts.query) if k not in _SECRET]
    # a folder as host reads better with its slashes
    query = urlencode(kept, safe="/")
    return urlunsplit(parts._replace(netloc=netloc, query=query))
