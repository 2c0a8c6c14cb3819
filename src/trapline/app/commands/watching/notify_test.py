"""`trapline notify-test`: the words of the command; the work is in
app/output/outlets/outlet_trial.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import Json
from trapline.core.errors import UserMistake


def notify_test(
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="TARGET…",
            help="What --changes would be told, or a settings file that says it.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
) -> None:
    """Send a test message to where changes are told: a webhook, or a service like mailto://… ."""
    from trapline.app.output.outlets.outlet_targets import check_target
    from trapline.app.output.outlets.outlet_trial import try_targets
    from trapline.app.output.standard_output import print_json
    from trapline.app.settings import read_settings
    from trapline.app.settings_files.settings_base import is_settings_file

    files = [Path(target) for target in targets if is_settings_file(target)]
    others = [target for target in targets if not is_settings_file(target)]
    told = [change for path in files for change in read_settings(path).output.changes]
    named = [*told, *map(check_target, others)]
    if not named:
        raise UserMistake("the settings file tells changes to nobody: name a target")
    trials = try_targets(named, "trapline")
    if as_json:
        print_json([trial.as_dict() for trial in trials])
    else:
        print("\n".join(map(str, trials)))
    if not all(trial.taken for trial in trials):
        raise typer.Exit(1)
