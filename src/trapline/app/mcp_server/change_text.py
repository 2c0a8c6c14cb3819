"""Changes as a model reads them: as many as one answer holds, and how to go on."""

from __future__ import annotations

from itertools import islice
from typing import Final

from trapline.app.mcp_server.foreign_text import LONGEST_ANSWER, ForeignText
from trapline.app.output.changes import Line, describe_size, lines_after
from trapline.core.storage import Store

_ROOM: Final = LONGEST_ANSWER - 1_000  # what else an answer says is shorter


def tell_changes(
    store: Store, after: int, limit: int, foreign: ForeignText
) -> list[str]:
    """The changes after number `after`, at most `limit`, oldest first."""
    found = lines_after(store, after, limit)
    pages = [diff.page for _, diff in islice(store.diffs(after), limit)]
    told: list[str] = []
    size = 0
    for line, page in zip(found, pages, strict=False):
        text = _tell(store, line, page, foreign)
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


def _tell(store: Store, line: Line, page: int, foreign: ForeignText) -> str:
    head = f"change {line.number}: {line.turn} at {line.at} {describe_size(line)}"
    last = store.changed_lines(page)
    lines = last.lines if last is not None and last.at_s == line.at_s else ""
    text = "\n".join(filter(None, (line.title, line.url, lines)))
    return f"{head.rstrip()}\n{foreign.wrap(text)}"
