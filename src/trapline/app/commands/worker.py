"""`trapline worker`: the words of the command; the work is in app/shards/crew/worker_process.py."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import (
    Quiet,
    StartJson,
    complete_folder,
    read_named,
    read_own_folder,
)


def worker(
    store: Annotated[
        str,
        typer.Option(
            parser=read_named,
            metavar="ADDRESS",
            help="The crawl: postgresql://user@host/database, or its folder.",
            show_default=False,
        ),
    ],
    dir: Annotated[
        Path,
        typer.Option(
            parser=read_own_folder,
            metavar="FOLDER",
            autocompletion=complete_folder,
            help="For logs and WARC files of a crawl in PostgreSQL.",
        ),
    ] = Path("engine"),
    settings: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Secrets and outlets, which the store does not keep; TOML.",
            show_default=False,
        ),
    ] = "",
    name: Annotated[
        str,
        typer.Option(help="Of this worker; chance is added to it.", show_default=False),
    ] = "",
    readers: Annotated[
        int | None,
        typer.Option(min=0, max=64, help="Processes beside it that read answers."),
    ] = None,
    quiet: Quiet = False,
    as_json: StartJson = False,
) -> None:
    """Run shards of a crawl on this machine; SIGTERM has them saved and given to others."""
    from trapline.app.output.standard_output import print_json
    from trapline.app.shards.crawl_place import place_named
    from trapline.app.shards.crew.worker_names import name_worker
    from trapline.app.shards.crew.worker_process import WorkerWishes, run_worker

    place = place_named(store, dir)
    name = name_worker(name)
    if as_json:
        print_json({"worker": name, "store": place.shown})
        sys.stdout.flush()
    run_worker(
        WorkerWishes(
            place,
            settings,
            name=name,
            readers=readers,
            quiet=quiet,
        )
    )
