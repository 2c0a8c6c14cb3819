"""What a store checks of a batch before it writes a line of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from trapline.core.errors import UnknownPage
from trapline.core.storage import Batch


def check_numbering(batch: Batch, hosts: int, known: int) -> None:
    """Refuse a batch that does not continue the numbers of hosts and pages, or names pages without
    a URL.

    Numbers are dense. A gap or a repetition means that two books have given out the same numbers,
    and everything written under them would belong to other pages.

    >>> from trapline.core.storage import UrlRow
    >>> check_numbering(Batch(urls=[UrlRow(7, "http://a/", 0)]), hosts=1, known=7)
    >>> check_numbering(Batch(urls=[UrlRow(9, "http://a/", 0)]), hosts=1, known=7)
    Traceback (most recent call last):
    ValueError: URL 9 does not follow the 7 known
    """
    for expected, host in enumerate(batch.hosts, hosts):
        if host.host != expected:
            raise ValueError(f"host {host.host} does not follow the {expected} known")
    for expected, row in enumerate(batch.urls, known):
        if row.page != expected:
            raise ValueError(f"URL {row.page} does not follow the {expected} known")
    known += len(batch.urls)
    for page in _pages_in(batch):
        if not 0 <= page < known:
            raise UnknownPage(page, known)


def check_new(numbers: list[int], known: Collection[int]) -> None:
    """Refuse numbers of visits or calls that are given twice."""
    if len(set(numbers)) < len(numbers) or any(number in known for number in numbers):
        raise ValueError(f"a visit or call number is given twice: {numbers[:10]}")


def _pages_in(batch: Batch) -> Iterator[int]:
    yield from (page.page for page in batch.pages)
    yield from (page for page, _ in batch.seen)
    yield from batch.gone
    yield from (page.page for page in batch.past)
    yield from batch.forgotten
    yield from (page for page, _ in batch.links)
    for page, said in batch.texts:
        yield page
        targets = [target for target, _ in said]
        yield min(targets, default=page)
        yield max(targets, default=page)
    yield from (diff.page for diff in batch.diffs)
    yield from (page for page, _ in batch.same)
