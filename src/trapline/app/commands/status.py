"""`trapline status`: the words of the command; the work is in app/folder/status.py."""

from __future__ import annotations

from trapline.app.commands.options import Folder, Json


def status(folder: Folder, as_json: Json = False) -> None:
    """What the engine holds, and what its robot last said."""
    from trapline.app.commands.tables import print_status
    from trapline.app.folder.status import read_status

    print_status(read_status(folder), as_json)
