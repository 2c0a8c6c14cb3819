"""How long to wait before trying again."""

from __future__ import annotations

from typing import Final

LEAST_S: Final = 1.0
MOST_S: Final = 300.0


def back_off_s(failures: int, chance: float) -> float:
    """After so many failures in a row; `chance` in [0, 1) spreads those who fail together.

    >>> [back_off_s(failures, 0.5) for failures in (1, 2, 3, 20)]
    [1.0, 2.0, 4.0, 300.0]
    >>> back_off_s(2, 0.0), back_off_s(20, 0.99)
    (1.0, 300.0)
    """
    middle_s = LEAST_S * 2.0 ** min(failures - 1, 12)
    return min(max(middle_s * (0.5 + chance), LEAST_S), MOST_S)
