"""What every selector does."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trapline.oasis.federation import Federation
from trapline.oasis.query_keys import QueryKeys

Floats = NDArray[np.float64]


class Selector(Protocol):
    def score(self, query: QueryKeys, federation: Federation) -> Floats:
        """One number for each engine, finite; the highest is asked first."""
