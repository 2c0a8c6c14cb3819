"""The work of `watch`: each listed page is visited as often as it pays, each change is told."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from trapline.app.crawl.printed_changes import PrintedChanges
from trapline.app.crawl.run_crawl import listen, print_undelivered
from trapline.app.crawl.run_start import RunStart
from trapline.app.crawl.run_until import crawl_until, open_warmed
from trapline.app.crawl.url_lists import SHOWN, STANDARD_INPUT
from trapline.app.crawl.watch_settings import WatchWishes, start_for
from trapline.app.engine.parts import Engine
from trapline.app.engine.watching.followed_list import FollowedList
from trapline.app.settings_files.kept_settings import WATCHED
from trapline.core.cards import BLOCKED
from trapline.live.awake_loop import run_awake
from trapline.policies.wording import say_count


def run_watch(wishes: WatchWishes) -> None:
    start = start_for(wishes)
    start.tell()
    start.confirm(yes=wishes.yes)
    silent = wishes.as_json or wishes.quiet
    engine = open_warmed(wishes.folder, start.settings, start.given, quiet=silent)
    try:
        engine.holdings.collection.note(WATCHED, "yes")
        engine.followed_list = _followed_list(wishes, start)
        if wishes.as_json or not wishes.quiet:
            engine.feed.add(PrintedChanges(wishes.as_json, engine.stop))
        listen(engine, wishes, _print_line)
        if not silent:
            print(
                f"Watching {say_count(len(start.settings.seeds), 'page')} into {wishes.folder} "
                "(Ctrl-C stops).",
                file=sys.stderr,
            )
        run_awake(
            crawl_until(
                engine, seconds=wishes.seconds, visits=wishes.visits, show=lambda: None
            )
        )
        print_undelivered(engine.feed.waiting())
        for line in _missing_pages(engine, engine.settings.seeds):
            print(line, file=sys.stderr)
    finally:
        engine.close()


def _followed_list(wishes: WatchWishes, start: RunStart) -> FollowedList:
    """What came by the standard input cannot be read again."""
    names = [*start.given.lists, start.given.file]
    files = [] if STANDARD_INPUT in wishes.what else [Path(one) for one in names if one]
    return FollowedList(files, lambda: start_for(wishes).settings)


def _print_line(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _missing_pages(engine: Engine, pages: Iterable[str]) -> Iterator[str]:
    """Of which listed pages nothing is held, and why."""
    number = engine.holdings.book.number
    failing = engine.store.failing()
    listed = engine.instructions.listed_pages
    places = {url: listed.place_of(url) if listed else url for url in pages}
    missing = (
        url
        for url, place in places.items()
        if all(engine.store.held(number(one)[0]) is None for one in {url, place})
    )
    for url in islice(missing, SHOWN):
        page, host = number(places[url])
        why = failing.get(page) or _why_missing(engine, page, host)
        moved = f", which has moved to {places[url]}" if places[url] != url else ""
        yield f"Nothing is held of {url}{moved}: {why}."


def _why_missing(engine: Engine, page: int, host: int) -> str:
    for visit in engine.store.visits(page, last=1):
        return visit.remark or visit.outcome.name.lower()
    if engine.controller.agenda.hosts["state"][host] == BLOCKED:
        return "its host cannot be found, or is paused"
    return "not visited yet, or robots.txt forbids it"
