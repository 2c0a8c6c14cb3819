"""`trapline serve`: the page of a folder, or of all parts of an index, until Ctrl-C."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import (
    Listed,
    ServingJson,
    complete_folder,
    read_folder,
)
from trapline.app.folder.places.store_link import shown_place

Urls = list[str] | None


def serve(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help=(
                "The engine's folder, or postgresql://user@host/database; "
                "without one, --parts."
            ),
            show_default=False,
            parser=read_folder,
            metavar="[FOLDER]",
            autocompletion=complete_folder,
        ),
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="On 127.0.0.1.")] = 8765,
    host: Annotated[
        list[str] | None,
        typer.Option(
            help="A further name that is answered to; may be repeated.",
            show_default=False,
        ),
    ] = None,
    broker: Annotated[
        bool, typer.Option("--broker", help="Ask other engines, too.")
    ] = False,
    directory: Annotated[
        Urls,
        typer.Option(
            help="Join the directory at this URL; may be repeated.", show_default=False
        ),
    ] = None,
    peer: Annotated[
        Urls,
        typer.Option(
            help="URL of an engine, known without a directory; may be repeated.",
            show_default=False,
        ),
    ] = None,
    neighbour: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND=URL",
            help=(
                "With --broker: an engine of another make (searxng, opensearch, plain); "
                "may be repeated."
            ),
            show_default=False,
        ),
    ] = None,
    public_url: Annotated[
        str,
        typer.Option(help="Where others reach this engine.", show_default=False),
    ] = "",
    private_terms: Annotated[
        bool, typer.Option("--private-terms", help="Give away no sample of the pages.")
    ] = False,
    listed: Listed = None,
    within: Annotated[
        float,
        typer.Option(
            min=0.1,
            max=60,
            help="Seconds for each engine, with --broker; for a question, with --parts.",
        ),
    ] = 2.0,
    part: Annotated[
        str,
        typer.Option(
            metavar="K/N",
            help="Hold only a part of the index: 2/4 is the second of four.",
            show_default=False,
        ),
    ] = "",
    parts: Annotated[
        str,
        typer.Option(
            metavar="URL,URL,…",
            help="Without a folder: ask the servers of all parts, and be one for them.",
            show_default=False,
        ),
    ] = "",
    as_json: ServingJson = False,
) -> None:
    """Serve search and status of a folder as a web page on loopback, until Ctrl-C."""
    from trapline.app.federation.membership.membership_file import (
        Memberships,
        read_memberships,
    )
    from trapline.app.federation.open_broker import BrokerSettings, read_neighbours
    from trapline.app.output.standard_output import print_json
    from trapline.app.parts.serve_front import check_front, serve_front
    from trapline.app.stop_signals import take_stop_signals
    from trapline.app.web.server import WebServer, bind
    from trapline.app.web.token_file import FILE
    from trapline.core.errors import UserMistake
    from trapline.oasis.description import read_engine_url
    from trapline.search.parts.index_part import read_part

    federated = any(
        (broker, directory, peer, neighbour, public_url, private_terms, listed)
    )
    if folder is None or parts:
        check_front(folder, parts, alone=not (part or federated))
        serve_front(parts, port, tuple(host or ()), within, as_json=as_json)
        return
    if part and federated:
        raise UserMistake(
            "a part is no engine of a federation: leave out --part, or all of the others"
        )
    given = Memberships(
        tuple(map(read_engine_url, directory or ())),
        tuple(map(read_engine_url, peer or ())),
        tuple(listed or ()),
        read_engine_url(public_url) if public_url else "",
        private_terms,
    )
    joined = read_memberships(folder).joined_with(given)
    neighbours = read_neighbours(neighbour or ())
    settings = BrokerSettings(given, neighbours, within)
    with WebServer(
        folder,
        bind(port),
        tuple(host or ()),
        public_url=joined.public_url,
        private_terms=joined.private_terms,
        given=given,
        broker=settings if broker else None,
        part=read_part(part) if part else None,
    ) as server:
        wait_for_stop = take_stop_signals()
        if as_json:
            print_json({"url": server.url})
        else:
            what = f"Part {part}" if part else "Search and status"
            place = shown_place(folder)
            print(f"{what} of {place}: {server.url} (Ctrl-C ends it)")
            if server.served.token:
                print(f"Orders over HTTP need the token in {folder / FILE}.")
        sys.stdout.flush()
        wait_for_stop()
