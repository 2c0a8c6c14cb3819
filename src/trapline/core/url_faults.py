"""What is wrong with a text that should be a URL: its scheme, its host or its port."""

from __future__ import annotations

import re
from typing import Final

NOT_THE_WEB: Final = "it is not an http:// or https:// URL"
NO_HOST: Final = "it names no host, as in http://example.org/"
_HIGHEST_PORT: Final = 65535
_LONGEST_LABEL: Final = 63  # of the domain name system
_AUTHORITY: Final = re.compile(r"https?:[/\\]{0,2}([^/\\?#]*)", re.IGNORECASE)
_NO_NAME_HAS: Final = re.compile(r"[\x00-\x20\x7f#%/:<>?@\[\\\]^|]")
_LIKE_IPV4: Final = re.compile(r"(?:[\w.]*\.)?(?:\d+|0x[0-9a-f]*)\.?", re.IGNORECASE)


def url_fault(text: str) -> str:
    """Why a text, which was found to be no URL, is none.

    >>> url_fault("http://a.org:99999/"), url_fault("http://a.org:abc/")
    ('its port 99999 is above 65535', "its port 'abc' is not a number")
    >>> url_fault("http://exa mple.org/")
    "its host 'exa mple.org' has a space in it"
    >>> url_fault("mailto:me@lab.org")
    'it is not an http:// or https:// URL'
    """
    found = _AUTHORITY.match(text.strip())
    if found is None:
        return NOT_THE_WEB
    place = found[1].rpartition("@")[2]
    if place.startswith("["):
        return _bracket_fault(place)
    host, colon, port = place.rpartition(":") if ":" in place else (place, "", "")
    return (_port_fault(port) if colon else "") or _host_fault(host)


def label_fault(host: str) -> str:
    """Why no host can have this name, though it may stand in a URL; "" = one can.

    >>> label_fault("a..b"), label_fault("a.org."), label_fault("::1")
    ("its host 'a..b' has two dots in a row", '', '')
    """
    if host.startswith("."):
        return f"its host {host!r} begins with a dot"
    if ".." in host:
        return f"its host {host!r} has two dots in a row"
    longest = max(map(len, host.split(".")))
    if longest > _LONGEST_LABEL:
        return (
            f"a part of its host has {longest} characters, and names have at most "
            f"{_LONGEST_LABEL} between dots"
        )
    return ""


def _bracket_fault(place: str) -> str:
    host, closed, rest = place.partition("]")
    if not closed:
        return f"the ] after its host {place!r} is missing"
    port = rest.removeprefix(":")
    wrong_port = _port_fault(port) if rest.startswith(":") else ""
    return wrong_port or f"its host {host + closed!r} is no IPv6 address"


def _port_fault(port: str) -> str:
    if port and not (port.isascii() and port.isdigit()):
        return f"its port {port!r} is not a number"
    if port and int(port[:20]) > _HIGHEST_PORT:
        return f"its port {port[:20]} is above {_HIGHEST_PORT}"
    return ""


def _host_fault(host: str) -> str:
    if not host:
        return NO_HOST
    if wrong := _NO_NAME_HAS.search(host):
        mark = "a space" if wrong[0].isspace() else f"the character {wrong[0]!r}"
        return f"its host {host!r} has {mark} in it"
    if _LIKE_IPV4.fullmatch(host):
        return f"its host {host!r} is no IPv4 address"
    return f"its host {host!r} is not a name that a host may have"
