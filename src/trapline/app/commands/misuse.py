"""Options and arguments that make no sense, in our own words instead of the library's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import typer

from trapline.core.nearest_name import did_you_mean, nearest_name

# What the library says where it has no class for it, and what we say.
_SENTENCES: Final = (
    (r"No such command '(?P<name>.*?)'\..*", "there is no command {name}"),
    (
        r"Got unexpected extra argument\(s\) \((?P<name>.*)\)",
        "too much was said: {name}",
    ),
    (r"Missing command\.", "a command is missing"),
    (r"Option '(?P<name>.*)' requires .*", "{name} needs a value"),
    (r"Option '(?P<name>.*)' does not take a value\.", "{name} takes no value"),
)


def misuse_line(misuse: typer.TyperException, command: str = "trapline") -> str:
    """One line on what is wrong and where to look; "" where the help was shown.

    `command` is the one that was begun: the library does not always know.
    """
    say = _BY_CLASS.get(type(misuse).__name__, _say_sentence)
    problem = " ".join(say(misuse).split()).rstrip(".")
    context = getattr(misuse, "ctx", None)
    command = context.command_path if context else command
    return f"{problem} (see `{command} --help`)" if problem else ""


def _say_option(misuse: Any) -> str:
    known = {
        name.lstrip("-"): name
        for parameter in (misuse.ctx.command.params if misuse.ctx else ())
        for name in (*parameter.opts, *parameter.secondary_opts)
        if name.startswith("-")
    }
    # without their dashes, which make all options alike
    nearest = nearest_name(misuse.option_name.lstrip("-"), known)
    meant = f"; did you mean {known[nearest]}?" if nearest else ""
    return f"there is no option {misuse.option_name}{meant}"


def _say_missing(misuse: Any) -> str:
    kind = misuse.param.param_type_name if misuse.param else "argument"
    name = _name(misuse)
    return f"the {kind} {name.upper() if kind == 'argument' else name} is missing"


def _say_value(misuse: Any) -> str:
    return f"{_name(misuse)}: {_problem(misuse)}"


def _problem(misuse: Any) -> str:
    if misuse.__cause__ is None:
        return str(misuse.message)
    # here, because it brings pydantic, and every command starts with this file
    from pydantic import ValidationError

    from trapline.app.settings_files.wrong_value import wrong_value

    if not isinstance(misuse.__cause__, ValidationError):
        return str(misuse.message)
    return wrong_value(misuse.__cause__.errors()[0])


def _name(misuse: Any) -> str:
    hint = misuse.param.get_error_hint() if misuse.param else misuse.param_hint or ""
    return str(hint).replace("'", "").replace("[", "").replace("]", "")


def _say_sentence(misuse: Any) -> str:
    said = misuse.format_message()
    for pattern, words in _SENTENCES:
        if found := re.fullmatch(pattern, said, re.DOTALL):
            return words.format(**found.groupdict()) + _command_suggestion(
                misuse, found
            )
    return str(said)


def _command_suggestion(misuse: Any, found: re.Match[str]) -> str:
    commands = getattr(misuse.ctx.command, "commands", {}) if misuse.ctx else {}
    return did_you_mean(found.groupdict().get("name") or "", commands)


_BY_CLASS: Final[dict[str, Callable[[Any], str]]] = {
    "NoSuchOption": _say_option,
    "MissingParameter": _say_missing,
    "BadParameter": _say_value,
}
