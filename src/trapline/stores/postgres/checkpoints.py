"""Checkpoints as packed chunks: rows of some megabytes each, whole or not there."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from trapline.core.storage import Checkpoint
from trapline.stores.compression import BadBytes, pack, unpack

CHUNK: Final = 8 << 20  # bytes
_NUMBERS: Final = (
    "SELECT calls FROM @checkpoints WHERE shard = %s GROUP BY calls, chunks"
    " HAVING count(*) = chunks ORDER BY calls DESC"
)
_CHUNKS: Final = (
    "SELECT body FROM @checkpoints WHERE shard = %s AND calls = %s ORDER BY chunk"
)

Rows = Callable[..., list[tuple[Any, ...]]]


def pack_checkpoint(checkpoint: Checkpoint) -> list[bytes]:
    """Its chunks."""
    file = io.BytesIO()
    arrays = {f"a.{name}": array for name, array in checkpoint.arrays.items()}
    np.savez(file, **arrays)  # type: ignore[arg-type]
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
    for (calls,) in rows(_NUMBERS):
        body = b"".join(bytes(chunk) for (chunk,) in rows(_CHUNKS, calls))
        try:
            return unpack_checkpoint(int(calls), body)
        except BadBytes:
            continue  # an older one may still do
    return None
