"""Checkpoints as packed chunks: rows of some megabytes each, whole or not there.

Each checkpoint has a number of its own, also where nothing was called since the last one: chunks of
two checkpoints never mix.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from trapline.core.storage import Checkpoint
from trapline.stores.compression import BadBytes, pack, unpack

CHUNK: Final = 8 << 20  # bytes
NEXT_NUMBER: Final = (
    "SELECT coalesce(max(number), 0) + 1 FROM @checkpoints WHERE shard = %s"
)
ADD_CHUNK: Final = "INSERT INTO @checkpoints VALUES (%s, %s, %s, %s, %s, %s)"
DROP_OTHERS: Final = "DELETE FROM @checkpoints WHERE shard = %s AND number <> %s"
_WHOLE: Final = (
    "SELECT number, calls FROM @checkpoints WHERE shard = %s"
    " GROUP BY number, calls, chunks HAVING count(*) = chunks ORDER BY number DESC"
)
_CHUNKS: Final = (
    "SELECT body FROM @checkpoints WHERE shard = %s AND number = %s ORDER BY chunk"
)

Rows = Callable[..., list[tuple[Any, ...]]]


def pack_checkpoint(checkpoint: Checkpoint) -> list[bytes]:
    """Its chunks."""
    file = io.BytesIO()
    named: dict[str, Any] = {f"a.{name}": a for name, a in checkpoint.arrays.items()}
    np.savez(file, **named)
    body = pack(file.getvalue())
    return [body[at : at + CHUNK] for at in range(0, len(body), CHUNK)]


def unpack_checkpoint(calls: int, body: bytes) -> Checkpoint:
    """BadBytes if it is damaged."""
    try:
        with np.load(io.BytesIO(unpack(body)), allow_pickle=False) as saved:
            arrays = {name.removeprefix("a."): saved[name] for name in saved.files}
    except Exception as failure:  # damage shows itself as almost any exception
        raise BadBytes(str(failure)) from failure
    return Checkpoint(calls, arrays)


def newest_checkpoint(rows: Rows) -> Checkpoint | None:
    """The newest one that is whole and can be read."""
    for number, calls in rows(_WHOLE):
        body = b"".join(bytes(chunk) for (chunk,) in rows(_CHUNKS, number))
        try:
            return unpack_checkpoint(int(calls), body)
        except BadBytes:
            continue  # an older one may still do
    return None
