"""URL → page number, without keeping URLs in memory, but for the latest.

The book remembers 64 bits of hash per URL: an open-addressing table of page numbers (4 bytes a
slot, at most 0.6 full) over the arrays of the pages' hashes and hosts: 21 bytes a URL. Two URLs
with one hash would become one page: with n URLs the chance is n²/2^65. The hash is seeded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from trapline.core.errors import UnknownPage
from trapline.core.storage import HostRow, Store, UrlRow
from trapline.core.urls import host_of
from trapline.theory.kernel import kernel

_FULLEST: Final = 0.6
_EMPTY: Final = -1
_SIGN: Final = 1 << 63  # numba takes a Python integer for a signed one
_CHUNK: Final = 50_000
LATEST: Final = 10_000  # URLs whose text is kept: 1 MB

Hashes = NDArray[np.int64]
Numbers = NDArray[np.int32]


def _hash(url: str, seed: int) -> int:
    return xxh3_64_intdigest(url.encode(), seed) - _SIGN


@kernel
def find(slots: Numbers, hashes: Hashes, wanted: int) -> int:
    """The page with this hash, or −1."""
    mask = slots.size - 1
    slot = wanted & mask
    while slots[slot] >= 0:
        if hashes[slots[slot]] == wanted:
            return int(slots[slot])
        slot = (slot + 1) & mask
    return _EMPTY


@kernel
def enter(slots: Numbers, hashes: Hashes, first: int, last: int) -> None:
    """File the pages first … last−1, whose hashes are known to be different from all others."""
    mask = slots.size - 1
    for page in range(first, last):
        slot = hashes[page] & mask
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = page


class HashUrlBook:
    """Numbers for URLs and hosts; `lookup` (the store's `url`) knows the text of URLs that are
    committed.

    >>> book = HashUrlBook(seed=1)
    >>> [book.number(f"http://a.org/{name}") for name in "xyx"]
    [(0, 0), (1, 0), (0, 0)]
    >>> book.url(1), book.host_name(0), book.home(0)
    ('http://a.org/y', 'a.org:80', 'http://a.org/')
    """

    def __init__(self, seed: int, lookup: Callable[[int], str] | None = None) -> None:
        self._seed = seed
        self._lookup = lookup
        self._count = 0
        self._room = 512  # pages that the arrays can take
        self._slots: Numbers = np.full(1024, _EMPTY, np.int32)
        self._hashes: Hashes = np.empty(512, np.int64)
        self._page_hosts: Numbers = np.empty(512, np.int32)
        self._hosts: list[HostRow] = []
        self._host_numbers: dict[str, int] = {}  # by name:port
        # by scheme://name:port as URLs spell it: saves parsing
        self._origins: dict[str, int] = {}
        self._new_hosts: list[HostRow] = []
        self._new_urls: list[UrlRow] = []
        # of pages not committed yet, and of the latest: new pages are visited soon
        self._texts: dict[int, str] = {}
        self._forgotten = 0  # the store is asked for the texts of pages below it
        # looked up: what robots.txt is asked about is fetched next
        self._last = (-1, "")

    @classmethod
    def load(cls, store: Store, seed: int) -> HashUrlBook:
        """The book of a store, as if all its URLs had been numbered again."""
        book = cls(seed, store.url)
        for row in store.hosts():
            book._hosts.append(row)
            book._host_numbers[row.name] = row.host
            book._origins[row.home.rstrip("/")] = row.host
        rows = store.urls()
        while book._enter_some(rows):
            pass
        book._forgotten = book._count
        return book

    def __len__(self) -> int:
        return self._count

    @property
    def nbytes(self) -> int:
        """Memory of what is kept per URL."""
        return self._slots.nbytes + self._hashes.nbytes + self._page_hosts.nbytes

    def number(self, url: str) -> tuple[int, int]:
        wanted = _hash(url, self._seed)
        page = find(self._slots, self._hashes, wanted)
        if page >= 0:
            return page, self._page_hosts.item(page)
        return self._enter_new(url, wanted)

    def url(self, page: int) -> str:
        text = self._texts.get(page)
        if text is not None:
            return text
        if self._lookup is None:
            raise UnknownPage(page, self._count)
        if self._last[0] != page:
            self._last = page, self._lookup(page)
        return self._last[1]

    def host_name(self, host: int) -> str:
        return self._hosts[host].name

    def known_host(self, name: str) -> int:
        """The host of this name:port; −1 = nobody has heard of it."""
        return self._host_numbers.get(name, -1)

    def host_number(self, url: str) -> int:
        """Of the host of a canonical URL."""
        return self._host(url)

    def home(self, host: int) -> str:
        return self._hosts[host].home

    def new_rows(self) -> tuple[list[HostRow], list[UrlRow]]:
        """New rows for the next batch, each handed out once; until `committed` the store need not
        know them.
        """
        urls = self._new_urls
        self._new_urls = []
        hosts = self._new_hosts
        self._new_hosts = []
        return hosts, urls

    def note_committed(self, up_to_page: int) -> None:
        """The store knows the pages up to this one now. May be called from the thread
        that commits.
        """
        # One key at a time: another thread may be adding texts, and a dictionary must not be walked
        # meanwhile.
        for page in range(self._forgotten, up_to_page + 1 - LATEST):
            self._texts.pop(page, None)
        self._forgotten = max(self._forgotten, up_to_page + 1 - LATEST)

    def _enter_new(self, url: str, wanted: int) -> tuple[int, int]:
        page = self._count
        host = self._host(url)
        if page == self._room:
            self._make_room(page + 1)
        self._hashes[page] = wanted
        self._page_hosts[page] = host
        enter(self._slots, self._hashes, page, page + 1)
        self._texts[page] = url
        self._new_urls.append(UrlRow(page, url, host))
        self._count = page + 1
        return page, host

    def _host(self, url: str) -> int:
        # canonical URLs have a path and no credentials
        origin = url[: url.index("/", 8)]
        host = self._origins.get(origin)
        if host is None:
            host = self._origins[origin] = self._named_host(host_of(url), origin + "/")
        return host

    def _named_host(self, name: str, home: str) -> int:
        host = self._host_numbers.get(name)
        if host is None:
            host = self._host_numbers[name] = len(self._hosts)
            row = HostRow(host, name, home)
            self._hosts.append(row)
            self._new_hosts.append(row)
        return host

    def _enter_some(self, rows: Iterator[UrlRow]) -> bool:
        """Take a chunk of committed rows; False when there are no more."""
        hashes: list[int] = []
        hosts: list[int] = []
        # row by row: a list of a million records would keep the collector busy
        for row in islice(rows, _CHUNK):
            hashes.append(_hash(row.url, self._seed))
            hosts.append(row.host)
        first = self._count
        last = self._count + len(hashes)
        self._make_room(last)
        self._hashes[first:last] = hashes
        self._page_hosts[first:last] = hosts
        enter(self._slots, self._hashes, first, last)
        self._count = last
        return last > first

    def _make_room(self, pages: int) -> None:
        """Room for so many pages in all arrays, by doubling."""
        while self._hashes.size < pages:
            self._hashes = np.concatenate((self._hashes, np.empty_like(self._hashes)))
            self._page_hosts = np.concatenate(
                (self._page_hosts, np.empty_like(self._page_hosts))
            )
        slots = self._slots.size
        while pages > _FULLEST * slots:
            slots *= 2
        if slots > self._slots.size:
            self._slots = np.full(slots, _EMPTY, np.int32)
            enter(self._slots, self._hashes, 0, self._count)
        self._room = min(self._hashes.size, int(_FULLEST * slots))
