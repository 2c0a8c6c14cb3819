"""Doubling the shards of a crawl that is at rest."""

from __future__ import annotations

from trapline.app.shards.crawl_place import CrawlPlace
from trapline.core.errors import UserMistake


def split_crawl(place: CrawlPlace) -> int:
    """Returns how many there are then."""
    raise UserMistake(f"the crawl in {place.shown} cannot be split yet")
