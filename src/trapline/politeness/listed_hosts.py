"""Hosts that the user lists: they may lie on private addresses.

>>> listed = read_listed(["Lab.org", "127.0.0.1:*"])
>>> is_listed("lab.org:443", listed), is_listed("lab.org:8000", listed)
(True, False)
>>> is_listed("127.0.0.1:8760", listed)
True
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from trapline.core.errors import UserMistake

_ANY_PORT: Final = ":*"


def read_host(name: str) -> str:
    """A host as it is known; ValueError if it cannot be one."""
    name = name.strip().lower()
    if not name or re.search(r"[/\s]", name):
        raise ValueError(f"{name!r} is no host: write it like lab.org or lab.org:8000")
    return name


def with_ports(name: str) -> list[str]:
    """A name alone means both of the Web's ports.

    >>> with_ports("Lab.org"), with_ports("lab.org:8000")
    (['lab.org:80', 'lab.org:443'], ['lab.org:8000'])
    """
    name = read_host(name)
    if re.search(r":\d+$", name):
        return [name]
    return [f"{name}:80", f"{name}:443"]


def read_listed(names: Iterable[str]) -> frozenset[str]:
    """As name:port, with * for any port; UserMistake if one is no host."""
    found: list[str] = []
    try:
        for name in names:
            every = name.strip().endswith(_ANY_PORT)
            found += [read_host(name)] if every else with_ports(name)
    except ValueError as mistake:
        raise UserMistake(str(mistake)) from None
    return frozenset(found)


def is_listed(host_name: str, listed: frozenset[str]) -> bool:
    """Whether a host, as name:port, is among those listed."""
    name = host_name.rpartition(":")[0]
    return host_name in listed or name + _ANY_PORT in listed
