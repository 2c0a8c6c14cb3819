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
from urllib.parse import (
    SplitResult,
    parse_qsl,
    quote,
    unquote,
    urlencode,
    urlsplit,
)

from trapline.core.errors import StoreAddressBad

SCHEMES: Final = ("postgresql", "postgres")
USUAL: Final = "trapline"  # crawl, where none is named
_CRAWL: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_CUT: Final = "user:password needs @host behind it, and in a password / is %2F, ? is %3F, # is %23"
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
        if _is_cut_by_password(parts):
            raise StoreAddressBad(hide_password(text), _CUT)
        _ = parts.port
    except ValueError:
        problem = "its host or port cannot be read"
        raise StoreAddressBad(hide_password(text), problem) from None
    crawl = unquote(parts.fragment) or USUAL
    if not _CRAWL.fullmatch(crawl):
        problem = "the name of a crawl has small letters, digits, - and _, at most 40"
        raise StoreAddressBad(hide_password(text), problem)
    uri = _join(parts._replace(fragment=""))
    return StoreAddress(uri, hide_password(text), crawl)


def password_in(text: str) -> str:
    """The one that is written in an address; "" = none.

    >>> password_in("postgresql://a:b%2F+c@/x"), password_in("postgresql:///x?password=b%2F+c")
    ('b/+c', 'b/+c')
    """
    parts = urlsplit(text)
    return unquote(parts.password or "") or dict(_read_query(parts.query)).get(
        "password", ""
    )


def hide_password(text: str) -> str:
    """The address without it, wherever it stands; whoever uses it says the password otherwise.

    >>> hide_password("postgresql://a:b@/x?host=/tmp&password=c")
    'postgresql://a@/x?host=/tmp'
    >>> hide_password("postgresql://a:b#c@db/x"), hide_password("postgresql:///x")
    ('postgresql://…', 'postgresql:///x')
    """
    scheme = text.partition("://")[0]
    try:
        parts = urlsplit(text)
    except ValueError:
        return f"{scheme}://…"
    if _is_cut_by_password(parts):
        return f"{scheme}://…"
    user, at, place = parts.netloc.rpartition("@")
    netloc = f"{user.partition(':')[0]}{at}{place}"
    kept = [(k, v) for k, v in _read_query(parts.query) if k not in _SECRET]
    # a folder as host reads better with its slashes
    query = urlencode(kept, safe="/", quote_via=quote)
    return _join(parts._replace(netloc=netloc, query=query))


def redact(text: str, address: str) -> str:
    """What somebody else said of an address, without the password in it."""
    try:
        found = {password_in(address), urlsplit(address).password or ""}
    except ValueError:
        return "it cannot be read"
    for password in sorted(found - {""}, key=len, reverse=True):
        text = text.replace(password, "…")
    return text


def _join(parts: SplitResult) -> str:
    """With its two slashes, also where there is no host."""
    text = f"{parts.scheme}://{parts.netloc}{parts.path}"
    text += f"?{parts.query}" if parts.query else ""
    return text + (f"#{parts.fragment}" if parts.fragment else "")


def _read_query(query: str) -> list[tuple[str, str]]:
    # a plus is a plus to PostgreSQL, and no space
    return parse_qsl(query.replace("+", "%2B"), keep_blank_values=True)


def _is_cut_by_password(parts: SplitResult) -> bool:
    """Whether a password with / ? or # in it has made the rest of the address something else."""
    if "@" in parts.netloc or ":" not in parts.netloc:
        return False
    if not parts.netloc.endswith("]") and not parts.netloc.rpartition(":")[2].isdigit():
        return True
    pieces = parts.query.split("&")
    return "@" in parts.path + parts.fragment or any(
        "@" in piece.partition("=")[0] for piece in pieces
    )
