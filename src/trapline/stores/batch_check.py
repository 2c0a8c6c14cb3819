"""What every store asks of a batch before it writes a line of it."""

from __future__ import annotations

from trapline.core.errors import UnknownPage
from trapline.core.ports import Batch


def check_numbering(batch: Batch, hosts: int, known: int) -> None:
    """Refuse a batch that does not continue the numbers of hosts and pages, or speaks of pages
    without a URL.

    Numbers are dense: a gap or a repetition means that two books have given out the same numbers,
    and everything filed under them later would be somebody else's.

    >>> from trapline.core.ports import UrlRow
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
    mentioned = (
        [page.page for page in batch.pages]
        + [page for page, _ in batch.seen]
        + batch.gone
    )
    mentioned += [page for page, _ in batch.links] + [diff.page for diff in batch.diffs]
    mentioned += [page for page, _ in batch.same]
    for page in mentioned:
        if not 0 <= page < known:
            raise UnknownPage(page, known)
