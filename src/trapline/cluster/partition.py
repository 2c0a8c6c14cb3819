"""Which shard a host belongs to: by the hash of its registered domain, for ever, unless its address
has another home.

Hashes are taken modulo the number of shards, so in twice as many a host stays or moves on by so
many as there were.

>>> home_shard("www.example.org:443", 8) == home_shard("news.example.org:80", 8)
True
>>> {home_shard("example.org:80", 16) % 8} == {home_shard("example.org:80", 8)}
True
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from xxhash import xxh3_64_intdigest

from trapline.core.ledger import MovedHost
from trapline.core.sites import site_of_host
from trapline.core.urls import host_of

MOST: Final = 200_000  # origins whose home is remembered


def home_shard(host_name: str, shards: int) -> int:
    """The shard of a host (name:port) by its name alone."""
    return xxh3_64_intdigest(site_of_host(host_name).encode()) % shards


class Partition:
    """Of a crawl, as one of its shards knows it."""

    def __init__(self, shards: int, own: int) -> None:
        self.shards = shards
        self.own = own
        self._moved: dict[str, MovedHost] = {}  # by name:port
        self._homes: dict[str, int] = {}  # by origin or name:port

    def home(self, place: str) -> int:
        """The shard of a canonical URL, or of a host (name:port)."""
        at = place.find("/", 8) if "://" in place else len(place)
        origin = place[:at]
        home = self._homes.get(origin)
        if home is None:
            name = host_of(place) if "://" in place else place
            moved = self._moved.get(name)
            home = home_shard(name, self.shards) if moved is None else moved.shard
            if len(self._homes) >= MOST:
                self._homes.clear()
            self._homes[origin] = home
        return home

    def move_of(self, host_name: str) -> MovedHost | None:
        """The move that brought a host where it is; None = it is where its name says."""
        return self._moved.get(host_name)

    def learn(self, moves: Iterable[MovedHost]) -> None:
        for move in moves:
            self._moved[move.name] = move
            self._homes.clear()
