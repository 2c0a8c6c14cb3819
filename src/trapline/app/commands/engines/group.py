"""The verbs of `trapline engines`."""

from __future__ import annotations

import typer

from trapline.app.commands.engines.ask import ask
from trapline.app.commands.engines.suggest import suggest

app = typer.Typer(
    help="Other engines: a federation seen from one folder.", no_args_is_help=True
)
for verb in (ask, suggest):
    # one paragraph, however the docstring is wrapped
    app.command(help=" ".join((verb.__doc__ or "").split()))(verb)
