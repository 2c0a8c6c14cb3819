"""At which of its addresses a host is visited: the first, in an order that everybody has.

Names lead to their addresses in an order that turns with each question. Whoever took the first one
told would owe a gap to an address and visit another, and hosts that share all their addresses would
have several paces, and several owners among shards. Other addresses are for when the first one does
not answer.

>>> in_order(["2001:db8::1", "192.0.2.10", "192.0.2.9"])
['192.0.2.9', '192.0.2.10', '2001:db8::1']
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable


def in_order(addresses: Iterable[str]) -> list[str]:
    return sorted(addresses, key=place_of)


def place_of(address: str) -> tuple[int, int]:
    """IPv4 first: every machine of a crawl is likely to have it."""
    read = ipaddress.ip_address(address)
    return read.version, int(read)
