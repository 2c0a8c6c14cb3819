"""JSON of strangers, read without trusting it."""

from __future__ import annotations

import json
from typing import Any

from trapline.core.errors import DescriptionUnreadable


def read_json(data: bytes | str) -> Any:
    """What it says; DescriptionUnreadable if it is not JSON that can be used.

    >>> read_json(b'{"pages": 7}')
    {'pages': 7}
    """
    try:
        return json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError):  # UnicodeDecodeError among them
        raise DescriptionUnreadable("it is not JSON") from None


def _refuse(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity cannot be compared, nor signed
