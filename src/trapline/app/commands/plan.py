"""`trapline plan`: the words of the command; the work is in app/folder/planning."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from trapline.app.commands.options import Json, read_folder
from trapline.core.errors import UserMistake

if TYPE_CHECKING:
    from trapline.app.folder.planning.plan import Plan


def plan(
    folder: Annotated[
        Path | None,
        typer.Argument(
            help="The engine's folder, or the address of its store; without one, --pages.",
            show_default=False,
            parser=read_folder,
            metavar="[FOLDER]",
        ),
    ] = None,
    pages: Annotated[
        int | None,
        typer.Option(
            help="Before a crawl: how many pages you expect.", show_default=False
        ),
    ] = None,
    hosts: Annotated[
        int | None,
        typer.Option(
            help="On how many hosts.  [default: one for 100 pages]", show_default=False
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Visits: 5/s, 600/min, unlimited.  [default: 5/s]", show_default=False
        ),
    ] = None,
    change_every: Annotated[
        str | None,
        typer.Option(
            help="Between changes of a page, in the median.  [default: 10d]",
            show_default=False,
        ),
    ] = None,
    spread: Annotated[
        float | None,
        typer.Option(
            help="Two thirds of the pages lie within this factor.  [default: 5]",
            show_default=False,
        ),
    ] = None,
    gap: Annotated[
        str | None,
        typer.Option(
            help="Between visits to a host.  [default: 1s]", show_default=False
        ),
    ] = None,
    latency: Annotated[
        str | None,
        typer.Option(
            help="Until an answer is there.  [default: 1s]", show_default=False
        ),
    ] = None,
    on_topic_share: Annotated[
        float | None,
        typer.Option(
            help="Of the pages: that belong to the topic.  [default: 1]",
            show_default=False,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Also draw the curve into a file (.png, .svg, .pdf).",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """What more or less budget would do: freshness, news and finds, fetchers, and the hosts that
    hold it back. Of an engine's folder, or before a crawl from guesses.
    """
    from trapline.app.output.plan_picture import check_picture, draw_plan
    from trapline.app.printing.plan import print_plan

    guesses = {
        "pages": pages,
        "hosts": hosts,
        "budget": budget,
        "change-every": change_every,
        "spread": spread,
        "gap": gap,
        "latency": latency,
        "on-topic-share": on_topic_share,
    }
    if out is not None:
        check_picture(out)
    found = _make_plan(folder, guesses)
    if out is not None:
        draw_plan(found, out)
    print_plan(found, as_json)


def _make_plan(folder: Path | None, guesses: Mapping[str, object]) -> Plan:
    given = [f"--{name}" for name, value in guesses.items() if value is not None]
    if folder is not None and given:
        raise UserMistake(
            f"{folder} and {given[0]}: plan either from what the engine in a folder has "
            "learnt, or without a folder from guesses"
        )
    if folder is not None:
        return _plan_folder(folder)
    if not given:
        raise UserMistake(
            "name an engine's folder, or guess: trapline plan --pages 5000 --hosts 40"
        )
    from trapline.app.folder.planning.guesses import read_guesses
    from trapline.app.folder.planning.plan_from_guesses import plan_from_guesses

    return plan_from_guesses(read_guesses(guesses))


def _plan_folder(folder: Path) -> Plan:
    from trapline.app.folder.host_rows import open_for_reading
    from trapline.app.folder.planning.plan_of import plan_of

    store = open_for_reading(folder)
    try:
        return plan_of(folder, store)
    finally:
        store.close()
