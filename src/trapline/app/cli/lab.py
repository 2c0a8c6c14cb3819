"""`trapline lab`: experiments that reproduce papers and measure the robot's own parts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The laboratory: experiments by id.", no_args_is_help=True)


@app.command("list")
def list_all(as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False) -> None:
    """The experiments that there are."""
    from trapline.app.cli.lab_output import print_list

    print_list(as_json)


@app.command()
def run(
    ids: Annotated[list[str], typer.Argument(help="Experiments, as `lab list` names them.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where tables and figures go.")] = Path("out"),
    quick: Annotated[bool, typer.Option("--quick", help="A small version, to see that it works.")] = False,
    seeds: Annotated[int | None, typer.Option(min=2, help="Repetitions; the experiment knows a good number.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """Run experiments: a table on the screen, CSV and figures in a folder."""
    from trapline.app.cli.lab_output import run_and_print

    run_and_print(ids, out, quick, seeds, as_json)
