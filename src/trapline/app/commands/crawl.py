"""`crawl`: from wishes to settings, and a robot that runs until it is done or told to stop."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from trapline.app.commands.progress import Figures, progress_shown
from trapline.app.commands.tables import print_json
from trapline.app.engine.build import Engine, open_engine
from trapline.app.engine.memory import settle_down
from trapline.app.engine.seed_check import check_seed
from trapline.app.engine.topic_examples import is_address, locate_example
from trapline.app.folder.status import unmet_line
from trapline.app.settings import (
    DiscoveryTable,
    Settings,
    TopicTable,
    read_settings,
    settings_from,
)
from trapline.core.cards import FRINGE, GONE, HELD
from trapline.core.errors import UserMistake
from trapline.core.records import Kind, Visit

WATCHED: Final = "watched"  # a note in the folder of a watch


@dataclass(frozen=True, slots=True)
class CrawlWishes:
    """The command line's words."""

    what: list[str]
    folder: Path
    topic: str | None = None
    like: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    budget: str | None = None
    contact: str | None = None
    dry_run: bool = False
    seconds: float | None = None
    visits: int | None = None
    as_json: bool = False
    changes: list[str] = field(default_factory=list)
    warc: bool = False


def settings_for(wishes: CrawlWishes) -> Settings:
    """The settings file, if one is named, with the command line's words on top; seeds
    are checked.
    """
    files = [word for word in wishes.what if word.endswith(".toml")]
    urls = [word for word in wishes.what if not word.endswith(".toml")]
    if len(files) > 1:
        raise UserMistake(
            f"one settings file at a time, not {len(files)}: {', '.join(files)}"
        )
    settings = read_settings(Path(files[0])) if files else Settings()
    values = settings.model_dump(exclude_unset=True)
    contact = settings.manners.contact if wishes.contact is None else wishes.contact
    values["manners"] = {**values.get("manners", {}), "contact": contact}
    values["seeds"] = [check_seed(url, contact) for url in [*settings.seeds, *urls]]
    values["topic"] = _topic_for(settings.topic, wishes, contact)
    if wishes.budget is not None:
        values["budget"] = {**values.get("budget", {}), "visits": wishes.budget}
    values["output"] = output_for(settings, wishes.changes, wishes.warc)
    if not (values["seeds"] or any(map(is_address, values["topic"]["examples"]))):
        raise UserMistake(
            "nowhere to start: name at least one seed URL, or `seeds = [...]` in the settings file"
        )
    settings = settings_from("the command line", values)
    scope = settings.scope.scope()
    for seed in settings.canonical_seeds():
        if not scope.allows(seed):
            raise UserMistake(
                f"the seed {seed} lies outside the scope: add its host or path to [scope]"
            )
    return settings


def output_for(
    settings: Settings, changes: list[str], warc: bool = False
) -> dict[str, Any]:
    """What the settings file says, and what the command line adds to it."""
    return {
        "warc": settings.output.warc or warc,
        "changes": [*settings.output.changes, *changes],
    }


def _topic_for(table: TopicTable, wishes: CrawlWishes, contact: str) -> dict[str, Any]:
    """The topic of the settings file; words of the command line take the place of its words,
    examples are added.
    """
    said = {
        "examples": [
            *table.examples,
            *(locate_example(text, Path()) for text in wishes.like),
        ],
        "against": [
            *table.against,
            *(locate_example(text, Path()) for text in wishes.unlike),
        ],
    }
    for text in (*said["examples"], *said["against"]):
        if is_address(text):
            check_seed(text, contact)
    return {"words": table.words if wishes.topic is None else wishes.topic, **said}


def figures_of(engine: Engine) -> Figures:
    agenda = engine.controller.agenda
    loop = engine.loop
    return Figures(
        visits=loop.visits if loop else 0,
        held=agenda.count(HELD),
        fringe=agenda.count(FRINGE),
        gone=agenda.count(GONE),
        market_price=agenda.tally("market"),
        fetchers=engine.fetchers.figures(),
    )


def warm_up(
    refresh: str, quiet: bool, discovery: str = DiscoveryTable().policy
) -> None:
    """Kernels are loaded, or the first time compiled (a minute), before the clock of a crawl
    starts.
    """
    from trapline.live.warm_up import warm_live

    with Console(stderr=True, quiet=quiet).status(
        "loading kernels (the first time they are compiled: a minute)"
    ):
        warm_live(discovery, refresh)
    settle_down()


async def crawl_until(
    engine: Engine,
    *,
    seconds: float | None,
    visits: int | None,
    show: Callable[[], None],
    every_s: float = 0.25,
) -> None:
    """Run the engine; Ctrl-C, SIGTERM, so many seconds or visits stop it cleanly.

    `show` is called while it runs.
    """
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(sign, engine.stop)
    running = asyncio.create_task(
        engine.run(most_visits=float("inf") if visits is None else visits)
    )
    alarm = None if seconds is None else loop.call_later(seconds, engine.stop)
    try:
        while not running.done():
            await asyncio.wait((running,), timeout=every_s)
            show()
    finally:
        if alarm is not None:
            alarm.cancel()
    await running


def run_crawl(wishes: CrawlWishes) -> None:
    settings = settings_for(wishes)
    if wishes.dry_run:
        from trapline.app.commands.dry_run import print_plan

        print_plan(wishes.folder, settings, as_json=wishes.as_json)
        return
    engine = open_engine(wishes.folder, settings)
    if engine.index.damaged:
        print(
            f"trapline: the index in {wishes.folder} cannot be trusted: it is made anew from "
            "the store",
            file=sys.stderr,
        )
    try:
        _check_own(engine)
        warm_up(settings.refresh.policy, wishes.as_json, settings.discovery.policy)
        with progress_shown(
            f"crawling into {wishes.folder}", quiet=wishes.as_json
        ) as progress:

            def show() -> None:
                progress(figures_of(engine))

            asyncio.run(
                crawl_until(
                    engine, seconds=wishes.seconds, visits=wishes.visits, show=show
                )
            )
        summary = summary_of(engine, wishes.folder)
        trouble = engine.store.visits(last=1)
        untold = engine.feed.waiting()
    finally:
        engine.close()
    if wishes.as_json:
        print_json(summary)
    else:
        print(
            f"{summary['visits']} visits, {summary['pages_held']} pages held, "
            f"{summary['fringe']} on the fringe."
        )
        if not summary["pages_held"]:
            print(f"Nothing is held yet. {_last_trouble(trouble)}")
        if summary["unmet"]:
            print(unmet_line(summary["unmet"]))
        say_untold(untold)
        print(
            f'Next: trapline search {wishes.folder} "…"   or   trapline serve {wishes.folder}'
        )


def _check_own(engine: Engine) -> None:
    """After a crawl the watch would not know its folder again."""
    if engine.settings.discovery.follow and engine.store.note(WATCHED):
        raise UserMistake(
            f"{engine.folder} is the folder of a watch: a crawl needs one of its own, name it "
            "with --dir"
        )


def say_untold(untold: list[tuple[str, int, str]]) -> None:
    """Of changes that somebody could not be told."""
    for name, count, why in untold:
        because = f" ({why})" if why else ""
        print(
            f"{count} changes could not be told to {name}{because}: the next run tells them.",
            file=sys.stderr,
        )


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
    counts = engine.store.counts()
    return {
        "folder": str(folder),
        "visits": figures.visits,
        "pages_held": counts.held,
        "pages_known": counts.known,
        "fringe": figures.fringe,
        "gone": figures.gone,
        "unmet": engine.topic.unmet(),
    }
