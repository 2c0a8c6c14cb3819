"""`trapline why`: the words of the command; the work is in app/folder/page_reasons.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def why(
    folder: Folder,
    url: Annotated[
        str, typer.Argument(help="A page that the engine knows.", show_default=False)
    ],
    as_json: Json = False,
) -> None:
    """Why a page is visited when it is: the terms of its price, what is believed of it, when it is
    due, and its last visits.
    """
    from trapline.app.folder.page_reasons import reasons_for
    from trapline.app.printing.reasons import print_reasons

    print_reasons(reasons_for(folder, url), as_json)
