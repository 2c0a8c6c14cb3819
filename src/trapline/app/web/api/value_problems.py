"""What is wrong with a parameter, or with a field of a body: one sentence in our own words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from trapline.app.web.api.patterns import PROBLEMS_OF

_WHOLE: Final = "must be a whole number"
_DATE: Final = "must be a date like 2026-01-31"
# by the kinds of Pydantic, or how these begin; braces are filled from what it says besides
_PROBLEMS: Final = {
    "missing": "is missing",
    "extra_forbidden": "is not known here",
    "json_invalid": "is not JSON",
    "model_attributes_type": "must be a JSON object",
    "dict_type": "must be a JSON object",
    "string_too_long": "must have at most {max_length} characters",
    "string_unicode": "must be whole characters: it has half of one",
    "string": "must be a text",
    "greater_than_equal": "must be {ge} or more",
    "less_than_equal": "must be {le} or less",
    "enum": "must be {expected}",
    "bool": "must be true or false",
    "int": _WHOLE,
    "date": _DATE,
}


def say_problem(found: Mapping[str, Any]) -> str:
    """A sentence of what Pydantic found.

    >>> say_problem({"loc": ("query", "limit"), "type": "less_than_equal", "ctx": {"le": 9}})
    'limit must be 9 or less'
    >>> say_problem({"loc": ("body", 1), "type": "json_invalid"})
    'the body is not JSON'
    """
    where = found["loc"][1:2]
    name = where[0] if where and isinstance(where[0], str) else "the body"
    return f"{name} {_predicate(found)}"


def _predicate(found: Mapping[str, Any]) -> str:
    facts = found.get("ctx", {})
    kind = found["type"]
    if kind == "value_error":
        return str(facts["error"])
    if kind == "string_pattern_mismatch":
        return PROBLEMS_OF[facts["pattern"]]
    for beginning, problem in _PROBLEMS.items():
        if kind.startswith(beginning):
            return problem.format(**facts)
    return "cannot be used"
