"""The work of `crawl`: a robot that runs until it is done or stopped, and a summary of its run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from trapline.app.crawl.crawl_settings import CrawlWishes, start_for
from trapline.app.crawl.progress import figures_of, progress_shown
from trapline.app.crawl.run_until import crawl_until, open_warmed
from trapline.app.crawl.watch_settings import WatchWishes
from trapline.app.engine.parts import Engine
from trapline.app.folder.reach_figures import reachable_counts, say_reach
from trapline.app.folder.status import alike_line, unmet_line
from trapline.app.output.standard_output import print_json
from trapline.app.printing.log_lines import text_of_line
from trapline.core.records import Kind, Visit
from trapline.live.awake_loop import run_awake
from trapline.policies.wording import say_count
from trapline.robot.hindrances.held_back import Cause


def run_crawl(wishes: CrawlWishes) -> None:
    if wishes.is_in_shards():
        from trapline.app.shards.crawl_shards import run_in_shards

        run_in_shards(wishes)
        return
    start = start_for(wishes)
    start.tell()
    settings = start.settings
    if wishes.dry_run:
        from trapline.app.crawl.dry_run import print_plan

        print_plan(wishes.folder, settings, as_json=wishes.as_json)
        return
    start.confirm(yes=wishes.yes)
    silent = wishes.as_json or wishes.quiet
    engine = open_warmed(wishes.folder, settings, start.given, quiet=silent)
    try:
        _crawl(engine, wishes)
        summary = summary_of(engine, wishes.folder)
        trouble = _trouble(engine)
        undelivered = engine.feed.waiting()
    finally:
        engine.close()
    if wishes.as_json:
        print_json(summary)
        return
    if wishes.quiet:
        return
    _print_summary(summary, trouble)
    print_undelivered(undelivered)
    print(
        f'Next: trapline search {wishes.folder} "…"   or   trapline serve {wishes.folder}'
    )


def _crawl(engine: Engine, wishes: CrawlWishes) -> None:
    title = f"crawling into {wishes.folder}"
    with progress_shown(title, quiet=wishes.as_json or wishes.quiet) as progress:
        listen(engine, wishes, progress.say)

        def show() -> None:
            progress(figures_of(engine))

        run_awake(
            crawl_until(engine, seconds=wishes.seconds, visits=wishes.visits, show=show)
        )


def listen(
    engine: Engine, wishes: CrawlWishes | WatchWishes, say: Callable[[str], None]
) -> None:
    """Have the lines of the run printed that are wished for; all of them are in the log."""
    if wishes.verbose:
        engine.hear_visit = lambda line: say(text_of_line(line))
    if wishes.quiet:
        engine.say = lambda _: None
    else:
        engine.say = lambda remark: say(f"trapline: {remark}")


def _print_summary(summary: dict[str, Any], trouble: str) -> None:
    visits = say_count(summary["visits"], "visit")
    pages = say_count(summary["pages_held"], "page")
    print(f"{visits}, {pages} held, {summary['fringe']} on the fringe.")
    if not summary["pages_held"]:
        print(f"Nothing is held yet. {trouble}")
    if unreached := say_reach(summary["out_of_reach"]):
        print(f"Out of reach: {unreached}.")
    if summary["unmet"]:
        print(unmet_line(summary["unmet"]))
    if summary["alike"] is not None:
        print(alike_line(summary["alike"]))


def print_undelivered(undelivered: list[tuple[str, int, str]]) -> None:
    """Changes that an outlet could not be told."""
    for name, count, why in undelivered:
        because = f" ({why})" if why else ""
        print(
            f"{count} changes could not be told to {name}{because}: the next run tells them.",
            file=sys.stderr,
        )


def _trouble(engine: Engine) -> str:
    """Why nothing is held, if that is so."""
    held_back = engine.held_back
    if held_back is not None and held_back.cause is Cause.FORBIDDEN:
        return f"The {held_back.reason}."
    return _last_trouble(engine.store.visits(last=1))


def _last_trouble(visits: list[Visit]) -> str:
    """Why a crawl came to nothing, as far as its last visit tells."""
    if not visits:
        return "No host has been visited: was there time for it, and are the seeds spelt right?"
    asked = "robots.txt" if visits[0].kind is Kind.ROBOTS else "the page"
    return (
        f"The last visit asked for {asked}: "
        f"{visits[0].remark or visits[0].outcome.name.lower()}."
    )


def summary_of(engine: Engine, folder: Path) -> dict[str, Any]:
    figures = figures_of(engine)
    out_of_reach = engine.out_of_reach()
    counts = reachable_counts(engine.store, {"out_of_reach": out_of_reach})
    return {
        "folder": str(folder),
        "visits": figures.visits,
        "pages_held": counts.held,
        "pages_known": counts.known,
        "fringe": figures.fringe,
        "gone": figures.gone,
        "out_of_reach": out_of_reach,
        "unmet": engine.control.topic.unmet(),
        "alike": engine.control.topic.alike(),
    }
