"""`trapline`: all commands together, and what their errors look like."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from trapline import __version__
from trapline.app.commands.cluster import cluster
from trapline.app.commands.crawl import crawl
from trapline.app.commands.demo import demo
from trapline.app.commands.export import export
from trapline.app.commands.federation import engines
from trapline.app.commands.federation.directory import directory
from trapline.app.commands.forget import forget
from trapline.app.commands.host import host
from trapline.app.commands.label import label
from trapline.app.commands.laboratory import lab
from trapline.app.commands.log import log
from trapline.app.commands.mcp import mcp
from trapline.app.commands.misuse import misuse_line
from trapline.app.commands.plan import plan
from trapline.app.commands.reindex import reindex
from trapline.app.commands.search import search
from trapline.app.commands.serve import serve
from trapline.app.commands.settings_files.init import init
from trapline.app.commands.settings_files.settings import settings
from trapline.app.commands.status import status
from trapline.app.commands.watching.diff import diff
from trapline.app.commands.watching.import_list import import_list
from trapline.app.commands.watching.notify_test import notify_test
from trapline.app.commands.watching.watch import watch
from trapline.app.commands.why import why
from trapline.app.commands.worker import worker
from trapline.app.output.readable_text import guard_standard_streams
from trapline.app.output.standard_output import discard_standard_output, end_quietly
from trapline.core.errors import DiskFull, EngineFailure, UserMistake, disk_trouble

_SET_UP_ONCE: Final = ("install_completion", "show_completion")
_INTERRUPTED: Final = 130  # what typer makes of Ctrl-C
# in the order in which the help shows them
_COMMANDS: Final = (
    demo,
    init,
    crawl,
    watch,
    diff,
    import_list,
    notify_test,
    settings,
    export,
    search,
    status,
    log,
    why,
    plan,
    label,
    host,
    forget,
    reindex,
    serve,
    worker,
    cluster,
    directory,
    mcp,
)


class _PipedCommands(TyperGroup):
    """Whoever reads only the beginning of what a command prints (`| head`) ends it, quietly."""

    def get_params(self, context: Any) -> list[Any]:
        """Completion of a shell is set up once in a lifetime: help does not show its options."""
        params: list[Any] = super().get_params(context)
        for one in params:
            if one.name in _SET_UP_ONCE:
                one.hidden = True
        return params

    def invoke(self, context: Any) -> Any:
        try:
            result = super().invoke(context)
            print(end="", flush=True)
        except BrokenPipeError:
            end_quietly()
        return result


app = typer.Typer(
    cls=_PipedCommands,
    help="A polite, topic-specific web robot and search engine.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(engines.app, name="engines")
app.add_typer(lab.app, name="lab")
for command in _COMMANDS:
    # `import` is no name that a function may have
    name = "import" if command is import_list else None
    # one paragraph, however the docstring is wrapped
    app.command(name, help=" ".join((command.__doc__ or "").split()))(command)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"trapline {__version__}")
        raise typer.Exit


@app.callback()
def _trapline(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Say which."
        ),
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run a command. A user's mistake is one line and code 2, a failure one line and code 1."""
    guard_standard_streams()
    try:
        code = app(standalone_mode=False)
        sys.exit(0 if code == _INTERRUPTED else code)
    except typer.TyperException as misuse:
        if line := misuse_line(misuse, _begun_command()):
            _print_error(line)
        sys.exit(misuse.exit_code)
    except UserMistake as mistake:
        _print_error(mistake)
        sys.exit(2)
    except EngineFailure as failure:
        _print_error(failure)
        sys.exit(1)
    except OSError as error:
        _print_error(_name_trouble(error))
        sys.exit(1)


def _begun_command() -> str:
    """As far as the words of the command line name one: `trapline lab run`."""
    command: Any = typer.main.get_command(app)
    path = ["trapline"]
    for word in sys.argv[1:]:
        if word not in getattr(command, "commands", {}):
            break
        command = command.commands[word]
        path.append(word)
    return " ".join(path)


def _name_trouble(error: OSError) -> object:
    try:
        print(end="", flush=True)
    except OSError as lost:
        discard_standard_output()
        return f"cannot write to the standard output: {lost.strerror}"
    full = isinstance(disk_trouble(error.filename, error), DiskFull)
    return DiskFull(error.filename or "the folder") if full else error


def _print_error(error: object) -> None:
    print(f"trapline: {error}", file=sys.stderr)
