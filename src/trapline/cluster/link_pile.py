"""Links that wait to be written into letters, with what each showed: as bytes, because thousands of
small arrays cost more than all else that is done with them.

>>> import numpy as np
>>> pile = LinkPile()
>>> pile.add("http://a.org/", np.zeros(1, LINK).tobytes(), 0.5, 2)
>>> pile.letter().urls, pile.letter().depth.tolist(), len(pile)
(('http://a.org/',), [2], 1)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from trapline.cluster.letters import MailedLinks
from trapline.core.links import LINK, Links


class LinkPile:
    def __init__(self) -> None:
        self._urls: list[str] = []
        self._records: list[bytes] = []
        self._relevance: list[float] = []
        self._depth: list[int] = []

    def __len__(self) -> int:
        return len(self._urls)

    def add(self, url: str, record: bytes, relevance: float, depth: int) -> None:
        self._urls.append(url)
        self._records.append(record)
        self._relevance.append(relevance)
        self._depth.append(depth)

    def letter(self) -> MailedLinks:
        """All of it."""
        return MailedLinks(
            tuple(self._urls),
            np.frombuffer(b"".join(self._records), LINK).copy(),
            np.array(self._relevance, np.float32),
            np.array(self._depth, np.uint8),
        )


def each_record(links: Links) -> Iterator[bytes]:
    content = links.tobytes()
    size = LINK.itemsize
    return (content[at : at + size] for at in range(0, len(content), size))
