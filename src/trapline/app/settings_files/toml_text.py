"""Writing TOML: the values that settings are made of (the standard library only reads it).

>>> print(toml_text({"seeds": ["http://a.org/"], "scope": {"depth": 3}, "access": {}}), end="")
seeds = ["http://a.org/"]
<BLANKLINE>
[scope]
depth = 3
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_WIDEST: Final = 88  # a longer list gets a line an entry


def toml_text(values: Mapping[str, Any]) -> str:
    """A document: plain values first, then one table for each mapping that is not empty.

    Mappings below a table are written inline.
    """
    plain = {key: value for key, value in values.items() if not _is_table(value)}
    tables = {key: value for key, value in values.items() if _is_table(value)}
    blocks = ["\n".join(_lines(plain))] if plain else []
    blocks += [
        "\n".join(_table_lines(name, tables[name])) for name in tables if tables[name]
    ]
    return "\n\n".join(blocks) + "\n"


def toml_value(value: Any) -> str:
    """
    >>> toml_value([True, 1.0, "a\\nb", {"a.b": float("inf")}])
    '[true, 1.0, "a\\\\nb", { "a.b" = inf }]'
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, Mapping):
        return _inline(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml_value, value))}]"
    return str(value)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def _table_lines(name: str, table: Mapping[str, Any]) -> Iterator[str]:
    yield f"[{_key(name)}]"
    yield from _lines(table)


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    for key, value in table.items():
        line = f"{_key(key)} = {toml_value(value)}"
        if len(line) <= _WIDEST or not isinstance(value, list | tuple):
            yield line
            continue
        yield f"{_key(key)} = ["
        yield from (f"    {toml_value(entry)}," for entry in value)
        yield "]"


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    # JSON's escapes are TOML's, but for DEL, which TOML wants escaped, too.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _inline(table: Mapping[str, Any]) -> str:
    entries = ", ".join(
        f"{_key(key)} = {toml_value(value)}" for key, value in table.items()
    )
    return f"{{ {entries} }}" if entries else "{}"
