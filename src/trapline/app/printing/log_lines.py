"""Lines of the log as people read them: `trapline log`, and `crawl --verbose`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.folder.places.crawl_store import SHARDS
from trapline.app.folder.places.store_link import shown_place
from trapline.app.folder.visit_log.log_file import log_path
from trapline.app.folder.visit_log.log_filter import LogFilter, since_s, status_test
from trapline.app.folder.visit_log.log_reader import LOOK_S, follow_log, read_log
from trapline.app.output.readable_text import json_text, readable
from trapline.app.output.standard_output import check_reader, print_remark
from trapline.core.errors import FolderMissing, UserMistake
from trapline.policies.wording import say_count


def print_log(folder: Path, wanted: LogFilter, *, follow: bool, as_json: bool) -> None:
    """Until Ctrl-C, if it is followed."""
    folders = _log_folders(folder)
    if not follow and not any(map(_has_log, folders)):
        raise UserMistake(
            f"{shown_place(folder)} has no log yet: the next crawl or watch writes one"
        )
    lines = follow_log(*folders, rest=_rest) if follow else read_log(*folders)
    try:
        printed = _print_lines(filter(wanted.admits, lines), follow, as_json)
    except KeyboardInterrupt:
        return
    if not printed:
        print_remark(
            f"no line of the log of {shown_place(folder)} is like that"
            f"{_say_unknown(folder, wanted)}"
        )


def _log_folders(folder: Path) -> list[Path]:
    """Of a crawl in shards those that were run on this machine."""
    if is_in_shards(folder):
        return sorted((folder / SHARDS).glob("[0-9]*"))
    if not (folder / "store.sqlite").exists():
        raise FolderMissing(folder)
    return [folder]


def _has_log(folder: Path) -> bool:
    return log_path(folder).exists() or log_path(folder, 1).exists()


def _say_unknown(folder: Path, wanted: LogFilter) -> str:
    """Why, if it is a host that the engine has never heard of."""
    if not wanted.host:
        return ""
    store = open_for_reading(folder)
    try:
        names = {row.name for row in store.hosts()}
    finally:
        store.close()
    known = names | {name.rpartition(":")[0] for name in names}
    return "" if wanted.host in known else f": the host {wanted.host} is not known here"


def _rest() -> None:
    check_reader()
    time.sleep(LOOK_S)


def read_filter(host: str, status: str, since: str) -> LogFilter:
    """The words of the command line; UserMistake if they make no sense."""
    return LogFilter(
        host=host.strip().lower(),
        status=status_test(status) if status else None,
        since_s=since_s(since, time.time()) if since else 0.0,
    )


def _print_lines(lines: Iterable[dict[str, Any]], follow: bool, as_json: bool) -> int:
    """How many there were."""
    count = 0
    for count, line in enumerate(lines, 1):  # noqa: B007
        print(json_text(line) if as_json else text_of_line(line))
        if follow:
            sys.stdout.flush()
    return count


def text_of_line(line: dict[str, Any]) -> str:
    """One line, whatever the page and its remark say."""
    when = datetime.fromtimestamp(line.get("time_s", 0.0))
    text = f"{when:%Y-%m-%d %H:%M:%S}  {_event(line)}"
    return readable(text.replace("\n", " ").replace("\t", " "))


def _event(line: dict[str, Any]) -> str:
    event = line.get("event")
    if event == "visit":
        return _visit(line)
    if event == "start":
        return f"start of a run (trapline {line.get('version', '?')})"
    if event == "end":
        why = line.get("failure") or line.get("held_back", "")
        return f"end of a run after {say_count(line.get('visits', 0), 'visit')}" + (
            f": {why}" if line.get("failure") else ""
        )
    return str(line.get("text", ""))


def _visit(line: dict[str, Any]) -> str:
    """
    >>> _visit({"found": "new", "status": 200, "url": "http://a/", "ms": 12, "bytes": 2048,
    ...     "purpose": "first visit", "price": 0.5, "rank": 3, "kind": "page",
    ...     "relevance": 0.75, "links": 5, "new_pages": 1, "remark": ""})
    'new        200  http://a/  12 ms  2.0 kB  first visit, price 0.5 (rank 3)  relevance 0.75, \
5 links (1 new)'
    """
    status = f"{line.get('status') or '–':>3}"
    parts = [
        f"{line.get('found', ''):9}  {status}",
        str(line.get("url", "")),
        f"{line.get('ms', 0)} ms",
        _size(line.get("bytes", 0)),
        _reason(line),
        _lesson(line),
        str(line.get("remark", "")),
    ]
    return "  ".join(filter(None, parts))


def _reason(line: dict[str, Any]) -> str:
    """Why it was chosen."""
    purpose = str(line.get("purpose", ""))
    if line.get("rank") is None:
        return purpose
    return f"{purpose}, price {line['price']:.3g} (rank {line['rank']})"


def _lesson(line: dict[str, Any]) -> str:
    """What it taught."""
    if line.get("found") not in ("new", "changed", "unchanged"):
        return ""
    said = f"relevance {line.get('relevance', 0.0):.2f}"
    if links := line.get("links"):
        said += f", {links} links ({line.get('new_pages', 0)} new)"
    return said


def _size(count: int) -> str:
    """
    >>> _size(0), _size(188), _size(20_480), _size(3_000_000)
    ('', '188 B', '20.0 kB', '2.9 MB')
    """
    if count < 1024:
        return f"{count} B" if count else ""
    return (
        f"{count / 1024:.1f} kB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MB"
    )
