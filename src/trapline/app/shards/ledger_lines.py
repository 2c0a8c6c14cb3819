"""What people say to a crawl, as the ledger keeps it: orders and labels, a line each."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from trapline.app.folder.json_lines import parse_line
from trapline.core.errors import StoreAway
from trapline.core.ledger import Ledger


class LedgerLines:
    """Hands out what was added under a kind since the last call of `news`."""

    def __init__(self, ledger: Ledger, kind: str) -> None:
        self._ledger = ledger
        self._kind = kind
        self._read = 0  # lines

    @property
    def size(self) -> int:
        return self._read

    def news(self) -> list[dict[str, Any]]:
        """The new lines; while the ledger is away, none."""
        with suppress(StoreAway):
            lines = self._ledger.lines(self._kind, self._read)
            self._read += len(lines)
            return [line for line in map(parse_line, lines) if line is not None]
        return []
