"""`trapline import`: the words of the command; the work is in app/watch_import/."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import Json


def import_list(
    file: Annotated[
        Path,
        typer.Argument(
            help="urls.yaml of urlwatch; or url-watches.json, the data folder, a backup or the "
            "exported list of changedetection.io.",
            show_default=False,
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="The settings file to write; it must not exist.")
    ] = Path("pages.toml"),
    as_json: Json = False,
) -> None:
    """Take over the pages that urlwatch or changedetection.io watch, and say what could not be."""
    from trapline.app.printing.imported import print_import
    from trapline.app.watch_import import import_list as work

    print_import(work.import_list(file, out), as_json)
