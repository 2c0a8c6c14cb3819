"""`trapline host`: the words of the command; the work is in app/folder/host_orders.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json


def host(
    folder: Folder,
    name: Annotated[
        str,
        typer.Argument(
            metavar="HOST",
            help="example.org, with :port, or a URL.",
            show_default=False,
        ),
    ],
    pause: Annotated[
        bool, typer.Option("--pause", help="No visits until --resume.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="End a pause or a block.")
    ] = False,
    block: Annotated[
        bool,
        typer.Option("--block", help="No visits, and links there are not followed."),
    ] = False,
    share: Annotated[
        str | None, typer.Option(help="Of the visits, at most: 5%.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """One host: what is known of it, and what the robot shall do there, within seconds if it is at
    work.
    """
    from trapline.app.folder.host_orders import HostWishes, order_host
    from trapline.app.output.standard_output import print_json

    facts = order_host(folder, name, HostWishes(pause, resume, block, share))
    if as_json:
        print_json([one.as_dict() for one in facts])
    else:
        print("\n".join(map(str, facts)))
