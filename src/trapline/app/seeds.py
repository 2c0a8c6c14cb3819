"""Where a crawl may start: for now only on this machine."""

from __future__ import annotations

import ipaddress
import socket

from ada_url import URL

from trapline.core.errors import BadUrl, OffLoopback
from trapline.core.urls import canonical


def check_seed(url: str) -> str:
    """The canonical seed, if its host is on loopback; else a mistake that says what to do.

    >>> check_seed("http://127.0.0.2:8000/a/../b")
    'http://127.0.0.2:8000/b'
    """
    seed = canonical(url)
    name = str(URL(seed).hostname).strip("[]")
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except OSError:
        raise BadUrl(url, f"the name {name} cannot be resolved; check its spelling") from None
    if not all(ipaddress.ip_address(address.partition("%")[0]).is_loopback for address in found):
        raise OffLoopback(name)
    return seed
