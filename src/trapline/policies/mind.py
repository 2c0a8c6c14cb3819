"""What minds are made of: a policy's kernels read and write NamedTuples of settings and records."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Records = NDArray[np.void]


class Blank(NamedTuple):
    """The mind, or the settings, of a policy that has none."""

    nothing: float = 0.0


def grow_records(records: Records, length: int) -> Records:
    """At least so many; new ones are zero, which every policy reads as "nothing known"."""
    if len(records) >= length:
        return records
    grown = np.zeros(length, records.dtype)
    grown[: len(records)] = records
    return grown


def as_table(records: Records) -> NDArray[np.float64]:
    """Records whose fields are all floats, as rows of floats: the form in which they are saved.

    >>> records = np.zeros(2, [("rate", np.float64), ("worth", np.float64)])
    >>> records["worth"] = 3.0
    >>> as_table(records).tolist()
    [[0.0, 3.0], [0.0, 3.0]]
    """
    columns = records.dtype.itemsize // 8
    return records.view(np.float64).reshape(len(records), columns)


def as_records(table: NDArray[Any], dtype: np.dtype[np.void]) -> Records:
    """The inverse of `as_table`, in memory of its own."""
    return np.array(table, np.float64).view(dtype).reshape(len(table))
