"""Whose a host is, roughly: the domain that somebody has registered, or the network of an address.

Guessed by the form of the name: below co.uk and its like the third part counts, too.
"""

from __future__ import annotations

import ipaddress
from typing import Final

_COUNTRY: Final = 2  # letters
_SECOND_LEVEL: Final = 3  # letters at most: co.uk, com.au, ac.jp


def site_of_host(host_name: str) -> str:
    """Of name:port.

    >>> site_of_host("a.b.example.org:443"), site_of_host("a.example.co.uk:8080")
    ('example.org', 'example.co.uk')
    >>> site_of_host("192.0.2.7:80"), site_of_host("[2001:db8:1:2::3]:80")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    name = host_name.rpartition(":")[0]
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
