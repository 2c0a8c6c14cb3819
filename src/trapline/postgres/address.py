"""Addresses of stores: postgresql://user@host:5432/database#crawl.

What stands behind # is the name of the crawl; each has tables of its own. Passwords belong into
PGPASSWORD or ~/.pgpass; one that is written in the address is used and shown to nobody.

>>> read_address("postgresql://me:secret@db.lab.org/web#news").shown
'postgresql://me@db.lab.org/web#news'
>>> [read_address(f"postgresql://db/web#{name}").schema for name in ("", "a-b", "a_b")]
['trapline_trapline', 'trapline_a$b', 'trapline_a_b']
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from trapline.core.errors import StoreAddressBad
from trapline.postgres.password_hiding import (
    PASSWORD,
    SECRET,
    hide_password,
    is_cut_by_password,
    join_parts,
    read_parameters,
    shown_scheme,
)

SCHEMES: Final = ("postgresql", "postgres")
USUAL: Final = "trapline"  # crawl, where none is named
_CRAWL: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_CUT: Final = "user:password needs @host behind it, and in a password / is %2F, ? is %3F, # is %23"
# a folder of such a name is improbable, a slip of who types an address is not
_MEANT: Final = re.compile(
    r"""
    .*://           # any scheme
    | postgres(ql)?(:|//)
    | .*\bpassword=  # words of psql
    | [^/]*:[^/]*@  # user:password@
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class StoreAddress:
    uri: str  # for the database; it may hold a password
    shown: str  # for people
    crawl: str

    @property
    def schema(self) -> str:
        """Where the tables are: a name that needs no quotes, and no other crawl has."""
        return f"trapline_{self.crawl.replace('-', '$')}"

    def __repr__(self) -> str:
        return f"StoreAddress({self.shown!r})"


def is_store_address(text: str) -> bool:
    """Whether a text is meant as one, and not as a folder; it may be a bad one.

    >>> [is_store_address(text) for text in ("redis://x", "me:secret@db/web", "lab/engine")]
    [True, True, False]
    """
    return _MEANT.match(text) is not None


def read_address(text: str) -> StoreAddress:
    """StoreAddressBad if it is none."""
    shown = hide_password(text)
    try:
        parts = urlsplit(text)
        problem = _problem_of(text, parts)
        _ = problem or parts.port
    except ValueError:
        problem = "its host or port cannot be read"
    if problem:
        raise StoreAddressBad(shown, problem)
    uri = join_parts(parts._replace(fragment=""))
    return StoreAddress(uri, shown, _crawl_in(parts))


def _problem_of(text: str, parts: SplitResult) -> str:
    scheme, colon, _ = text.partition("://")
    if scheme not in SCHEMES:
        shown = shown_scheme(scheme) if colon else ""
        return f"{shown}:// is not known here" if shown else "that is no address"
    if is_cut_by_password(parts):
        return _CUT
    if "%00" in text:
        return "%00 cannot stand in it"
    for name, _ in read_parameters(parts.query):
        if SECRET.search(name) and name != PASSWORD:
            return f"{name} cannot be kept secret there, only user:password@ and password= can"
    if not _CRAWL.fullmatch(_crawl_in(parts)):
        return "the name of a crawl has small letters, digits, - and _, at most 40"
    return ""


def _crawl_in(parts: SplitResult) -> str:
    return unquote(parts.fragment) or USUAL
