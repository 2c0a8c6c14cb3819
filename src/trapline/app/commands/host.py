"""`trapline host`: the words of the command; the work is in app/folder/orders/host_orders.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json
from trapline.app.folder.dashboard_figures import HostOrder
from trapline.core.errors import UserMistake


def host(
    folder: Folder,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="HOST",
            help="example.org, with :port, or a URL; without it all hosts are listed.",
            show_default=False,
        ),
    ] = None,
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
    sort: Annotated[
        HostOrder, typer.Option(help="What comes first in the list.")
    ] = HostOrder.VISITS,
    limit: Annotated[int, typer.Option(min=1, help="Of the list.")] = 50,
    as_json: Json = False,
) -> None:
    """One host: what is known of it, and what the robot shall do there, within seconds if it is at
    work. Or the list of hosts.
    """
    from trapline.app.folder.orders.host_orders import HostWishes, order_host
    from trapline.app.folder.schedule.hosts_of import hosts_of
    from trapline.app.printing.hosts import print_host_facts, print_host_lines

    wishes = HostWishes(pause, resume, block, share)
    if name is not None:
        print_host_facts(order_host(folder, name, wishes), as_json)
    elif wishes == HostWishes():
        print_host_lines(hosts_of(folder, limit, sort), as_json)
    else:
        raise UserMistake("say which host is meant: trapline host DIR HOST …")
