"""What commands print for people, machines can have as well."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import typer

from trapline.app.commands.main import app


def commands(group: Any, name: str = "trapline") -> Iterator[tuple[str, Any]]:
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_has_json(name: str) -> None:
    options = {option for one in COMMANDS[name].params for option in one.opts}
    assert "--json" in options
