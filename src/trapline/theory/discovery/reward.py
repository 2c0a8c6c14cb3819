"""What one visit earns: eq. (11) of `omeara`.

    g = r(new)               the page was retrieved for the first time
    g = max[r(old), r(new)]  it was modified: replacing an entry that misleads is worth as much
                             as having the new one
    g = r(old)               it was deleted
    g = 0                    otherwise

where r is the relevance calculated last, before and after the visit. A page that is gone before
anybody retrieved it has no relevance to lose.

>>> reward(first=True, modified=False, deleted=False, before=0.0, after=0.8)
0.8
>>> reward(first=False, modified=True, deleted=False, before=0.8, after=0.3)
0.8
>>> reward(first=False, modified=False, deleted=True, before=0.3, after=0.0)
0.3
>>> reward(first=False, modified=False, deleted=False, before=0.3, after=0.3)
0.0
"""

from __future__ import annotations

from trapline.theory.kernel import bare_kernel


@bare_kernel
def reward(
    first: bool, modified: bool, deleted: bool, before: float, after: float
) -> float:
    if deleted:
        return 0.0 if first else before
    if first:
        return after
    return max(before, after) if modified else 0.0
