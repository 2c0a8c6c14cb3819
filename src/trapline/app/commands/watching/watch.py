"""`trapline watch`: the words of the command; the work is in app/crawl/."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import (
    Changes,
    Quiet,
    Verbose,
    Yes,
    check_loudness,
    complete_folder,
    read_own_folder,
)


def watch(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            help="Files with a URL a line (- = standard input), URLs, a settings file; "
            "nothing: as in the last run.",
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
    ] = Path("watch"),
    budget: Annotated[
        str | None,
        typer.Option(help="Visits: 600/min …; else each page every ten minutes."),
    ] = None,
    contact: Annotated[
        str | None, typer.Option(help="Your mail address or page.", show_default=False)
    ] = None,
    changes: Changes = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Stop after so many seconds.")
    ] = None,
    visits: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many page visits.")
    ] = None,
    tag: Annotated[
        list[str] | None,
        typer.Option(help="Only pages with this tag; may be repeated."),
    ] = None,
    yes: Yes = False,
    verbose: Verbose = False,
    quiet: Quiet = False,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print one JSON object a change, for machines."),
    ] = False,
) -> None:
    """Watch listed pages and tell what changes; no link is followed. How often each is visited is
    learnt.
    """
    from trapline.app.crawl.run_watch import run_watch
    from trapline.app.crawl.watch_settings import WatchWishes

    check_loudness(verbose, quiet)
    run_watch(
        WatchWishes(
            what=what or [],
            folder=dir,
            budget=budget,
            contact=contact,
            changes=changes or [],
            seconds=seconds,
            visits=visits,
            as_json=as_json,
            yes=yes,
            tags=tag or [],
            verbose=verbose,
            quiet=quiet,
        )
    )
