"""Small files that only their owner reads, and that a kill never leaves half written."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

from trapline.core.errors import disk_trouble
from trapline.stores.checkpoint_files import sync_folder


def write_private(path: Path, data: bytes) -> None:
    """Write a file anew."""
    unfinished = _write_beside(path, data)
    try:
        unfinished.replace(path)
        sync_folder(path.parent)
    except OSError as failure:
        unfinished.unlink(missing_ok=True)
        raise disk_trouble(path.parent, failure) from None


def make_private(path: Path, data: bytes) -> None:
    """Write a file unless it is there: two who make one at once agree on the first."""
    unfinished = _write_beside(path, data)
    try:
        with suppress(FileExistsError):
            os.link(unfinished, path)
        sync_folder(path.parent)
    except OSError as failure:
        raise disk_trouble(path.parent, failure) from None
    finally:
        unfinished.unlink(missing_ok=True)


def _write_beside(path: Path, data: bytes) -> Path:
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(unfinished, flags, 0o600), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as failure:
        unfinished.unlink(missing_ok=True)
        raise disk_trouble(path.parent, failure) from None
    return unfinished
