"""Ports where no web server listens, but mail, printers and databases that a request could talk to.

The list is that of the fetch standard (https://fetch.spec.whatwg.org/#port-blocking): browsers
refuse the same.
"""

from __future__ import annotations

from typing import Final

_BELOW_1024: Final = (
    "0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 "
    "113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 "
    "548 554 556 563 587 601 636 989 990 993 995"
)
_ABOVE: Final = (
    "1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 "
    "10080"
)
BAD_PORTS: Final = frozenset(f"{_BELOW_1024} {_ABOVE}".split())


def bad_port_in(host: str) -> str:
    """The port at the end of name:port if it is not the Web's, else "".

    >>> bad_port_in("example.org:25"), bad_port_in("example.org:8080"), bad_port_in("[::25]")
    ('25', '', '')
    """
    port = host.rpartition(":")[2]
    return port if port in BAD_PORTS and ":" in host else ""


def refuse_port(port: str) -> str:
    """What is wrong with it, for people."""
    return f"port {port} is not one of the Web's, and other services may listen there"
