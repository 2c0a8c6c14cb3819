"""`trapline cluster`: the words of the command; the work is in app/shards/."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from trapline.app.commands.options import Json


class Deed(StrEnum):
    STATUS = "status"
    DRAIN = "drain"
    SPLIT = "split"


def cluster(
    store: Annotated[
        str,
        typer.Argument(
            help="The crawl: postgresql://user@host/database, or its folder.",
            show_default=False,
        ),
    ],
    deed: Annotated[Deed, typer.Argument(help="What to do.")] = Deed.STATUS,
    worker: Annotated[
        str, typer.Argument(help="With drain: its name.", show_default=False)
    ] = "",
    as_json: Json = False,
) -> None:
    """A crawl in shards: who runs what; drain a worker; split (double) the shards."""
    from trapline.app.shards.cluster_deeds import drain, print_cluster, split

    if worker and deed is not Deed.DRAIN:
        raise typer.BadParameter(
            f"only drain takes the name of a worker, not {deed}", param_hint=worker
        )
    if deed is Deed.STATUS:
        print_cluster(store, as_json)
    elif deed is Deed.DRAIN:
        drain(store, worker, as_json)
    else:
        split(store, as_json)
