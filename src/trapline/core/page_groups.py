"""Groups of pages that may change together, told from their URLs alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

# A page's groups as numbers below 2^48, 0 = none: its host, its directory, and the pages that have
# the same path under another first component (a language, a version).
Groups = tuple[int, int, int]
GroupsOf = Callable[[int], Groups]  # of a page, by its number

NO_GROUPS: Final[Groups] = (0, 0, 0)


def groups_of(url: str) -> Groups:
    """The groups of a canonical URL. What lies at the root has no directory of its own: it is the
    host's.

    >>> english = groups_of("https://example.org/en/guide/start")
    >>> german = groups_of("https://example.org/de/guide/start")
    >>> [one == other for one, other in zip(english, german, strict=True)]
    [True, False, True]
    >>> groups_of("https://example.org/start")[1:]
    (0, 0)
    """
    scheme, _, rest = url.partition("://")
    host, _, path = rest.partition("?")[0].partition("/")
    origin = f"{scheme}://{host}"
    directory, slash, _ = path.rpartition("/")
    if not slash:
        return _number(origin), 0, 0
    twin = path.partition("/")[2]
    return (
        _number(origin),
        _number(f"{origin}/{directory}/"),
        _number(f"{origin}/*/{twin}") if twin else 0,
    )


def no_groups(page: int) -> Groups:
    """For pages that have a number and nothing else."""
    return NO_GROUPS


def _number(name: str) -> int:
    """From 1 on: as a float it is exact, and the same in every run."""
    digest = hashlib.blake2b(name.encode(), digest_size=6).digest()
    return 1 + int.from_bytes(digest) % (2**48 - 1)
