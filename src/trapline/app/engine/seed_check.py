"""Where a crawl may start: anywhere, but off this machine only with a contact."""

from __future__ import annotations

import ipaddress
import socket

from ada_url import URL

from trapline.core.errors import BadUrl, ContactMissing
from trapline.core.url_faults import label_fault
from trapline.core.urls import canonical


def check_seed(url: str, contact: str) -> str:
    """The canonical seed, if its name can be resolved and its owner can reach us; else UserMistake.

    >>> check_seed("http://127.0.0.2:8000/a/../b", contact="")
    'http://127.0.0.2:8000/b'
    """
    seed = canonical(url)
    if not all(map(on_this_machine, addresses_of(seed))) and not contact:
        raise ContactMissing(name_in(seed))
    return seed


def addresses_of(url: str) -> set[str]:
    """Where the host of a canonical URL lies; BadUrl if its name cannot be resolved."""
    name = name_in(url)
    if fault := label_fault(name):
        raise BadUrl(url, fault)
    try:
        return {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except (
        OSError,
        UnicodeError,
    ):  # the latter: of a name that has no form on the wire
        raise BadUrl(
            url, f"the name {name} cannot be resolved; check its spelling"
        ) from None


def name_in(url: str) -> str:
    """
    >>> name_in("http://[::1]:8000/"), name_in("http://a.org/")
    ('::1', 'a.org')
    """
    return str(URL(url).hostname).strip("[]")


def on_this_machine(address: str) -> bool:
    """
    >>> on_this_machine("127.0.0.2"), on_this_machine("::1"), on_this_machine("8.8.8.8")
    (True, True, False)
    """
    try:
        return ipaddress.ip_address(address.partition("%")[0]).is_loopback
    except ValueError:  # a name, to be resolved by a proxy
        return False
