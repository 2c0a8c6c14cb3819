"""`trapline init`: a settings file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import Json, complete_folder, read_own_folder
from trapline.app.output.standard_output import print_json


def init(
    folder: Annotated[
        Path,
        typer.Argument(
            parser=read_own_folder,
            metavar="FOLDER",
            autocompletion=complete_folder,
            help="The engine's folder; made if missing.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Write a settings file with every setting explained into a folder; `crawl --dir` reads it
    from there.
    """
    from trapline.app.settings_files.settings_template import write_template

    path = write_template(folder)
    command = f"trapline crawl --dir {folder}"
    if as_json:
        print_json({"file": str(path), "next": command})
        return
    print(f"{path} is written: put your seeds and your contact there.")
    print(f"Next: {command} --dry-run   then   {command}")
