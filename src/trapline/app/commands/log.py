"""`trapline log`: the words of the command; the work is in app/printing/log_lines.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder


def log(
    folder: Folder,
    host: Annotated[
        str, typer.Option(help="Only of this host: example.org, with or without :port.")
    ] = "",
    status: Annotated[
        str, typer.Option(help="Only visits with this status: 404, 4xx, or error.")
    ] = "",
    since: Annotated[
        str, typer.Option(help="Only since then: 10min, 2h, 1d, or 2026-01-31T18:00.")
    ] = "",
    follow: Annotated[
        bool,
        typer.Option("--follow", "-f", help="Go on with what comes, until Ctrl-C."),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the lines as they are: JSON.")
    ] = False,
) -> None:
    """What the robot did, oldest first: each visit with its reason and what it taught, remarks,
    starts and ends.
    """
    from trapline.app.printing.log_lines import print_log, read_filter

    wanted = read_filter(host, status, since)
    print_log(folder, wanted, follow=follow, as_json=as_json)
