"""What commands print for people, machines can have as well."""

from __future__ import annotations

import pytest
import typer

from trapline.app.commands.main import app

# they write files, or answer over HTTP
NO_FACTS = {"export", "serve"}
COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - NO_FACTS - {"lab"}))
def test_every_command_that_prints_facts_has_json(name: str) -> None:
    options = {option for one in COMMANDS[name].params for option in one.opts}
    assert "--json" in options
