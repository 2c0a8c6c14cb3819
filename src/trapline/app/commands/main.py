"""`trapline`: the commands and their words."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from trapline import __version__
from trapline.app.commands import lab
from trapline.core.errors import DiskFull, EngineFailure, UserMistake, disk_trouble

app = typer.Typer(
    help="A polite, topic-specific web robot and search engine.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
app.add_typer(lab.app, name="lab")

_INTERRUPTED: Final = 130  # what typer makes of Ctrl-C
Json = Annotated[
    bool, typer.Option("--json", help="Print one JSON object, for machines.")
]
Changes = Annotated[
    list[str] | None,
    typer.Option(
        help=(
            "Tell changes to a file (.jsonl, .xml, .atom), a webhook URL, or `feed`; may be "
            "repeated."
        ),
        show_default=False,
    ),
]
Folder = Annotated[
    Path, typer.Argument(help="The engine's folder.", show_default=False)
]


class Verdict(StrEnum):
    YES = "yes"
    NO = "no"


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"trapline {__version__}")
        raise typer.Exit


@app.callback()
def _trapline(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Say which."),
    ] = False,
) -> None:
    pass


@app.command()
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
    seed: Annotated[int, typer.Option(help="Another seed, another web.")] = 1,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Of search and status.")
    ] = None,
    dir: Annotated[
        Path | None,
        typer.Option(help="Keep the engine's folder here.", show_default=False),
    ] = None,
    browser: Annotated[
        bool, typer.Option(help="Open search and status in the browser.")
    ] = True,
    as_json: Json = False,
) -> None:
    """Crawl a living web on loopback before your eyes, with search and status in the browser."""
    from trapline.app.commands.demo import DemoWishes, run_demo

    run_demo(
        DemoWishes(
            seconds=seconds,
            pages=pages,
            hosts=hosts,
            topic=topic,
            seed=seed,
            port=port,
            folder=dir,
            browser=browser and not as_json,
            as_json=as_json,
        )
    )


@app.command()
def crawl(
    what: Annotated[
        list[str],
        typer.Argument(
            help="A settings file (TOML), or seed URLs.", show_default=False
        ),
    ],
    dir: Annotated[
        Path, typer.Option(help="The engine's folder; made if missing, resumed if not.")
    ] = Path("engine"),
    topic: Annotated[
        str | None, typer.Option(help="What to look for, in words.", show_default=False)
    ] = None,
    like: Annotated[
        list[str] | None,
        typer.Option(help="An example: URL, file or text.", show_default=False),
    ] = None,
    unlike: Annotated[
        list[str] | None, typer.Option(help="A counter-example.", show_default=False)
    ] = None,
    budget: Annotated[
        str | None, typer.Option(help="Visits: 5/s, 600/min, 10000/h, unlimited.")
    ] = None,
    contact: Annotated[
        str | None, typer.Option(help="Your mail address or page.", show_default=False)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be done; do nothing.")
    ] = False,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Stop after so many seconds.")
    ] = None,
    visits: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many page visits.")
    ] = None,
    changes: Changes = None,
    warc: Annotated[
        bool,
        typer.Option("--warc", help="Record whole answers as WARC files in DIR/warc."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Discover, keep fresh, index. Ctrl-C stops cleanly; the same --dir goes on where
    it stopped.
    """
    from trapline.app.commands.crawl import CrawlWishes, run_crawl

    run_crawl(
        CrawlWishes(
            what,
            dir,
            topic,
            like or [],
            unlike or [],
            budget,
            contact,
            dry_run,
            seconds,
            visits,
            as_json,
            changes or [],
            warc,
        )
    )


@app.command()
def watch(
    what: Annotated[
        list[str],
        typer.Argument(
            help="Files with a URL a line (- = standard input), URLs, a settings file.",
            show_default=False,
        ),
    ],
    dir: Annotated[
        Path, typer.Option(help="The engine's folder; made if missing, resumed if not.")
    ] = Path("watch"),
    budget: Annotated[
        str | None,
        typer.Option(help="Visits: 600/min …; else each page every ten minutes."),
    ] = None,
    contact: Annotated[
        str | None, typer.Option(help="Your mail address or page.", show_default=False)
    ] = None,
    changes: Changes = None,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Stop after so many seconds.")
    ] = None,
    visits: Annotated[
        int | None, typer.Option(min=1, help="Stop after so many page visits.")
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print one JSON object a change, for machines."),
    ] = False,
) -> None:
    """Watch listed pages and tell what changes; no link is followed.

    How often each is visited is learnt.
    """
    from trapline.app.commands.watch import WatchWishes, run_watch

    run_watch(
        WatchWishes(what, dir, budget, contact, changes or [], seconds, visits, as_json)
    )


@app.command()
def export(
    folder: Folder,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="One JSON object a line.")
    ] = False,
    warc: Annotated[
        bool, typer.Option("--warc", help="WARC 1.1, texts as conversion records.")
    ] = False,
    parquet: Annotated[
        bool, typer.Option("--parquet", help=r"Parquet; needs trapline\[parquet].")
    ] = False,
    out: Annotated[
        str | None,
        typer.Option(help="The file, - = standard output.", show_default=False),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace the file if it is there.")
    ] = False,
) -> None:
    """Write the held documents to a file."""
    from trapline.app.commands.export import export_folder

    forms = [
        name
        for name, wanted in (("jsonl", jsonl), ("warc", warc), ("parquet", parquet))
        if wanted
    ]
    if len(forms) != 1:
        raise UserMistake(
            "say how to write the documents: one of --jsonl, --warc and --parquet"
        )
    count, target = export_folder(folder, forms[0], out, force=force)
    typer.echo(
        f"{count} documents written to {'the standard output' if target == '-' else target}.",
        err=True,
    )


@app.command()
def search(
    folder: Folder,
    query: Annotated[
        str, typer.Argument(help="Words to look for.", show_default=False)
    ],
    limit: Annotated[int, typer.Option(min=1, max=100, help="Most results.")] = 10,
    as_json: Json = False,
) -> None:
    """Search an engine's collection."""
    from trapline.app.commands.tables import print_answer
    from trapline.app.folder.reader import search_folder

    print_answer(search_folder(folder, query, limit), as_json)


@app.command()
def status(folder: Folder, as_json: Json = False) -> None:
    """What the engine holds, and what its robot last said."""
    from trapline.app.commands.tables import print_status
    from trapline.app.folder.status import read_status

    print_status(read_status(folder), as_json)


@app.command()
def why(
    folder: Folder,
    url: Annotated[
        str, typer.Argument(help="A page that the engine knows.", show_default=False)
    ],
    as_json: Json = False,
) -> None:
    """Why a page is visited when it is: the terms of its price, what is believed of it, and when it
    is due.
    """
    from trapline.app.commands.tables import print_reasons
    from trapline.app.commands.why import reasons_for

    print_reasons(reasons_for(folder, url), as_json)


@app.command()
def label(
    folder: Folder,
    url: Annotated[
        str, typer.Argument(help="A page that the engine knows.", show_default=False)
    ],
    belongs: Annotated[
        Verdict,
        typer.Argument(help="Whether it belongs to the topic.", show_default=False),
    ],
) -> None:
    """Say that a page belongs to the topic, or not; the robot learns from it, within seconds if it
    is at work.
    """
    from trapline.app.folder.label_file import write_label

    page = write_label(folder, url, belongs is Verdict.YES)
    typer.echo(
        f"{page} {'belongs' if belongs is Verdict.YES else 'does not belong'} to the topic."
    )


@app.command()
def host(
    folder: Folder,
    name: Annotated[
        str,
        typer.Argument(
            metavar="HOST",
            help="example.org, with :port, or a URL.",
            show_default=False,
        ),
    ],
    pause: Annotated[
        bool, typer.Option("--pause", help="No visits until --resume.")
    ] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="End a pause or a block.")
    ] = False,
    block: Annotated[
        bool,
        typer.Option("--block", help="No visits, and links there are not followed."),
    ] = False,
    share: Annotated[
        str | None, typer.Option(help="Of the visits, at most: 5%.", show_default=False)
    ] = None,
    as_json: Json = False,
) -> None:
    """One host: what is known of it, and what the robot shall do there, within seconds if it is at
    work.
    """
    from trapline.app.commands.host import HostWishes, order_host
    from trapline.app.commands.tables import print_json

    facts = order_host(folder, name, HostWishes(pause, resume, block, share))
    if as_json:
        print_json([one.as_dict() for one in facts])
    else:
        typer.echo("\n".join(map(str, facts)))


@app.command()
def forget(
    folder: Folder,
    what: Annotated[
        str,
        typer.Argument(
            metavar="URL|HOST", help="A page, or a whole host.", show_default=False
        ),
    ],
    undo: Annotated[
        bool, typer.Option("--undo", help="Let it be visited again.")
    ] = False,
) -> None:
    """Drop a page, or a host with all its pages, from collection and index; it is not visited
    again.
    """
    from trapline.app.commands.host import forget as drop

    for target in drop(folder, what, undo=undo):
        typer.echo(f"{target} {'may be visited again' if undo else 'is forgotten'}.")


@app.command()
def serve(
    folder: Folder,
    port: Annotated[int, typer.Option(min=1, max=65535, help="On 127.0.0.1.")] = 8765,
) -> None:
    """Serve search and status of a folder as a web page on loopback, until Ctrl-C."""
    from trapline.app.folder.reader import serve_folder

    serve_folder(folder, port)


def main() -> None:
    """Run a command; a user's mistake is one line and exit code 2, a failure one line and exit code
    1.
    """
    try:
        code = app(standalone_mode=False)
        sys.exit(0 if code == _INTERRUPTED else code)
    except typer.TyperException as misuse:
        _say_misuse(misuse)
        sys.exit(misuse.exit_code)
    except UserMistake as mistake:
        print(f"trapline: {mistake}", file=sys.stderr)
        sys.exit(2)
    except EngineFailure as failure:
        print(f"trapline: {failure}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        full = isinstance(disk_trouble(error.filename, error), DiskFull)
        print(
            f"trapline: {DiskFull(error.filename or 'the folder') if full else error}",
            file=sys.stderr,
        )
        sys.exit(1)


def _say_misuse(misuse: typer.TyperException) -> None:
    """One line of options and arguments that cannot be; none where the help has been
    shown instead.
    """
    context = getattr(misuse, "ctx", None)
    said = " ".join(misuse.format_message().split()).rstrip(".")
    if said:
        print(
            f"trapline: {said} (see `{context.command_path if context else 'trapline'} --help`)",
            file=sys.stderr,
        )
