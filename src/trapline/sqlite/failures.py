"""What an error of SQLite means to people."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import apsw

from trapline.core.errors import DiskFull, StoreCorrupt, disk_trouble


def name_failure(
    path: Path,
    failure: apsw.Error,
    connection: apsw.Connection | None,
    locked: Exception,
) -> Exception | None:
    """Damaged bytes are StoreCorrupt, a lock is `locked`, of the disk it is what the system said;
    None = a fault of ours.
    """
    # When the disk fails SQLite rolls back by itself; then rolling back fails, and hides why.
    hidden = failure.__context__ if isinstance(failure, apsw.SQLError) else None
    cause = hidden if isinstance(hidden, apsw.Error) else failure
    if isinstance(cause, (apsw.CorruptError, apsw.NotADBError)):
        return StoreCorrupt(path, str(cause))
    if isinstance(cause, (apsw.BusyError, apsw.LockedError)):
        return locked
    if isinstance(cause, apsw.FullError):
        return DiskFull(path.parent)
    if isinstance(cause, (apsw.IOError, apsw.CantOpenError, apsw.ReadOnlyError)):
        number = connection.system_errno if connection is not None else 0
        reason = os.strerror(number) if number else str(cause)
        error = OSError(number or errno.EIO, reason, str(path))
        return disk_trouble(path.parent, error)
    return None
