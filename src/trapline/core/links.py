"""Links: what a link shows before anybody follows it. Never anything of its target's own text.

One record of 60 bytes a link. A page's links are one array, so that a visit that found thousands
costs a few calls.

>>> found = links_to([7, 9], [0, 1])
>>> found["page"].tolist(), found["host"].tolist(), float(found["anchor"].sum())
([7, 9], [0, 1], 0.0)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

TOKENS: Final = 6

LINK: Final = np.dtype(
    [
        ("page", np.int32),
        ("host", np.int32),
        # likeness to the topic, in [0, 1]: of the words of the link,
        ("anchor", np.float32),
        ("address", np.float32),  # of the words of its URL,
        ("context", np.float32),  # of the text around it
        ("place", np.float32),  # on its page: 0 = first link, towards 1 = last
        # groups by hash (0 = none): tags from the document's root to the link,
        ("path", np.int32),
        ("directory", np.int32),  # host and directory of the URL,
        ("prefix", np.int32),  # host, directory and how the last part of the URL begins
        ("tokens", np.int32, (TOKENS,)),  # words of the link and of its URL
    ]
)
assert LINK.itemsize == 60

Links = NDArray[np.void]
# (page, what a link calls it)
LinkTexts = Sequence[tuple[int, str]]
NO_LINKS: Final[Links] = np.zeros(0, LINK)


def links_to(
    pages: Sequence[int] | NDArray[np.integer],
    hosts: Sequence[int] | NDArray[np.integer],
) -> Links:
    """Links of which nothing is known but where they lead: seeds, worlds without words."""
    links = np.zeros(len(pages), LINK)
    links["page"] = pages
    links["host"] = hosts
    return links


# a sitemap's word on when a page changed
SIGNAL: Final = np.dtype([("page", np.int32), ("modified_s", np.float64)])

Signals = NDArray[np.void]
NO_SIGNALS: Final[Signals] = np.zeros(0, SIGNAL)
