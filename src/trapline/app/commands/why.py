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
    from trapline.app.folder.host_rows import open_for_reading
    from trapline.app.folder.page_reasons import reasons_for
    from trapline.app.folder.time_line import time_line
    from trapline.app.printing.reasons import print_reasons

    reasons = reasons_for(folder, url)
    store = open_for_reading(folder)
    try:
        line = time_line(store, reasons.page)
    finally:
        store.close()
    print_reasons(reasons, line, as_json)
