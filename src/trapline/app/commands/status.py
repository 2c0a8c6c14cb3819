"""`trapline status`: the words of the command; the work is in app/printing/status.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def status(
    folder: Folder,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show it anew every second, until Ctrl-C.")
    ] = False,
    as_json: Json = False,
) -> None:
    """What the engine holds, and what its robot last said."""
    from trapline.app.printing.status import print_status, watch_status

    if watch:
        watch_status(folder, as_json)
    else:
        print_status(folder, as_json)
