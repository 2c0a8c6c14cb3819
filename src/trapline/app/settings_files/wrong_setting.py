"""Which setting is wrong, by its full name, and which one was probably meant."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from pydantic import BaseModel

from trapline.app.settings_files.wrong_value import wrong_value
from trapline.core.nearest_name import ALIKE, VERY_ALIKE, nearest_name

_UNKNOWN: Final = "extra_forbidden"


def wrong_setting(
    errors: Sequence[Mapping[str, Any]], settings: type[BaseModel]
) -> str:
    """The first thing that is wrong, in one line."""
    first = errors[0]
    place = [str(part) for part in first["loc"]]
    if first["type"] == _UNKNOWN:
        return f"{_say_place(first['loc'])}: there is no such setting{_suggestion(place, settings)}"
    of_either = [error for error in errors if error["loc"][:-1] == first["loc"][:-1]]
    if len(of_either) > 1 and _is_choice(of_either):
        found = wrong_value({**first, "type": "string_type"})
        return f"{_say_place(first['loc'][:-1])}: {found.replace('a text', 'a number or a text')}"
    problem = wrong_value(first, secret=_is_secret(place, first["input"]))
    # several settings of one table together have no place
    return f"{_say_place(first['loc'])}: {problem}" if place else problem


def _say_place(parts: Sequence[int | str]) -> str:
    """Entries are counted from 1, as people do.

    >>> _say_place(["watch", "pages", 0, "select", 1])
    'watch.pages, entry 1, select, entry 2'
    """
    said = ""
    after_entry = False
    for part in parts:
        entry = isinstance(part, int)
        before = "" if not said else ", " if entry or after_entry else "."
        said += before + (f"entry {part + 1}" if isinstance(part, int) else part)
        after_entry = entry
    return said


def _is_secret(place: Sequence[str], value: object) -> bool:
    """The URL of a webhook often is one; a number is none."""
    is_text = not isinstance(value, int | float)
    return place[:1] == ["access"] or (place[:1] == ["output"] and is_text)


def _is_choice(errors: Sequence[Mapping[str, Any]]) -> bool:
    """Whether one value was tried as several kinds: pydantic names the kind last."""
    return {error["loc"][-1] for error in errors} == {"float", "str"}


def _suggestion(place: Sequence[str], settings: type[BaseModel]) -> str:
    paths = list(setting_paths(settings))
    *table, name = place
    beside = [path for path in paths if path.rpartition(".")[0] == ".".join(table)]
    # elsewhere many names are a little like any
    for known, alike in ((beside, ALIKE), (paths, VERY_ALIKE)):
        by_name = {path.rpartition(".")[2]: path for path in reversed(known)}
        if nearest := nearest_name(name, by_name, alike):
            return f"; did you mean {by_name[nearest]}?"
    nearest = nearest_name(".".join(place), paths, VERY_ALIKE)
    return f"; did you mean {nearest}?" if nearest else ""


def setting_paths(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """The full names of all tables and settings."""
    for name, field in model.model_fields.items():
        path = above + name
        yield path
        for kind in (field.annotation, *get_args(field.annotation)):
            if inspect.isclass(kind) and issubclass(kind, BaseModel):
                within = f"{path}.*." if kind is not field.annotation else f"{path}."
                yield from setting_paths(kind, within)
