"""The settings under [access]: secrets, each bound to one scheme, name and port.

A key is written `https://name[:port]`, or just `name`, which means the same on port 443. Only a key
that says `http://` lets its secrets travel where everybody on the way can read them.
"""

from __future__ import annotations

import re
from typing import Any, Final

from pydantic import Field, SecretStr

from trapline.app.settings_tables import Table
from trapline.core.errors import BadUrl
from trapline.core.urls import canonical, origin_of

EVERY_HOST: Final = "*"
_PROXY: Final = "proxy"
_BARE: Final = re.compile(r"[^/:\s\[\]@?#]+|\[[0-9a-fA-F:.]+\]")
_WITH_PORT: Final = re.compile(rf"({_BARE.pattern}):\d+")
_ORIGIN: Final = re.compile(r"https?://[^/\s@?#]+/?", re.IGNORECASE)


class AccessTable(Table):
    """Secrets: `Settings.without_secrets` leaves them out of everything that is written."""

    headers: dict[str, SecretStr] = Field(default_factory=dict)
    cookies: dict[str, SecretStr] = Field(default_factory=dict)
    user: str = ""
    password: SecretStr = SecretStr("")
    proxy: SecretStr = SecretStr("")


def read_origins(tables: object) -> object:
    """The same tables by origin: `https://name`, `http://name:8000`.

    A proxy is no secret of the host: under a bare name it serves plain http, too.

    >>> read_origins({"Lab.org": {"user": "ann", "proxy": "http://127.0.0.1:3128"}})
    ... # doctest: +NORMALIZE_WHITESPACE
    {'https://lab.org': {'user': 'ann', 'proxy': 'http://127.0.0.1:3128'},
     'http://lab.org': {'proxy': 'http://127.0.0.1:3128'}}
    """
    if not isinstance(tables, dict):
        return tables
    found: dict[str, Any] = {}
    for key, table in tables.items():
        origin = _read_key(str(key).strip())
        if origin in found:
            raise ValueError(f"{origin} is named twice: put its settings together")
        if origin == EVERY_HOST:
            _check_every_host(table)
        found[origin] = table
    for key, table in tables.items():
        if _BARE.fullmatch(str(key).strip()) and isinstance(table, dict):
            _serve_plain(found, str(key).strip(), table)
    return found


def _read_key(key: str) -> str:
    if key == EVERY_HOST:
        return key
    if _BARE.fullmatch(key) or (_WITH_PORT.fullmatch(key) and key.endswith(":443")):
        return _origin(f"https://{key}", key)
    if _WITH_PORT.fullmatch(key):
        raise ValueError(
            f'{key!r} does not say how: write "https://{key}", or "http://{key}" if '
            "what is sent there may be read by everybody on the way"
        )
    return _origin(key, key)


def _origin(text: str, key: str) -> str:
    if not _ORIGIN.fullmatch(text):
        raise ValueError(
            f'{key[:200]!r} is no host: write it like "lab.org", "https://lab.org:8443" or '
            '"http://lab.org"'
        )
    try:
        return origin_of(canonical(text))
    except BadUrl as mistake:
        raise ValueError(str(mistake)) from None


def _check_every_host(table: object) -> None:
    if isinstance(table, dict) and set(table) - {_PROXY}:
        raise ValueError(
            f'"{EVERY_HOST}" takes a proxy and nothing else: name the host that is sent the rest'
        )


def _serve_plain(found: dict[str, Any], name: str, table: dict[str, Any]) -> None:
    if table.get(_PROXY) and name != EVERY_HOST:
        found.setdefault(_origin(f"http://{name}", name), {_PROXY: table[_PROXY]})
