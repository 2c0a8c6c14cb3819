"""`trapline plan`: the words of the command; the work is in app/folder/planning/plan_of.py."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def plan(
    folder: Folder,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Also draw the curve into a file (.png, .svg, .pdf).",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """What more or less budget would do: freshness, news and finds, fetchers, and the hosts that
    hold it back.
    """
    from trapline.app.folder.host_rows import open_for_reading
    from trapline.app.folder.planning.plan_of import plan_of
    from trapline.app.output.plan_picture import check_picture, draw_plan
    from trapline.app.printing.plan import print_plan

    if out is not None:
        check_picture(out)
    store = open_for_reading(folder)
    try:
        found = plan_of(folder, store)
    finally:
        store.close()
    if out is not None:
        draw_plan(found, out)
    print_plan(found, as_json)
