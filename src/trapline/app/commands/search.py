"""`trapline search`: the words of the command; the work is in app/folder/folder_search.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def search(
    folder: Folder,
    query: Annotated[
        str, typer.Argument(help="Words to look for.", show_default=False)
    ],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most results.")] = 10,
    as_json: Json = False,
) -> None:
    """Search an engine's collection."""
    from trapline.app.commands.tables import print_answer
    from trapline.app.folder.folder_search import search_folder

    print_answer(search_folder(folder, query, limit), as_json)
