"""What a run was given, as its folder keeps it: the next run takes it up from there.

Secrets are never kept. Of them the note has names only, so that the next run can say what is
missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final

NOTE: Final = "given"
# What words add to; everything else they replace.
_ADDED: Final = (("seeds",), ("output", "changes"))


@dataclass(frozen=True, slots=True)
class Given:
    file: str = ""  # the settings file by its whole name; "" = none
    # what words of the command line said, in the form of settings
    words: dict[str, Any] = field(default_factory=dict)
    lists: list[str] = field(default_factory=list)  # files with a URL a line
    output: dict[str, Any] = field(default_factory=dict)  # in force, without URLs
    secrets: list[str] = field(default_factory=list)  # names of what was not kept

    def as_note(self) -> str:
        return json.dumps(asdict(self))


def given_from(note: str | None) -> Given | None:
    """None = no run has noted what it was given."""
    return None if not note else Given(**json.loads(note))


def lay_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """Values with others on top. Topics and lists are replaced; seeds and outlets are added.

    >>> lay_over({"seeds": ["a"], "scope": {"depth": 1}}, {"seeds": ["b"], "scope": {"pages": 9}})
    {'seeds': ['a', 'b'], 'scope': {'depth': 1, 'pages': 9}}
    """
    return _lay_over(below, above, ())


def _lay_over(
    below: Mapping[str, Any], above: Mapping[str, Any], place: tuple[str, ...]
) -> dict[str, Any]:
    laid = dict(below)
    for key, value in above.items():
        under = below.get(key)
        here = (*place, key)
        if here in _ADDED:
            laid[key] = list(dict.fromkeys([*(under or ()), *value]))
        elif not place and isinstance(value, Mapping) and isinstance(under, Mapping):
            laid[key] = _lay_over(under, value, here)
        else:
            laid[key] = value
    return laid


def is_secret(target: str) -> bool:
    """Whether an outlet may not be written down: the URL of a webhook often is a secret."""
    return "://" in target


def without_urls(words: Mapping[str, Any]) -> dict[str, Any]:
    """The same values; outlets that are URLs are left out."""
    output = words.get("output") or {}
    if "changes" not in output:
        return dict(words)
    kept = [target for target in output["changes"] if not is_secret(target)]
    return {**words, "output": {**output, "changes": kept}}
