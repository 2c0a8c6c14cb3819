"""What people say to an engine: orders and labels.

They are lines of a file of its folder, which all shards of a crawl read; of a crawl in PostgreSQL
lines of the ledger, which workers on all machines read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trapline.app.folder.json_lines import JsonLines, JsonLinesFile, append_lines
from trapline.app.folder.places.crawl_ledger import open_crawl_ledger
from trapline.app.folder.places.store_link import linked_address
from trapline.app.shards.ledger_lines import LedgerLines


def add_lines(folder: Path, kind: str, lines: Sequence[dict[str, Any]]) -> None:
    """All at once, durable when it returns; `kind` is orders or labels."""
    if not linked_address(folder):
        append_lines(folder / f"{kind}.jsonl", lines)
        return
    ledger = open_crawl_ledger(folder)
    try:
        ledger.append(kind, list(map(json.dumps, lines)))
    finally:
        ledger.close()


def lines_until_now(folder: Path, kind: str) -> JsonLines:
    """To be read once."""
    if not linked_address(folder):
        return JsonLinesFile(folder / f"{kind}.jsonl")
    ledger = open_crawl_ledger(folder)
    try:
        return _Lines(LedgerLines(ledger, kind).news())
    finally:
        ledger.close()


class _Lines:
    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.size = len(lines)
        self._lines = lines

    def news(self) -> list[dict[str, Any]]:
        lines = self._lines
        self._lines = []
        return lines
