"""Hosts on loopback: number h listens on 127.0.0.2 + h, all on one port.

Each has an address of its own, as real hosts do.
"""

from __future__ import annotations

import socket
from contextlib import ExitStack, suppress
from ipaddress import IPv4Address
from typing import Final

from trapline.core.errors import PortTaken

_FIRST_ADDRESS: Final = IPv4Address("127.0.0.2")
_TRIES: Final = 20  # ports to try until one is free on all addresses


def address(host: int) -> str:
    """
    >>> address(0), address(1), address(254)
    ('127.0.0.2', '127.0.0.3', '127.0.1.0')
    """
    return str(_FIRST_ADDRESS + host)


def host_at(address: str) -> int:
    """
    >>> host_at("127.0.0.3")
    1
    """
    return int(IPv4Address(address)) - int(_FIRST_ADDRESS)


def listen(hosts: int, port: int) -> list[socket.socket]:
    """One listening socket per host, all on one port; 0 = one that is free on all addresses."""
    for _ in range(_TRIES - 1 if port == 0 else 0):
        with suppress(PortTaken):
            return _listen(hosts, port)
    return _listen(hosts, port)


def _listen(hosts: int, port: int) -> list[socket.socket]:
    listeners: list[socket.socket] = []
    with ExitStack() as on_failure:
        for host in range(hosts):
            listener = on_failure.enter_context(_listener(address(host), port))
            listeners.append(listener)
            port = listeners[0].getsockname()[1]
        on_failure.pop_all()
    return listeners


def _listener(at: str, port: int) -> socket.socket:
    """Listens at once: two sockets may be bound to one place, but only one can listen there."""
    # Named, or asyncio leaves Nagle's algorithm on: 40 ms for every answer but the first
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((at, port))
        listener.listen(128)
    except OSError as problem:
        listener.close()
        raise PortTaken(at, port) from problem
    return listener
