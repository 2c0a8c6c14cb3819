"""Links that another shard is to follow: they get no numbers here, and travel with their clues."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from trapline.core.links import NO_LINKS, Links
from trapline.topic.link_clues import join_records


class Elsewhere(NamedTuple):
    """One record for each URL; its page and host are −1."""

    urls: tuple[str, ...]
    links: Links


NOBODY: Final = Elsewhere((), NO_LINKS)


def join_elsewhere(parts: Iterable[Elsewhere]) -> Elsewhere:
    some = [part for part in parts if part.urls]
    if not some:
        return NOBODY
    urls = tuple(url for part in some for url in part.urls)
    return Elsewhere(urls, join_records([part.links for part in some]))
