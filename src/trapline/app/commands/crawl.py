"""`trapline crawl`: the words of the command; the work is in app/crawl/."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import Changes, Json, Quiet, Verbose


def crawl(
    what: Annotated[
        list[str],
        typer.Argument(
            help="A settings file (TOML), or seed URLs.", show_default=False
        ),
    ],
    dir: Annotated[
        Path, typer.Option(help="The engine's folder; made if missing, resumed if not.")
    ] = Path("engine"),
    topic: Annotated[
        str | None, typer.Option(help="What to look for, in words.", show_default=False)
    ] = None,
    like: Annotated[
        list[str] | None,
        typer.Option(help="An example: URL, file or text.", show_default=False),
    ] = None,
    unlike: Annotated[
        list[str] | None, typer.Option(help="A counter-example.", show_default=False)
    ] = None,
    budget: Annotated[
        str | None, typer.Option(help="Visits: 5/s, 600/min, 10000/h, unlimited.")
    ] = None,
    contact: Annotated[
        str | None, typer.Option(help="Your mail address or page.", show_default=False)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done; do nothing.")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Stop after so many seconds.")
    ] = None,
    visits: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many page visits.")
    ] = None,
    changes: Changes = None,
    warc: Annotated[
        bool,
        typer.Option("--warc", help="Record whole answers as WARC files in DIR/warc."),
    ] = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Discover, keep fresh, index. Ctrl-C stops cleanly; the same --dir goes on where
    it stopped.
    """
    from trapline.app.crawl.crawl_settings import CrawlWishes
    from trapline.app.crawl.run_crawl import run_crawl

    run_crawl(
        CrawlWishes(
            what=what,
            folder=dir,
            topic=topic,
            like=like or [],
            unlike=unlike or [],
            budget=budget,
            contact=contact,
            dry_run=dry_run,
            seconds=seconds,
            visits=visits,
            as_json=as_json,
            verbose=verbose,
            quiet=quiet,
            changes=changes or [],
            warc=warc,
        )
    )
