"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object, for machines.")
]
ServingJson = Annotated[
    bool, typer.Option("--json", help="Print the URL as a JSON object, then serve.")
]
StartJson = Annotated[
    bool, typer.Option("--json", help="Print its name as a JSON object, then work.")
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        help=(
            "Tell changes to a file (.jsonl, .xml, .atom), a webhook URL, a service "
            "(mailto://… and all of Apprise), or `feed`; may be repeated."
        ),
        show_default=False,
    ),
]
Yes = Annotated[
    bool, typer.Option("--yes", help="Change settings of the last run without asking.")
]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print a line for each visit.")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]


def check_loudness(verbose: bool, quiet: bool) -> None:
    if verbose and quiet:
        raise typer.BadParameter(
            "they contradict each other, leave out one", param_hint="-v and -q"
        )


def complete_folder(incomplete: str) -> list[str]:
    """Folders whose names begin so, for the completion of a shell."""
    begun = Path(incomplete)
    parent = begun if incomplete.endswith("/") else begun.parent
    start = "" if incomplete.endswith("/") else begun.name
    try:
        found = sorted(
            path
            for path in parent.expanduser().iterdir()
            if path.name.startswith(start) and path.is_dir()
        )
    except OSError:
        return []
    return [str(path) for path in found]


def read_folder(text: str) -> Path:
    """The folder that is meant; of a store address the one that stands for it."""
    from trapline.app.folder.places.store_link import folder_named

    return folder_named(text)


def read_own_folder(text: str) -> Path:
    """One of this machine, to write into: a store would be a folder of a strange name there."""
    from trapline.core.errors import UserMistake
    from trapline.postgres.address import is_store_address
    from trapline.postgres.password_hiding import hide_password

    if is_store_address(str(text)):
        raise UserMistake(
            f"{hide_password(text)} is no folder: a crawl in PostgreSQL is named with --store, by "
            "`crawl` and `worker`"
        )
    return Path(text)


def read_named(text: str) -> str:
    """What is not there, as of a variable that nobody has set, is no name of anything."""
    if not text:
        raise typer.BadParameter("it is empty: leave it out, or write an address")
    return text


Folder = Annotated[
    Path,
    typer.Argument(
        help="The engine's folder, or postgresql://user@host/database.",
        show_default=False,
        parser=read_folder,
        metavar="FOLDER",
        autocompletion=complete_folder,
    ),
]
Listed = Annotated[
    list[str] | None,
    typer.Option(
        help=(
            "A host that may lie on a private address: lab.org, lab.org:8000, "
            "127.0.0.1:*; may be repeated."
        ),
        show_default=False,
    ),
]
