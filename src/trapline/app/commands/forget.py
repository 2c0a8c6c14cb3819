"""`trapline forget`: the words of the command; the work is in app/folder/forget.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def forget(
    folder: Folder,
    what: Annotated[
        str,
        typer.Argument(
            metavar="URL|HOST", help="A page, or a whole host.", show_default=False
        ),
    ],
    undo: Annotated[
        bool, typer.Option("--undo", help="Let it be visited again.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Drop a page, or a host with all its pages, from collection and index; it is not visited
    again.
    """
    from trapline.app.folder.forget import forget as drop
    from trapline.app.output.standard_output import print_json

    targets = drop(folder, what, undo=undo)
    if as_json:
        print_json({"forgotten": not undo, "targets": targets})
        return
    for target in targets:
        print(f"{target} {'may be visited again' if undo else 'is forgotten'}.")
