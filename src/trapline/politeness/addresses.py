"""Which IP addresses a robot may contact: nothing private unless the user named its
host.

The check belongs to the moment of connecting (net/), where every spelling of an address (decimal,
hex, mapped, by name, by a name that changes its mind) has become the address itself.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv6Address
from typing import Final

Address = IPv4Address | IPv6Address

_METADATA: Final = frozenset(
    map(
        ipaddress.ip_address,
        ("169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16"),
    )
)
# all of IPv6 that was ever given out to the public
_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")  # and the door from it to IPv4


def reason_forbidden(address: str, *, named_by_user: bool) -> str | None:
    """Why this address may not be contacted; None = it may.

    `named_by_user`: the user named the host, so it may lie on a private address.

    >>> reason_forbidden("8.8.8.8", named_by_user=False)
    >>> reason_forbidden("127.0.0.1", named_by_user=True)
    >>> reason_forbidden("127.0.0.1", named_by_user=False)
    '127.0.0.1 is a loopback address, and its host is not listed'
    """
    try:
        real = _unmap(ipaddress.ip_address(address))
    except ValueError:
        return f"{address!r} is not an IP address"
    # no host has such an address, so no user can mean it
    if real.is_multicast or real.is_unspecified:
        return f"{address} is {_kind(real)}"
    kind = (
        None
        if named_by_user
        else next(filter(None, map(_kind, (real, *_carried_address(real)))), None)
    )
    return f"{address} is {kind}, and its host is not listed" if kind else None


def is_ip_address(name: str) -> bool:
    """
    >>> is_ip_address("10.0.0.1"), is_ip_address("::1"), is_ip_address("a.org")
    (True, True, False)
    """
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _unmap(address: Address) -> Address:
    """::ffff:127.0.0.1 is 127.0.0.1: the kernel speaks IPv4 to it."""
    return (
        address.ipv4_mapped or address if isinstance(address, IPv6Address) else address
    )


def _carried_address(address: Address) -> Iterator[IPv4Address]:
    """IPv4 addresses that a gateway would unwrap from this one: 6to4, Teredo, NAT64."""
    if isinstance(address, IPv4Address):
        return
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if address in _NAT64:
        yield IPv4Address(int(address) & 0xFFFFFFFF)


def _kind(address: Address) -> str | None:
    """What keeps an address from being public, the narrowest word first."""
    kinds = {
        "a cloud metadata address": address in _METADATA,
        "a loopback address": address.is_loopback,
        "an unspecified address": address.is_unspecified,
        "a link-local address": address.is_link_local,
        "a multicast address": address.is_multicast,
        "a private or reserved address": address.is_private,
        "not a public address": not _public(address),
    }
    return next((word for word, holds in kinds.items() if holds), None)


def _public(address: Address) -> bool:
    return address.is_global and (
        address.version == 4 or address in _UNICAST or address in _NAT64
    )
