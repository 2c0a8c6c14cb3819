"""`trapline diff`: the words of the command; the work is in app/folder/page_versions.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json
from trapline.core.errors import UserMistake


def diff(
    folder: Folder,
    url: Annotated[
        str, typer.Argument(help="A page that the engine knows.", show_default=False)
    ],
    since: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="A version: its number, a date, or an age like 2d; the one before --to.",
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        str | None,
        typer.Option("--to", help="Likewise; the newest.", show_default=False),
    ] = None,
    listing: Annotated[
        bool, typer.Option("--list", help="List the versions that are kept.")
    ] = False,
    as_json: Json = False,
) -> None:
    """What a page said otherwise: its last change, or the difference between two of its kept
    versions.
    """
    from trapline.app.folder.page_versions import diff_of, versions_of
    from trapline.app.printing.diff import print_diff, print_versions

    if listing and (since or until):
        raise UserMistake("--list shows all versions: leave out --from and --to")
    if listing:
        print_versions(versions_of(folder, url), as_json)
    else:
        print_diff(diff_of(folder, url, since, until), as_json)
