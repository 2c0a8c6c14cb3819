"""What is wrong with a value, in our own words: what is wanted, and what was found.

pydantic finds the mistakes; its texts ("Input should be a valid integer") are never shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from trapline.app.settings_files.toml_text import toml_value

_LONGEST: Final = 60  # characters of a value that are shown
_OWN_WORDS: Final = "value_error"  # raised by our own checks
_SIMPLE: Final = {
    "string_type": "a text in quotation marks",
    "string_unicode": "a text",
    "list_type": "a list, as in [ … ]",
    "dict_type": "a table, as in { name = value }",
    "mapping_type": "a table, as in { name = value }",
    "model_type": "a table",
    "model_attributes_type": "a table",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "float_type": "a number",
    "float_parsing": "a number",
    "finite_number": "a finite number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a smaller whole number",
    "int_from_float": "a whole number",
    "path_type": "the name of a file or folder",
}
_BOUNDS: Final = {
    "greater_than_equal": ("ge", "at least"),
    "greater_than": ("gt", "more than"),
    "less_than_equal": ("le", "at most"),
    "less_than": ("lt", "less than"),
    "too_short": ("min_length", "a list with entries, at least"),
    "too_long": ("max_length", "a list with entries, at most"),
    "string_too_short": ("min_length", "a text of characters, at least"),
    "string_too_long": ("max_length", "a text of characters, at most"),
}
# What the patterns of settings mean.
_PATTERNS: Final = {
    r"^[/*]": "a pattern that begins with / or *",
    r"^[a-zA-Z]{2}$": 'the two letters of a language, like "en"',
}


def wrong_value(error: Mapping[str, Any], *, secret: bool = False) -> str:
    """One clause on an error of pydantic's; a secret is not shown.

    >>> wrong_value({"type": "int_parsing", "input": "three", "msg": "Input should be …"})
    'it must be a whole number, not "three"'
    """
    kind = str(error["type"])
    if kind == _OWN_WORDS:
        return str(error["msg"]).removeprefix("Value error, ")
    if kind == "missing":
        return "it is missing"
    wanted = _requirement(kind, error.get("ctx") or {})
    found = "" if secret else f", not {_show_value(error['input'])}"
    return f"it must be {wanted}{found}"


def _requirement(kind: str, limits: Mapping[str, Any]) -> str:
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        if limits.get("field_type") == "Dictionary":
            words = words.replace("list", "table")
        return f"{words} {limits[name]:g}"
    if kind == "string_pattern_mismatch":
        pattern = str(limits["pattern"])
        return _PATTERNS.get(pattern, f"a text of the form {pattern}")
    if kind in ("literal_error", "enum"):
        return f"one of {limits['expected']}"
    return _SIMPLE.get(kind, "something else")


def _show_value(value: object) -> str:
    text = " ".join(toml_value(value).split())
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
