"""`trapline settings`: the settings that are in force in a folder."""

from __future__ import annotations

from trapline.app.commands.options import Folder, Json
from trapline.app.output.standard_output import print_json


def settings(folder: Folder, as_json: Json = False) -> None:
    """Print the settings that the last run had, as TOML: a settings file to go on with. Secrets are
    left out.
    """
    from trapline.app.settings_files.settings_in_force import settings_in_force

    found = settings_in_force(folder)
    if as_json:
        print_json(found.as_dict())
        return
    print(found.toml(), end="")
