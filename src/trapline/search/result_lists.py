"""Results that are read page by page: whoever goes on finds the order of the first page again.

>>> lists = ResultLists(2)
>>> first = lists.keep("moon", [3, 1, 2])
>>> cursor = cursor_of(first, 2)
>>> name, offset = read_cursor(cursor)
>>> lists.find(name, "moon"), offset, lists.find(name, "mars")
([3, 1, 2], 2, None)
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any, Final

from trapline.core.errors import BadQuery

_CURSOR: Final = re.compile(r"([0-9a-f]{12})-(\d{1,6})", re.ASCII)
_MOST: Final = 256  # lists that are remembered


class ResultLists:
    """The lists of the last questions; what is forgotten is searched for anew."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._lists: OrderedDict[str, tuple[Hashable, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, question: Hashable, result: Any) -> str:
        """The name under which it is found again."""
        name = secrets.token_hex(6)
        with self._lock:
            self._lists[name] = question, result
            while len(self._lists) > self._most:
                self._lists.popitem(last=False)
        return name

    def find(self, name: str, question: Hashable) -> Any:
        """The list, if it is the answer to this question; else None."""
        with self._lock:
            asked, result = self._lists.get(name, (None, None))
        return result if asked == question else None


def cursor_of(name: str, offset: int) -> str:
    return f"{name}-{offset}"


def read_cursor(cursor: str) -> tuple[str, int]:
    """The name of a list, and where to go on in it."""
    parts = _CURSOR.fullmatch(cursor)
    if parts is None:
        raise BadQuery(cursor[:40], "this cursor is none that an answer has given")
    return parts[1], int(parts[2])
