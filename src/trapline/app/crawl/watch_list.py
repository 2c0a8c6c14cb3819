"""The pages to watch, as people list them: files with a URL a line, the standard input, or URLs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from trapline.app.crawl.url_lists import (
    WORDS,
    Place,
    join_mistakes,
    list_lines,
    lost_hosts,
)
from trapline.app.crawl.watch_lines import read_line
from trapline.app.rule_tables import WatchedPageTable
from trapline.core.errors import UserMistake
from trapline.core.urls import host_of


def _accept(_: WatchedPageTable) -> None:
    pass


def pages_of(
    words: Iterable[str],
    contact: str = "",
    check: Callable[[WatchedPageTable], None] = _accept,
) -> dict[str, WatchedPageTable]:
    """URL → what its line says, of all pages in the named lists. All bad lines are reported at
    once; `check` may find more of them, and raises UserMistake.

    A host whose name cannot be resolved is reported and watched all the same: most of them come
    back. If no host can be resolved, something else is wrong, and that is a UserMistake.
    """
    pages: dict[str, WatchedPageTable] = {}
    places: dict[str, str] = {}  # of each page
    unused: list[str] = []
    first: dict[str, Place] = {}  # of each host
    bad: list[str] = []
    for where, line in list_lines(words):
        try:
            page = read_line(line)
            check(page)
        except UserMistake as mistake:
            bad.append(f"{where}: {mistake}")
        else:
            before = pages.setdefault(page.url, page)
            if before != page and where != WORDS:
                earlier = _place_beside(places[page.url], where)
                unused.append(
                    f"{where}: listed already {earlier}: this line is not used"
                )
            places.setdefault(page.url, where)
            first.setdefault(host_of(page.url), Place(where, page.url))
    lost = [
        f"{place.where}: {found}"
        for place, found in lost_hosts(first.values(), contact)
    ]
    if bad or (lost and (len(lost) == len(first) or not contact)):
        raise UserMistake(join_mistakes(bad + lost))
    if not pages:
        raise UserMistake(
            "nothing to watch: name a file with a URL a line, URLs, or a settings file with seeds"
        )
    if unused:
        print(f"trapline: {join_mistakes(unused)}", file=sys.stderr)
    if lost:
        print(
            f"trapline: looked for again later: {join_mistakes(lost)}", file=sys.stderr
        )
    return pages


def _place_beside(place: str, other: str) -> str:
    """
    >>> _place_beside("a.txt, line 1", "a.txt, line 3")
    'on line 1'
    >>> _place_beside("b.txt, line 1", "a.txt, line 3")
    'in b.txt, line 1'
    """
    source, _, line = place.rpartition(", ")
    if source and other.rpartition(", ")[0] == source:
        return f"on {line}"
    return f"in {place}"
