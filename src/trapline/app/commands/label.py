"""`trapline label`: the words of the command; the work is in app/folder/label_file.py."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


class Verdict(StrEnum):
    YES = "yes"
    NO = "no"


def label(
    folder: Folder,
    url: Annotated[
        str, typer.Argument(help="A page that the engine knows.", show_default=False)
    ],
    belongs: Annotated[
        Verdict,
        typer.Argument(help="Whether it belongs to the topic.", show_default=False),
    ],
    as_json: Json = False,
) -> None:
    """Say that a page belongs to the topic, or not; the robot learns from it, within seconds if it
    is at work.
    """
    from trapline.app.folder.label_file import write_label
    from trapline.app.output.standard_output import print_json

    yes = belongs is Verdict.YES
    page = write_label(folder, url, yes)
    if as_json:
        print_json({"url": page, "belongs": yes})
        return
    print(f"{page} {'belongs' if yes else 'does not belong'} to the topic.")
