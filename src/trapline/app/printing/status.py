"""What `status` prints, once or until Ctrl-C."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rich.console import Group
from rich.live import Live
from rich.text import Text

from trapline.app.folder.host_rows import open_for_reading
from trapline.app.folder.status import Status, status_of
from trapline.app.folder.visit_counts import ErrorGroup, VisitCounts
from trapline.app.output.standard_output import check_reader, print_json
from trapline.app.output.terminal import Terminal
from trapline.app.printing.fact_table import (
    RowTable,
    fact_table,
    print_facts,
)
from trapline.app.shards.shard_progress import shard_table
from trapline.policies.wording import say_span

if TYPE_CHECKING:
    # estimates take a compiler
    from trapline.app.folder.dashboard_figures import Dashboard, Estimate

EVERY_S: Final = 1.0
_HOSTS: Final = 8
_SHARDS: Final = 16
_ERRORS: Final = 5


def print_status(folder: Path, as_json: bool) -> None:
    store = open_for_reading(folder)
    try:
        with store.one_moment():
            status = status_of(folder, store)
    finally:
        store.close()
    if as_json:
        print_json(status.as_dict())
        return
    print_facts(status.folder, status.figures().items())
    console = Terminal()
    for part in (*_shard_parts(status), *_visit_parts(status)):
        console.print(part)


def watch_status(folder: Path, as_json: bool) -> None:
    """On a terminal a table that stays; elsewhere a line whenever something has changed."""
    console = Terminal()
    try:
        if as_json or not console.is_terminal:
            _print_changes(folder, as_json)
        else:
            _show_table(console, folder)
    except KeyboardInterrupt:
        return


def _looks(folder: Path) -> Iterator[tuple[Status, Dashboard]]:
    """What there is to show, every second."""
    from trapline.app.folder.dashboard import dashboard_of

    store = open_for_reading(folder)
    try:
        while True:
            with store.one_moment():
                seen = status_of(folder, store), dashboard_of(folder, store)
            yield seen
            time.sleep(EVERY_S)
    finally:
        store.close()


def _print_changes(folder: Path, as_json: bool) -> None:
    before: tuple[object, ...] = ()
    for status, seen in _looks(folder):
        check_reader()
        now = (status.visits, status.pages_held, status.pages_known, seen.robot)
        if now == before:
            continue
        before = now
        if as_json:
            print_json(_both(status, seen))
        else:
            line = ", ".join(f"{name} {value}" for name, value in _facts(status, seen))
            print(f"{status.folder}: {line}")
        sys.stdout.flush()


def _both(status: Status, seen: Dashboard) -> dict[str, Any]:
    return {**status.as_dict(), **seen.as_dict()}


def _show_table(console: Terminal, folder: Path) -> None:
    """On a screen of its own, so that what is longer than the terminal does not scroll; the last
    look stays when it ends.
    """
    looks = _looks(folder)
    shown = Group(*_tables(*next(looks)))  # no folder: said before the screen is taken
    try:
        # rich would read colours and links out of what others print meanwhile
        with Live(
            shown,
            console=console,
            screen=True,
            auto_refresh=False,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as live:
            live.refresh()
            for look in looks:
                shown = Group(*_tables(*look))
                live.update(shown, refresh=True)
    finally:
        console.print(shown)


def _tables(status: Status, seen: Dashboard) -> Iterator[Any]:
    yield fact_table(f"{status.folder} (Ctrl-C ends it)", _facts(status, seen))
    yield from _shard_parts(status, _SHARDS)
    yield _host_table(status, seen)
    yield from _error_lines(status.lately.errors[:_ERRORS])


def _host_table(status: Status, seen: Dashboard) -> RowTable:
    """As the schedule saw them when it was last saved; by their visits while it knows of none."""
    if not any(line.visits for line in seen.hosts):
        return _visited_hosts(status.lately)
    columns = ("host", "held", "visits", "a second", "gap", "state")
    rows = (
        (
            line.host,
            f"{line.pages_held:,} of {line.pages_known:,}",
            f"{line.visits:,}",
            f"{line.visits_per_s:.2f}",
            say_span(line.gap_s),
            line.state,
        )
        for line in seen.hosts[:_HOSTS]
    )
    return RowTable("hosts", columns, rows)


def _shard_parts(status: Status, most: int | None = None) -> Iterator[RowTable]:
    if status.shards:
        yield shard_table(status.shards[:most])


def _visit_parts(status: Status) -> Iterator[RowTable | Text]:
    if status.lately.hosts:
        yield _visited_hosts(status.lately)
    yield from _error_lines(status.lately.errors)


def _visited_hosts(lately: VisitCounts) -> RowTable:
    rows = ((one.host, f"{one.visits:,}", f"{one.errors:,}") for one in lately.hosts)
    title = f"hosts of the last {lately.counted:,} visits"
    return RowTable(title, ("host", "visits", "errors"), rows)


def _error_lines(errors: list[ErrorGroup]) -> Iterator[Text]:
    """Not a table: URLs are long, and people copy them."""
    if errors:
        yield Text("errors, and the newest example of each", "italic")
    now_s = time.time()
    for group in errors:
        ago = say_span(round(max(0.0, now_s - group.ended_s)))
        said = f"{group.count:,} × {group.reason}, {ago} ago: {group.url}"
        yield Text(said, overflow="fold")


def _facts(status: Status, seen: Dashboard) -> Iterator[tuple[str, str]]:
    figures = status.figures()
    for name in ("robot", "held back by", "topic"):
        yield name, figures.pop(name)
    yield "recall", _estimate(seen.recall)
    yield "freshness", _estimate(seen.freshness)
    yield "visits a second", f"{seen.visits_per_s:.2f}"
    if seen.shares is not None:
        shares = seen.shares
        yield (
            "visits for",
            f"discovery {shares.discovery:.0%}, refresh {shares.refresh:.0%}, "
            f"news {shares.news:.0%}",
        )
    yield from figures.items()


def _estimate(found: Estimate | None) -> str:
    if found is None:
        return "–"
    return f"about {found.value:.1%} ({found.low:.1%} to {found.high:.1%})"
