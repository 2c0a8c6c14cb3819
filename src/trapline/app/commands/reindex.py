"""`trapline reindex`: the words of the command; the work is in app/folder/reindex.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def reindex(
    folder: Folder,
    meaning: Annotated[
        bool | None,
        typer.Option(
            "--meaning/--no-meaning",
            help="Rank by word vectors as well (extra `meaning`); else as before.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Make the full-text index anew from the store; no robot may be at work meanwhile."""
    from trapline.app.folder.reindex import reindex as make_anew
    from trapline.app.output.standard_output import print_json, print_remark

    done = make_anew(folder, print_remark, meaning=meaning)
    if as_json:
        print_json(done.as_dict())
    else:
        print(done)
