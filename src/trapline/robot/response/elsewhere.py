"""Links that another shard is to follow: they get no numbers here, and travel with their clues."""

from __future__ import annotations

from typing import Final, NamedTuple

from trapline.core.links import NO_LINKS, Links


class Elsewhere(NamedTuple):
    """One record for each URL; its page and host are −1."""

    urls: tuple[str, ...]
    links: Links


NOBODY: Final = Elsewhere((), NO_LINKS)
