"""What a model is told when a tool cannot do what it asks: one line, never a traceback."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec

from mcp.server.mcpserver.exceptions import ToolError

from trapline.app.output.readable_text import drop_unseen
from trapline.core.errors import TraplineError

_LONGEST: Final = 1_000
P = ParamSpec("P")


def one_line(text: str) -> str:
    """
    >>> one_line("cannot\\n read\\u200b it")
    'cannot read it'
    """
    return " ".join(drop_unseen(text).split())[:_LONGEST]


def name_errors(tool: Callable[P, str]) -> Callable[P, str]:
    """A tool whose named failures reach the model."""

    @wraps(tool)
    def run(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return tool(*args, **kwargs)
        except TraplineError as error:
            raise ToolError(one_line(str(error))) from error

    return run
