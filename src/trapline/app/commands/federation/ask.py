"""`trapline engines ask`: the words of the command; the work is in app/federation/ask_once.py."""

from __future__ import annotations

from typing import Annotated

import typer

from trapline.app.commands.options import Folder, Json, Listed


def ask(
    folder: Folder,
    query: Annotated[
        str, typer.Argument(help="Words to look for.", show_default=False)
    ],
    engines: Annotated[
        str,
        typer.Option(
            help="Only these: names or fingerprints, with commas; `own` is the folder.",
            show_default=False,
        ),
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most results.")] = 10,
    directory: Annotated[
        list[str] | None,
        typer.Option(
            help="URL of a directory that knows engines; may be repeated.",
            show_default=False,
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option(help="URL of an engine; may be repeated.", show_default=False),
    ] = None,
    neighbour: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND=URL",
            help="An engine of another make (searxng, opensearch, plain); may be repeated.",
            show_default=False,
        ),
    ] = None,
    listed: Listed = None,
    within: Annotated[
        float, typer.Option(min=0.1, max=60, help="Seconds for each engine.")
    ] = 2.0,
    as_json: Json = False,
) -> None:
    """Search a folder and other engines, as its broker would; then say who answered."""
    from trapline.app.federation.ask_once import ask_once
    from trapline.app.federation.membership.membership_file import Memberships
    from trapline.app.federation.open_broker import BrokerSettings, read_neighbours
    from trapline.app.printing.broker_answer import print_broker_answer
    from trapline.oasis.description import read_engine_url
    from trapline.search.questions import Question

    given = Memberships(
        tuple(map(read_engine_url, directory or ())),
        tuple(map(read_engine_url, peer or ())),
        tuple(listed or ()),
    )
    settings = BrokerSettings(given, read_neighbours(neighbour or ()), within)
    question = Question(query, limit)
    answer = ask_once(folder, question, engines, settings)
    print_broker_answer(answer, question, as_json)
