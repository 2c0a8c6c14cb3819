"""What people see of an address of a store: all of it but the password, wherever it stands.

In a text that is no address nothing is shown of what may be one.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

PASSWORD: Final = "password"
# parameters whose values are shown to nobody, whatever the database makes of them
SECRET: Final = re.compile(r"pass?w|^pass$|pw|phrase|secret|token", re.IGNORECASE)
_HIDDEN: Final = "…"
_PLAIN: Final = re.compile(r"[\w./~-]+")  # a name, or a folder


def password_in(text: str) -> str:
    """The one that is written in an address; "" = none.

    >>> password_in("postgresql://a:b%2F+c@/x"), password_in("postgresql:///x?password=b%2F+c")
    ('b/+c', 'b/+c')
    """
    parts = urlsplit(text)
    return unquote(parts.password or "") or dict(read_parameters(parts.query)).get(
        PASSWORD, ""
    )


def hide_password(text: str) -> str:
    """The address without it, wherever it stands; whoever uses it says the password otherwise.

    >>> hide_password("postgresql://a:b@/x?host=/tmp&password=c")
    'postgresql://a@/x?host=/tmp'
    >>> hide_password("postgresql://a:b#c@db/x"), hide_password("postgresql:///x")
    ('postgresql://…', 'postgresql:///x')
    >>> hide_password("host=db password=b"), hide_password("postgresql:///x#news?password=b")
    ('…', 'postgresql:///x#…')
    """
    scheme, colon, _ = text.partition("://")
    if not colon:
        return text if _PLAIN.fullmatch(text) else _HIDDEN
    if not (scheme := shown_scheme(scheme)):
        return _HIDDEN
    try:
        parts = urlsplit(text)
    except ValueError:
        return f"{scheme}://{_HIDDEN}"
    if is_cut_by_password(parts):
        return f"{scheme}://{_HIDDEN}"
    if re.search("[?&=:@]", parts.fragment):
        parts = parts._replace(fragment=_HIDDEN)
    user, at, place = parts.netloc.rpartition("@")
    netloc = f"{user.partition(':')[0]}{at}{place}"
    kept = [(k, v) for k, v in read_parameters(parts.query) if not SECRET.search(k)]
    # a folder as host reads better with its slashes
    query = urlencode(kept, safe="/", quote_via=quote)
    return join_parts(parts._replace(netloc=netloc, query=query))


def shown_scheme(scheme: str) -> str:
    """If it is one; "" = whoever knows what stands there."""
    return scheme if re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]*", scheme) else ""


def redact(text: str, address: str) -> str:
    """What somebody else said of an address, without the password in it."""
    try:
        found = {password_in(address), urlsplit(address).password or ""}
    except ValueError:
        return "it cannot be read"
    for password in sorted(found - {""}, key=len, reverse=True):
        text = text.replace(password, "…")
    return text


def join_parts(parts: SplitResult) -> str:
    """With its two slashes, also where there is no host."""
    text = f"{parts.scheme}://{parts.netloc}{parts.path}"
    text += f"?{parts.query}" if parts.query else ""
    return text + (f"#{parts.fragment}" if parts.fragment else "")


def read_parameters(query: str) -> list[tuple[str, str]]:
    # a plus is a plus to PostgreSQL, and no space
    return parse_qsl(query.replace("+", "%2B"), keep_blank_values=True)


def is_cut_by_password(parts: SplitResult) -> bool:
    """Whether a password with / ? or # in it has made the rest of the address something else."""
    if "@" in parts.netloc or ":" not in parts.netloc:
        return False
    if not parts.netloc.endswith("]") and not parts.netloc.rpartition(":")[2].isdigit():
        return True
    pieces = parts.query.split("&")
    return "@" in parts.path + parts.fragment or any(
        "@" in piece.partition("=")[0] for piece in pieces
    )
