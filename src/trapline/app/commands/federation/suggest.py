"""`trapline engines suggest`: the words of the command; the work is in app/federation/service."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def suggest(
    folder: Folder,
    days: Annotated[
        int, typer.Option(min=1, max=60, help="Of past queries to look at.")
    ] = 30,
    apply: Annotated[
        bool,
        typer.Option(
            "--apply",
            help="Take over what concerns this engine: examples, counter-examples, seeds.",
        ),
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do not ask before it is taken over.")
    ] = False,
    as_json: Json = False,
) -> None:
    """What the federation lacks, by the queries that this folder's broker answered badly, and who
    should hold it.
    """
    from trapline.app.printing.suggestions import suggest_and_print

    suggest_and_print(folder, days, apply, yes, as_json)
