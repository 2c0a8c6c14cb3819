"""What the user may send to single hosts: headers, cookies, a password or a proxy.

All of it is secret. No repr shows it, no record holds it, and it is sent to exactly the scheme,
name and port that it was given for: never in the clear unless `http://` was said, and never to
where that host redirects us. With a proxy, the address guard sees the proxy's address and not the
one that the proxy connects to. So literal addresses are checked before they are handed to a proxy,
and names are left to it: whoever runs the proxy must forbid what is private there.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from aiohttp import hdrs
from yarl import URL

from trapline.core.errors import UserMistake
from trapline.core.urls import host_of

# Who we are, whom we ask and where a message ends is not the user's to say.
_OURS: Final = frozenset(
    (
        "user-agent",
        "host",
        "content-length",
        "transfer-encoding",
        "connection",
        "proxy-connection",
    )
)


@dataclass(frozen=True, slots=True, repr=False)
class Access:
    """For one host. A UserMistake says what is wrong without saying the secret.

    >>> Access(user="ann", password="s3cret", cookies={"session": "17"})
    Access(…)
    """

    headers: Mapping[str, str] = field(default_factory=dict)
    cookies: Mapping[str, str] = field(default_factory=dict)
    user: str = ""
    password: str = ""
    proxy: str = ""  # http://name:port, or http://user:password@name:port

    def __post_init__(self) -> None:
        for name, value in (*self.headers.items(), *self.cookies.items()):
            _check_line(name, value)
            if name.lower() in _OURS and name in self.headers:
                raise UserMistake(
                    f"the header {name} is Trapline's own: leave it out of the access to a host"
                )
        for name, value in self.cookies.items():
            _check_cookie(name, value)
        if ":" in self.user:
            raise UserMistake(
                "the user's name of an access must not have a colon in it"
            )
        check_proxy(self.proxy)

    def __repr__(self) -> str:
        return "Access(…)"

    def headers_for(self) -> dict[str, str]:
        """The headers to send."""
        sent = dict(self.headers)
        if self.cookies:
            sent[hdrs.COOKIE] = "; ".join(
                f"{name}={value}" for name, value in self.cookies.items()
            )
        if self.user or self.password:
            sent[hdrs.AUTHORIZATION] = _basic(self.user, self.password)
        return sent


@dataclass(frozen=True, slots=True, repr=False)
class Credentials:
    """All accesses, by origin (`https://name`), and the proxy for hosts that have none of
    their own.

    >>> keys = Credentials({"https://a.example": Access(headers={"X-Key": "17"})})
    >>> keys.headers("https://a.example"), keys.headers("http://a.example:443")
    ({'X-Key': '17'}, {})
    """

    by_origin: Mapping[str, Access] = field(default_factory=dict)
    proxy: str = ""

    def __post_init__(self) -> None:
        check_proxy(self.proxy)

    def __repr__(self) -> str:
        return "Credentials(…)"

    def headers(self, origin: str) -> dict[str, str]:
        """What is sent to a canonical origin."""
        access = self.by_origin.get(origin)
        return access.headers_for() if access else {}

    def proxy_for(self, host_name: str) -> URL | None:
        """The proxy on the way to name:port, whatever is spoken there."""
        own = (
            access.proxy
            for origin, access in self.by_origin.items()
            if access.proxy and host_of(origin + "/") == host_name
        )
        proxy = next(own, self.proxy)
        return URL(proxy) if proxy else None


def check_proxy(proxy: str) -> None:
    """Raise UserMistake unless it is empty or http://[user:password@]name[:port]."""
    if not proxy:
        return
    try:
        url = URL(proxy)
        sound = (
            url.scheme == "http"
            and bool(url.host)
            and url.port is not None
            and url.path == "/"
            and not url.query
        )
    except ValueError:
        sound = False
    if not sound:
        raise UserMistake(
            "a proxy is written http://name:port or http://user:password@name:port"
        )


def _check_cookie(name: str, value: str) -> None:
    if set(name + value) & set(';, "\\'):
        raise UserMistake(
            f"the cookie {name[:40]!r} must be written without quotes, commas, spaces "
            "and semicolons"
        )


def _check_line(name: str, value: str) -> None:
    plain = name.isascii() and name.isprintable() and not set(name) & set(" :")
    if not name or not plain:
        raise UserMistake(f"{name[:40]!r} is no name of a header or cookie")
    if not (value.isascii() and (value + "x").isprintable()):
        raise UserMistake(f"the value of {name[:40]} must be one line of plain ASCII")


def _basic(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
