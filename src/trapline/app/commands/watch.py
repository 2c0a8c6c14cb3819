"""`watch`: a list of pages, each visited as often as it pays, and every change told as
it is seen.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Final

from trapline.app.commands.crawl import (
    WATCHED,
    crawl_until,
    output_for,
    say_untold,
    warm_up,
)
from trapline.app.commands.tables import nobody_reads
from trapline.app.engine.build import Engine, open_engine
from trapline.app.engine.seed_check import check_seed
from trapline.app.engine.topic_examples import is_address
from trapline.app.output.changes import Line, said_of
from trapline.app.settings import Settings, read_settings, settings_from
from trapline.core.cards import BLOCKED
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical, host_of

# in which each page is visited once on average, unless a budget is named
ROUND_S: Final = 600.0
_SHOWN: Final = 20  # of what is wrong
_AT_ONCE: Final = 32  # names that are resolved side by side


@dataclass(frozen=True, slots=True)
class WatchWishes:
    """The command line's words."""

    what: list[str]
    folder: Path
    budget: str | None = None
    contact: str | None = None
    changes: list[str] = field(default_factory=list)
    seconds: float | None = None
    visits: int | None = None
    as_json: bool = False


def pages_of(words: Iterable[str], contact: str = "") -> dict[str, str]:
    """URL → its name, of all pages in the named lists. Lines that are none are named, all at once.

    A host whose name cannot be resolved is said and watched all the same: among many one is always
    lost, and most of them come back. If all are, something else is wrong.
    """
    pages: dict[str, str] = {}
    # of each host: where it is named, and by which page
    first: dict[str, tuple[str, str]] = {}
    bad: list[str] = []
    for place, line in _lines(words):
        url, _, name = line.partition(" ")
        try:
            page = canonical(url)
        except UserMistake as mistake:
            bad.append(f"{place}: {mistake}")
        else:
            pages.setdefault(page, name.strip())
            first.setdefault(host_of(page), (place, page))
    lost = list(_lost(first.values(), contact))
    if bad or (lost and (len(lost) == len(first) or not contact)):
        raise UserMistake(_all_of(bad + lost))
    if not pages:
        raise UserMistake(
            "nothing to watch: name a file with a URL a line, URLs, or a settings file with seeds"
        )
    if lost:
        print(f"trapline: looked for again later: {_all_of(lost)}", file=sys.stderr)
    return pages


def _lost(places: Collection[tuple[str, str]], contact: str) -> Iterator[str]:
    """Hosts that may not be visited, or not yet.

    Names are resolved side by side: a dead one takes its time.
    """

    def why(page: str) -> str:
        try:
            check_seed(page, contact)
        except UserMistake as mistake:
            return str(mistake)
        return ""

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for (place, _), said in zip(
            places, pool.map(why, [page for _, page in places]), strict=True
        ):
            if said:
                yield f"{place}: {said}"


def _all_of(mistakes: list[str]) -> str:
    more = f"; and {len(mistakes) - _SHOWN} more" if len(mistakes) > _SHOWN else ""
    return "; ".join(mistakes[:_SHOWN]) + more


def _lines(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(where, what it says) of each line that says something."""
    for word in words:
        if is_address(word):
            yield "the command line", word
            continue
        for number, line in enumerate(_text(word).splitlines(), 1):
            said = " ".join(line.split())
            if said and not said.startswith("#"):
                yield (
                    f"{'the standard input' if word == '-' else word}, line {number}",
                    said,
                )


def _text(word: str) -> str:
    try:
        return (
            sys.stdin.read()
            if word == "-"
            else Path(word).read_text(encoding="utf-8-sig")
        )
    except FileNotFoundError:
        raise UserMistake(
            f"there is no file {word} to watch (a URL begins with http:// or https://)"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserMistake(f"cannot read the list {word}: {error}") from None


def settings_for(wishes: WatchWishes) -> tuple[Settings, dict[str, str]]:
    """The settings file, if one is named, with the list, if one is named, in place of its seeds;
    and the pages.
    """
    files = [word for word in wishes.what if word.endswith(".toml")]
    if len(files) > 1:
        raise UserMistake(
            f"one settings file at a time, not {len(files)}: {', '.join(files)}"
        )
    settings = read_settings(Path(files[0])) if files else Settings()
    contact = settings.manners.contact if wishes.contact is None else wishes.contact
    lists = [word for word in wishes.what if not word.endswith(".toml")]
    pages = pages_of(lists or settings.seeds, contact)
    values = settings.model_dump(exclude_unset=True)
    values["manners"] = {**values.get("manners", {}), "contact": contact}
    values["seeds"] = list(pages)
    values["topic"] = {}  # all pages are worth the same: the user has chosen them
    values["discovery"] = {"policy": "breadth-first", "follow": False}
    values["output"] = output_for(settings, wishes.changes)
    budget = values.get("budget", {})
    if wishes.budget is not None:
        budget = {**budget, "visits": wishes.budget}
    elif "visits" not in budget:
        budget = {**budget, "visits": len(pages) / ROUND_S, "burst": float(len(pages))}
    # a page never seen goes first
    values["budget"] = {**budget, "discovery_share": 1.0}
    return settings_from("the command line", values), pages


class Printed:
    """An outlet (app/output/outlets.py): changes on the standard output, from now on."""

    key = ""
    name = "the standard output"

    def __init__(
        self, names: dict[str, str], as_json: bool, stop: Callable[[], None]
    ) -> None:
        """`stop` is called when nobody reads any more."""
        self._names = names
        self._as_json = as_json
        self._stop = stop

    def resume(self, noted: int | None, newest: int) -> int:
        return newest

    async def tell(self, lines: list[Line]) -> None:
        try:
            for line in lines:
                name = self._names.get(line.url, "")
                said = json.dumps({**line.as_dict(), "name": name}, ensure_ascii=False)
                print(said if self._as_json else printed_changes(line, name))
            sys.stdout.flush()
        except BrokenPipeError:
            nobody_reads()
            self._stop()

    def close(self) -> None:
        pass


def printed_changes(line: Line, name: str = "") -> str:
    """A change as people read it; what comes from the web has no power over their terminal.

    >>> printed_changes(Line(1, "http://a/", "changed", "", 0.0, "News\\x1b[2J", 12, 3))[19:]
    '  changed  http://a/  +12 −3 words  News [2J'
    """
    when = datetime.fromtimestamp(line.at_s).strftime("%Y-%m-%d %H:%M:%S")
    parts = (when, f"{line.turn:7}", line.url, said_of(line), name or line.title)
    return "".join(
        mark if mark.isprintable() else " " for mark in "  ".join(filter(None, parts))
    )


def run_watch(wishes: WatchWishes) -> None:
    settings, pages = settings_for(wishes)
    engine = open_engine(wishes.folder, settings)
    try:
        _check_own(engine)
        engine.feed.add(Printed(pages, wishes.as_json, engine.stop))
        warm_up(settings.refresh.policy, wishes.as_json, settings.discovery.policy)
        if not wishes.as_json:
            print(
                f"Watching {len(pages)} pages into {wishes.folder} (Ctrl-C stops).",
                file=sys.stderr,
            )
        asyncio.run(
            crawl_until(
                engine, seconds=wishes.seconds, visits=wishes.visits, show=lambda: None
            )
        )
        say_untold(engine.feed.waiting())
        for line in _missing(engine, pages):
            print(line, file=sys.stderr)
    finally:
        engine.close()


def _check_own(engine: Engine) -> None:
    """A crawl's fringe would be forgotten as no longer listed."""
    before = json.loads(engine.store.note("settings") or "null")
    if before and before.get("discovery", {}).get("follow", True):
        raise UserMistake(
            f"{engine.folder} is the folder of a crawl: a watch needs one of its own, name it "
            "with --dir"
        )
    engine.collection.note(WATCHED, "yes")


def _missing(engine: Engine, pages: Iterable[str]) -> Iterator[str]:
    """Of which listed pages nothing is held, and why."""
    hosts = engine.controller.agenda.hosts
    for url in islice(_not_held(engine, pages), _SHOWN):
        lost = hosts["state"][engine.book.number(url)[1]] == BLOCKED
        why = (
            "its host cannot be found, or is paused"
            if lost
            else "not visited yet, or robots.txt forbids it"
        )
        for visit in engine.store.visits(engine.book.number(url)[0], last=1):
            why = visit.remark or visit.outcome.name.lower()
        yield f"Nothing is held of {url}: {why}."


def _not_held(engine: Engine, pages: Iterable[str]) -> Iterator[str]:
    return (
        url for url in pages if engine.store.held(engine.book.number(url)[0]) is None
    )
