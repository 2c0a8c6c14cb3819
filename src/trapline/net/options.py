"""What bounds a fetcher, and what it may send."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from trapline.net.credentials import Credentials


@dataclass(frozen=True, slots=True)
class Limits:
    total_s: float = 30.0  # for one ticket
    connect_s: float = 10.0
    # after decompression; sitemaps and feeds are cut here, and read as far as they came
    body_bytes: int = 5_000_000
    # a robots.txt is cut here, not refused (RFC 9309 reads the first 500 KiB)
    robots_bytes: int = 600_000
    header_bytes: int = 8_190  # of one line
    headers: int = 100


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class FetcherOptions:
    limits: Limits = field(default_factory=Limits)
    credentials: Credentials = field(default_factory=Credentials)
    keep_headers: bool = False  # hand on all headers of an answer, for WARC
    # asked right before a request is sent, over a new connection or a kept one
    may_send: Callable[[], bool] = _always
