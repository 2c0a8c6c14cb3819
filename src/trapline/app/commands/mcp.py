"""`trapline mcp`: the tools of a folder for language models, until the client or Ctrl-C ends it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import Folder, ServingJson
from trapline.app.folder.places.store_link import shown_place
from trapline.core.errors import UserMistake


def mcp(
    folder: Folder,
    http: Annotated[
        bool, typer.Option("--http", help="Over HTTP on 127.0.0.1, not stdio.")
    ] = False,
    port: Annotated[int, typer.Option(min=1, max=65535, help="With --http.")] = 8767,
    token: Annotated[
        str | None,
        typer.Option(
            envvar="TRAPLINE_TOKEN",
            help="The folder's token: offers tools that change what the robot does.",
            show_default=False,
        ),
    ] = None,
    as_json: ServingJson = False,
) -> None:
    """Let a language model search, read and follow a folder, by the Model Context Protocol."""
    try:
        import mcp.server  # noqa: F401
    except ImportError:
        raise UserMistake(
            "this needs the SDK of the Model Context Protocol: install it with "
            "`pip install trapline[mcp]`"
        ) from None
    if as_json and not http:
        raise UserMistake(
            "--json goes with --http: else the standard output belongs to the client"
        )
    if http:
        _serve_http(folder, port, token, as_json)
    else:
        _serve_stdio(folder, token)


def _serve_stdio(folder: Path, token: str | None) -> None:
    from trapline.app.mcp_server.tool_server import build_server
    from trapline.app.web.served_folder import open_to_serve

    served = open_to_serve(folder)
    try:
        build_server(served, token).run("stdio")
    finally:
        served.close()


def _serve_http(folder: Path, port: int, token: str | None, as_json: bool) -> None:
    from trapline.app.mcp_server.http_server import McpHttpServer
    from trapline.app.mcp_server.tool_server import build_server
    from trapline.app.output.standard_output import print_json
    from trapline.app.stop_signals import take_stop_signals
    from trapline.app.web.served_folder import open_to_serve
    from trapline.app.web.server import bind

    served = open_to_serve(folder)
    try:
        tools = build_server(served, token)
        with McpHttpServer(tools, token, bind(port)) as server:
            wait_for_stop = take_stop_signals()
            if as_json:
                print_json({"url": server.url})
                sys.stdout.flush()
            else:
                told = f"Tools for {shown_place(folder)}: {server.url} (Ctrl-C ends it)"
                print(told, file=sys.stderr)
            wait_for_stop()
    finally:
        served.close()
