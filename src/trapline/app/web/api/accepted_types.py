"""What a client would rather have, by its header `Accept`."""

from __future__ import annotations

from collections.abc import Collection


def choose_type(accept: str, offered: Collection[str]) -> str:
    """The type that is wanted most, of those offered; "" = none is named.

    >>> choose_type("a/a;q=0.5, b/b, c/c", ("a/a", "b/b", "c/c"))
    'b/b'
    >>> choose_type("a/a;q=0, */*", ("a/a",))
    ''
    """
    chosen = ""
    most = 0.0
    for part in accept.lower().split(","):
        kind, *settings = (piece.strip() for piece in part.split(";"))
        weight = _weight(settings)
        if kind in offered and weight > most:
            chosen = kind
            most = weight
    return chosen


def _weight(settings: list[str]) -> float:
    """From 0, not at all, to 1.

    >>> _weight(["charset=utf-8", "q=0.3"]), _weight([]), _weight(["q=much"])
    (0.3, 1.0, 0.0)
    """
    for setting in settings:
        name, _, value = setting.partition("=")
        if name.strip() == "q":
            return float(value) if value.replace(".", "", 1).isdecimal() else 0.0
    return 1.0
