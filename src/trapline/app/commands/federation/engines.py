"""`trapline engines`: a folder among other engines; each command is one verb of it."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer

from trapline.app.commands.federation.ask import ask
from trapline.app.commands.federation.suggest import suggest
from trapline.app.commands.options import Folder, Json, Listed

app = typer.Typer(
    help="Other engines: join a directory of them, list and describe them.",
    no_args_is_help=True,
)

Target = Annotated[
    str,
    typer.Argument(
        metavar="DIR|URL",
        help="An engine's folder, or the URL of a directory or an engine.",
        show_default=False,
    ),
]
Url = Annotated[
    str,
    typer.Argument(
        metavar="URL", help="Of a directory, or of an engine.", show_default=False
    ),
]


@app.command("list")
def list_engines(target: Target, listed: Listed = None, as_json: Json = False) -> None:
    """List the engines of a directory, or all that a folder has joined: what they are about, how
    they are, and what was found wrong with them.
    """
    from trapline.app.federation.membership import engine_targets
    from trapline.app.printing.engines import print_engines

    print_engines(engine_targets.list_engines(target, listed or ()), as_json)


@app.command()
def describe(target: Target, listed: Listed = None, as_json: Json = False) -> None:
    """Show what an engine says of itself, and whether it has signed it."""
    from trapline.app.federation.membership.engine_targets import describe_engine
    from trapline.app.printing.engines import print_description

    print_description(describe_engine(target, listed or ()), as_json)


@app.command()
def join(
    folder: Folder,
    url: Url,
    public_url: Annotated[
        str,
        typer.Option(
            help="Where others reach this engine; else as it is served.",
            show_default=False,
        ),
    ] = "",
    private_terms: Annotated[
        bool, typer.Option("--private-terms", help="Give away no sample of the pages.")
    ] = False,
    listed: Listed = None,
    as_json: Json = False,
) -> None:
    """Join a directory, or have another engine for a fixed peer, from the next moment on in which
    the folder is served.
    """
    from trapline.app.federation.membership import join_orders
    from trapline.app.federation.membership.membership_file import Memberships
    from trapline.app.printing.engines import print_joined
    from trapline.oasis.description import read_engine_url

    wishes = Memberships(
        listed=tuple(listed or ()),
        public_url=read_engine_url(public_url) if public_url else "",
        private_terms=private_terms,
    )
    joined = asyncio.run(join_orders.join(folder, url, wishes))
    print_joined(joined, folder, as_json)


@app.command()
def leave(folder: Folder, url: Url, as_json: Json = False) -> None:
    """Leave a directory, which is told so, or forget a fixed peer."""
    from trapline.app.federation.membership import join_orders
    from trapline.app.printing.engines import print_left

    print_left(asyncio.run(join_orders.leave(folder, url)), folder, as_json)


for verb in (ask, suggest):
    # one paragraph, however the docstring is wrapped
    app.command(help=" ".join((verb.__doc__ or "").split()))(verb)
