"""Whose an address is, roughly: so that one party cannot fill a directory."""

from __future__ import annotations

import ipaddress
from typing import Final

from trapline.core.urls import host_of

_COUNTRY: Final = 2  # letters
_SECOND_LEVEL: Final = 3  # letters at most: co.uk, com.au, ac.jp


def site_of(url: str) -> str:
    """The domain that somebody has registered, or the network of an address.

    Guessed by the form of the name: below co.uk and its like the third part counts, too.

    >>> site_of("https://a.b.example.org/x"), site_of("http://a.example.co.uk:8080")
    ('example.org', 'example.co.uk')
    >>> site_of("http://192.0.2.7/"), site_of("http://[2001:db8:1:2::3]/")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    name = host_of(url if url.endswith("/") else f"{url}/").rpartition(":")[0]
    try:
        address = ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return _domain_of(name)
    if address.version == 4:
        return str(address)
    return str(ipaddress.ip_network((address, 64), strict=False))


def _domain_of(name: str) -> str:
    parts = name.strip(".").split(".")
    below_country = (
        len(parts) > 2
        and len(parts[-1]) == _COUNTRY
        and len(parts[-2]) <= _SECOND_LEVEL
    )
    return ".".join(parts[-3:] if below_country else parts[-2:])
