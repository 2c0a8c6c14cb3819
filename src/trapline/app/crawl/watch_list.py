"""The pages to watch, as people list them: files with a URL a line, the standard input, or URLs."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from trapline.app.crawl.url_lists import Place, join_mistakes, list_lines, lost_hosts
from trapline.app.crawl.watch_lines import read_line
from trapline.app.rule_tables import WatchedPageTable
from trapline.core.errors import UserMistake
from trapline.core.urls import host_of


def pages_of(words: Iterable[str], contact: str = "") -> dict[str, WatchedPageTable]:
    """URL → what its line says, of all pages in the named lists. All bad lines are reported at
    once.

    A host whose name cannot be resolved is reported and watched all the same: most of them come
    back. If no host can be resolved, something else is wrong, and that is a UserMistake.
    """
    pages: dict[str, WatchedPageTable] = {}
    first: dict[str, Place] = {}  # of each host
    bad: list[str] = []
    for where, line in list_lines(words):
        try:
            page = read_line(line)
        except UserMistake as mistake:
            bad.append(f"{where}: {mistake}")
        else:
            pages.setdefault(page.url, page)
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
    if lost:
        print(
            f"trapline: looked for again later: {join_mistakes(lost)}", file=sys.stderr
        )
    return pages
