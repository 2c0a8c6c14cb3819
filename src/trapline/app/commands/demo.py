"""`trapline demo`: the words of the command; the work is in app/demo/."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from trapline.app.commands.options import Json, complete_folder, read_own_folder
from trapline.core.errors import UserMistake


def demo(
    seconds: Annotated[
        float | None,
        typer.Option(min=1.0, help="End after so many seconds; else at Ctrl-C."),
    ] = None,
    pages: Annotated[
        int, typer.Option(min=20, max=100_000, help="Pages of the living web.")
    ] = 600,
    hosts: Annotated[
        int, typer.Option(min=1, max=200, help="Hosts, on 127.0.0.2 and up.")
    ] = 8,
    topic: Annotated[str, typer.Option(help="What the robot looks for.")] = "space",
    engines: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=11,
            help="So many topical engines, with a directory and a broker.",
            show_default=False,
        ),
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            help="A file with [budget], [discovery], [fetchers] or [refresh].",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Another seed, another web.")] = 1,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Of search and status.")
    ] = None,
    dir: Annotated[
        Path | None,
        typer.Option(
            parser=read_own_folder,
            metavar="FOLDER",
            autocompletion=complete_folder,
            help="Keep the engine's folder here.",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[
        bool, typer.Option(help="Open search and status in the browser.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Crawl a living web on loopback before your eyes, with search and status in the browser."""
    from trapline.app.demo.run_demo import DemoWishes, run_demo

    wishes = DemoWishes(
        seconds=seconds,
        pages=pages,
        hosts=hosts,
        topic=topic,
        seed=seed,
        port=port,
        folder=dir,
        settings=settings,
        browser=browser and not as_json,
        as_json=as_json,
    )
    if engines is None:
        run_demo(wishes)
        return
    if settings is not None:
        raise UserMistake("--settings is for one robot: leave out --engines")
    # here, because it brings all parts of a federation
    from trapline.app.demo.run_federation_demo import run_federation_demo

    run_federation_demo(wishes, engines)
