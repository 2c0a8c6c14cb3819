"""`trapline serve`: the page of a folder on loopback, until Ctrl-C."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from trapline.app.commands.options import Folder, ServingJson


def serve(
    folder: Folder,
    port: Annotated[int, typer.Option(min=1, max=65535, help="On 127.0.0.1.")] = 8765,
    host: Annotated[
        list[str] | None,
        typer.Option(
            help="A further name that is answered to; may be repeated.",
            show_default=False,
        ),
    ] = None,
    as_json: ServingJson = False,
) -> None:
    """Serve search and status of a folder as a web page on loopback, until Ctrl-C."""
    from trapline.app.output.standard_output import print_json
    from trapline.app.web.server import WebServer, bind
    from trapline.app.web.stop_signals import take_stop_signals
    from trapline.app.web.token_file import FILE

    with WebServer(folder, bind(port), tuple(host or ())) as server:
        over = take_stop_signals()
        if as_json:
            print_json({"url": server.url})
        else:
            print(f"Search and status of {folder}: {server.url} (Ctrl-C ends it)")
            if server.served.token:
                print(f"Orders over HTTP need the token in {folder / FILE}.")
        sys.stdout.flush()
        over.wait()
