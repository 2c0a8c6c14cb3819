"""Names of policies as people write them, and as remarks join them.

>>> names_in("htraa, lakg,posterior")
('htraa', 'lakg', 'posterior')
"""

from __future__ import annotations

from collections.abc import Sequence

from trapline.core.errors import UserMistake
from trapline.policies.registry import policy_names


def names_in(text: str) -> tuple[str, ...]:
    """Names with commas between them, each once."""
    found = tuple(
        dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    )
    if not found:
        known = sorted(policy_names("refresh") + policy_names("discovery"))
        raise UserMistake(f"no policy is named; choose some of: {', '.join(known)}")
    return found


def join_names(names: Sequence[str]) -> str:
    """
    >>> join_names(["htraa", "lakg", "uniform"])
    'htraa, lakg and uniform'
    """
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)
