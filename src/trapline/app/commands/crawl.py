"""`trapline crawl`: the words of the command; the work is in app/crawl/."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import (
    Changes,
    Json,
    Quiet,
    Verbose,
    Yes,
    check_loudness,
    complete_folder,
    read_named,
    read_own_folder,
)


def crawl(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="Seed URLs, files with a URL a line (- = standard input), a settings "
            "file (TOML); nothing: as in the last run.",
            show_default=False,
        ),
    ] = None,
    dir: Annotated[
        Path,
        typer.Option(
            parser=read_own_folder,
            metavar="FOLDER",
            autocompletion=complete_folder,
            help="The engine's folder; made if missing, resumed if not.",
        ),
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
    hosts: Annotated[
        list[str] | None,
        typer.Option(
            help="Stay on this host (.lab.org: and all below it); may be repeated.",
            show_default=False,
        ),
    ] = None,
    same_site: Annotated[
        bool, typer.Option("--same-site", help="Stay on the domains of the seeds.")
    ] = False,
    depth: Annotated[
        int | None, typer.Option(min=0, help="At most so many links from a seed.")
    ] = None,
    pages: Annotated[
        int | None, typer.Option(min=1, help="Hold at most so many pages.")
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option(
            help="Leave out paths like '*/print/*'; may be repeated.",
            show_default=False,
        ),
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
    shards: Annotated[
        int | None,
        typer.Option(
            min=1, max=4096, help="Cut the crawl into so many parts; chosen once."
        ),
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            parser=read_named,
            metavar="ADDRESS",
            help="Keep it in PostgreSQL: postgresql://user@host/database.",
            show_default=False,
        ),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, max=1024, help="Processes that run the shards."),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            parser=read_named,
            metavar="ADDRESS",
            help="Run the workers on this Ray cluster, or `local`.",
            show_default=False,
        ),
    ] = None,
    yes: Yes = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Discover, keep fresh, index. Ctrl-C stops cleanly; the same --dir alone goes on
    where it stopped.
    """
    from trapline.app.crawl.crawl_settings import CrawlWishes
    from trapline.app.crawl.run_crawl import run_crawl

    check_loudness(verbose, quiet)
    run_crawl(
        CrawlWishes(
            what=what or [],
            folder=dir,
            topic=topic,
            like=like or [],
            unlike=unlike or [],
            hosts=hosts or [],
            same_site=same_site,
            depth=depth,
            pages=pages,
            exclude=exclude or [],
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
            yes=yes,
            shards=shards,
            store=store or "",
            workers=workers,
            ray=ray or "",
        )
    )
