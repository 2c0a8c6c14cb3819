"""`trapline lab`: experiments that reproduce papers and measure the robot's own parts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="The laboratory: experiments by id.", no_args_is_help=True)
compare = typer.Typer(
    help="Policies against each other in one world.", no_args_is_help=True
)
app.add_typer(compare, name="compare")

Out = Annotated[Path, typer.Option(help="Where tables and figures go.")]
Json = Annotated[bool, typer.Option("--json", help="For machines.")]


@app.command("list")
def list_all(as_json: Json = False) -> None:
    """The experiments that there are."""
    from trapline.app.commands.laboratory.lab_output import print_list

    print_list(as_json)


@app.command()
def papers(
    paper: Annotated[
        str | None,
        typer.Argument(
            help="One of omeara, whittle, lspe, htraa and talim; else all.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """What each line of the five papers says, where it is in the code, how it is checked, what was
    found, and how to have it in a crawl.
    """
    from trapline.app.commands.laboratory.paper_table import print_papers

    print_papers(paper, as_json)


@app.command()
def run(
    ids: Annotated[
        list[str],
        typer.Argument(
            help="Experiments, as `lab list` names them.", show_default=False
        ),
    ],
    out: Out = Path("out"),
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version, to see that it works.")
    ] = False,
    seeds: Annotated[
        int | None,
        typer.Option(min=2, help="Repetitions; the experiment knows a good number."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            help="A folder to work on, for experiments that take one.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Run experiments: a table on the screen, CSV and figures in a folder."""
    from trapline.app.commands.laboratory.lab_output import run_and_print

    run_and_print(ids, out, quick, seeds, data, as_json)


@compare.command("polling")
def compare_polling(
    policies: Annotated[
        str, typer.Option(help="Names, with commas between them.")
    ] = "htraa,lakg,posterior,uniform",
    pages: Annotated[int, typer.Option(help="Pages of the world.")] = 512,
    order: Annotated[
        str, typer.Option(help="Of the pages: sorted by rate of change, or shuffled.")
    ] = "shuffled",
    alpha: Annotated[
        float,
        typer.Option(
            help="The page of rank k changes in a step with chance alpha/k^beta."
        ),
    ] = 0.3,
    beta: Annotated[float, typer.Option(help="See --alpha.")] = 1.5,
    swaps: Annotated[
        int, typer.Option(help="So many random neighbours change places at first.")
    ] = 0,
    switch_every: Annotated[
        int | None, typer.Option(help="Polls after which two pages change rates.")
    ] = None,
    irregular: Annotated[
        bool,
        typer.Option(
            "--irregular",
            help="Switches come at random, so many polls apart on average.",
        ),
    ] = False,
    weights: Annotated[
        bool, typer.Option("--weights", help="Pages of unequal (Pareto) weight.")
    ] = False,
    polls: Annotated[int, typer.Option(help="For each page.")] = 20,
    seeds: Annotated[
        int | None,
        typer.Option(help="Repetitions; else 20, or fewer if that takes long."),
    ] = None,
    out: Out = Path("out"),
    as_json: Json = False,
) -> None:
    """Who detects more changes, when a page is polled a step and rates are unknown? Any refresh
    policies.
    """
    from trapline.app.commands.laboratory.lab_output import compare_and_print
    from trapline.laboratory.compare.policy_names import names_in
    from trapline.laboratory.compare.polling import PollingWishes, compare_polling

    wishes = PollingWishes(
        names_in(policies),
        pages,
        order,
        alpha,
        beta,
        swaps,
        switch_every,
        irregular,
        weights,
        polls,
        seeds,
    )
    compare_and_print(
        "compare/polling",
        lambda progress: compare_polling(wishes, progress, out),
        out,
        as_json,
    )


@compare.command("traces")
def compare_traces(
    policies: Annotated[
        str,
        typer.Option(
            help="Names, with commas between them; known-rate is added as the oracle."
        ),
    ] = "posterior,uniform,nutch-adaptive,adaptive-whittle",
    data: Annotated[
        Path | None, typer.Option(help="A history, FILE.csv.gz; else the small sample.")
    ] = None,
    days: Annotated[
        float | None,
        typer.Option(help="Its last days; else 365, or half of a shorter one."),
    ] = None,
    per_page_day: Annotated[
        float, typer.Option(help="Visits to each page a day.")
    ] = 0.05,
    pages: Annotated[
        int, typer.Option(help="Of those that live when the days begin.")
    ] = 2000,
    seeds: Annotated[
        int, typer.Option(help="Repetitions, with other pages and importance.")
    ] = 10,
    settle_days: Annotated[
        float | None,
        typer.Option(help="Not counted; else 90, or a quarter of fewer days."),
    ] = None,
    out: Out = Path("out"),
    as_json: Json = False,
) -> None:
    """Who keeps real pages fresher? A recorded history of changes is replayed."""
    from trapline.app.commands.laboratory.lab_output import compare_and_print
    from trapline.laboratory.compare.policy_names import names_in
    from trapline.laboratory.compare.traces import TracesWishes, compare_traces
    from trapline.laboratory.worlds.traces import SAMPLE

    wishes = TracesWishes(
        names_in(policies),
        data or SAMPLE,
        days,
        per_page_day,
        pages,
        seeds,
        settle_days,
    )
    compare_and_print(
        "compare/traces",
        lambda progress: compare_traces(wishes, progress, out),
        out,
        as_json,
    )


@compare.command("discovery")
def compare_discovery(
    policies: Annotated[
        str, typer.Option(help="Names, with commas between them.")
    ] = "value,best-first,breadth-first,random,fringe-greedy",
    world: Annotated[
        Path | None, typer.Option(help="A web from a file, as `lab world` makes it.")
    ] = None,
    family: Annotated[
        str | None,
        typer.Option(help="Else a family of webs, one a seed.  [default: topical]"),
    ] = None,
    pages: Annotated[int, typer.Option(help="Of each web of the family.")] = 20_000,
    words: Annotated[
        bool,
        typer.Option("--words/--no-words", help="Links of the family say something."),
    ] = True,
    marks: Annotated[
        str,
        typer.Option(
            help="Steps at which to judge, like 1000,5000,20000.", show_default=False
        ),
    ] = "",
    gap_every: Annotated[
        int,
        typer.Option(help="A host is fetched from in one of so many steps at most."),
    ] = 1,
    seeds: Annotated[
        int, typer.Option(help="Webs; with --world, repetitions of policies that draw.")
    ] = 5,
    out: Out = Path("out"),
    as_json: Json = False,
) -> None:
    """Who finds more in one pass over a web never seen? Any discovery policies, as shares of what
    can be found.
    """
    from trapline.app.commands.laboratory.lab_output import compare_and_print
    from trapline.core.errors import UserMistake
    from trapline.laboratory.compare.discovery import (
        DiscoveryWishes,
        compare_discovery,
        marks_in,
    )
    from trapline.laboratory.compare.policy_names import names_in

    if world is not None and family is not None:
        raise UserMistake("either --world or --family: a file holds one web")
    wishes = DiscoveryWishes(
        names_in(policies),
        world,
        family or "topical",
        pages,
        float(words),
        marks_in(marks),
        seeds,
        gap_every,
    )
    compare_and_print(
        "compare/discovery",
        lambda progress: compare_discovery(wishes, progress, out),
        out,
        as_json,
    )


@app.command("world")
def make_world(
    folder: Annotated[
        Path, typer.Argument(help="An engine's folder.", show_default=False)
    ],
    out: Annotated[
        Path | None,
        typer.Option(help="The file; else FOLDER.npz here.", show_default=False),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    as_json: Json = False,
) -> None:
    """Make a world for the laboratory from what an engine has crawled: its pages, hosts, links and
    change rates.
    """
    from trapline.app.commands.laboratory.lab_output import make_and_print

    make_and_print(folder, out, force, as_json)
