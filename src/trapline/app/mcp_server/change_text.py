"""Changes as a model reads them: as many as one answer holds, and how to go on."""

from __future__ import annotations

from typing import Final

from trapline.app.mcp_server.foreign_text import LONGEST_ANSWER, ForeignText
from trapline.app.output.changes import (
    Line,
    describe_size,
    describe_trouble,
    lines_after,
)
from trapline.core.storage import Store

_ROOM: Final = LONGEST_ANSWER - 1_000  # what else an answer says is shorter


def tell_changes(
    store: Store, after: int, limit: int, foreign: ForeignText
) -> list[str]:
    """The changes after number `after`, at most `limit`, oldest first."""
    found = lines_after(store, after, limit)
    told: list[str] = []
    size = 0
    for line in found:
        text = _tell(line, foreign)
        size += len(text) + 1
        if told and size > _ROOM:
            break
        told.append(text)
    newest = store.newest_diff()
    count = "1 change" if len(told) == 1 else f"{len(told)} changes"
    parts = [f"{count}; the newest is number {newest}.", *told]
    if told and found[len(told) - 1].number < newest:
        last = found[len(told) - 1].number
        parts.append(f"There are more: ask with after={last}.")
    return parts


def _tell(line: Line, foreign: ForeignText) -> str:
    about = " ".join(filter(None, (describe_size(line), describe_trouble(line))))
    head = f"change {line.number}: {line.turn} at {line.at} {about}"
    text = "\n".join(filter(None, (line.name, line.title, line.url, *line.diff)))
    return f"{head.rstrip()}\n{foreign.wrap(text)}"
