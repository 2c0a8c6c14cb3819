"""`trapline directory`: a directory of engines on loopback, until Ctrl-C."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import (
    Listed,
    ServingJson,
    complete_folder,
    read_own_folder,
)


def directory(
    folder: Annotated[
        Path,
        typer.Argument(
            parser=read_own_folder,
            metavar="FOLDER",
            autocompletion=complete_folder,
            help="The directory's folder.",
            show_default=False,
        ),
    ],
    port: Annotated[int, typer.Option(min=1, max=65535, help="On 127.0.0.1.")] = 8760,
    peer: Annotated[
        list[str] | None,
        typer.Option(
            help="URL of another directory, to hear its engines; may be repeated.",
            show_default=False,
        ),
    ] = None,
    listed: Listed = None,
    host: Annotated[
        list[str] | None,
        typer.Option(
            help="A further name that is answered to; may be repeated.",
            show_default=False,
        ),
    ] = None,
    as_json: ServingJson = False,
) -> None:
    """Serve a directory, which engines join and brokers ask, on loopback, until Ctrl-C."""
    from trapline.app.directory.directory_options import DirectoryOptions
    from trapline.app.directory.directory_server import DirectoryServer
    from trapline.app.output.standard_output import print_json
    from trapline.app.stop_signals import take_stop_signals
    from trapline.app.web.server import bind
    from trapline.oasis.description import read_engine_url
    from trapline.politeness.listed_hosts import read_listed

    peers = tuple(map(read_engine_url, peer or ()))
    names = tuple(host or ())
    options = DirectoryOptions(peers, read_listed(listed or ()), names)
    with DirectoryServer(folder, bind(port), options) as server:
        wait_for_stop = take_stop_signals()
        if as_json:
            print_json({"url": server.url})
        else:
            print(f"Directory in {folder}: {server.url} (Ctrl-C ends it)")
        sys.stdout.flush()
        wait_for_stop()
