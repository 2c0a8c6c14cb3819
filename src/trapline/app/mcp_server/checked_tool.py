"""A tool that refuses what it does not understand, in one line that a model can act on."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Final

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import ValidationError

from trapline.app.mcp_server.tool_errors import name_errors, one_line

_SHOWN: Final = 60  # characters of what was wrong


class CheckedTool(Tool):
    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,
    ) -> Any:
        known = self.parameters["properties"]
        for name in arguments:
            # a misspelt filter would widen the answer
            if name not in known:
                takes = ", ".join(known) or "none"
                raise ToolError(
                    one_line(
                        f"there is no argument {name!r}; {self.name} takes: {takes}"
                    )
                )
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            raise ToolError(one_line(_first_mistake(error, known))) from None
        return await super().run(arguments, context, convert_result)


def make_tool(tool: Callable[..., str], hints: ToolAnnotations) -> Tool:
    """Its docstring is what a model is told of it."""
    made = CheckedTool.from_function(
        name_errors(tool),
        description=inspect.getdoc(tool),
        annotations=hints,
        structured_output=False,
    )
    made.parameters["additionalProperties"] = False
    return made


def _first_mistake(error: ValidationError, known: dict[str, Any]) -> str:
    first = error.errors(include_url=False)[0]
    name = str(first["loc"][0])
    if first["type"] == "missing":
        return f"{name} is missing"
    # a pattern, or one of several types: what is meant says more than what failed
    if first["type"] == "string_pattern_mismatch" or len(first["loc"]) > 1:
        problem = f"it means: {known[name]['description']}"
    else:
        problem = first["msg"].replace("Input", "it", 1).replace("String", "it", 1)
    return f"{name} is {repr(first['input'])[:_SHOWN]}; {problem}"
