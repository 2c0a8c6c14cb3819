"""A line of a list of pages to watch: `URL Name of the page key=value key="two words" …`.

The words before the first rule are the name. After it there are rules only: a word that is none is
most often the rest of a value that should stand in quotation marks.
"""

from __future__ import annotations

import re
from typing import Any, Final

from pydantic import ValidationError

from trapline.app.rule_tables import RulesTable, WatchedPageTable
from trapline.app.settings_files.wrong_setting import wrong_setting
from trapline.core.errors import UserMistake
from trapline.core.nearest_name import nearest_name

_QUOTED: Final = r""""(?:[^"\\]|\\.)*"|'[^']*'"""
_WORD: Final = re.compile(rf"([A-Za-z_]+)=({_QUOTED}|\S*)|(\S+)")
_QUOTED_NAME: Final = re.compile(rf"\s*({_QUOTED})(?=\s+[A-Za-z_]+=|\s*$)")
_KEYS: Final = ("name", "tags", *RulesTable.model_fields)
# may be said several times
_LISTS: Final = ("select", "ignore", "ignore_text", "tags")


def read_line(line: str) -> WatchedPageTable:
    """Raises UserMistake for a bad URL, a key that is nearly one, or a bad value.

    >>> page = read_line('http://a.org/ Tea shop select="div .price" tags=shop,tea at_least=10min')
    >>> page.url, page.name, page.select, page.tags, page.at_least
    ('http://a.org/', 'Tea shop', ['div .price'], ['shop', 'tea'], '10min')
    """
    url, _, rest = line.partition(" ")
    values: dict[str, Any] = {"url": url}
    if quoted := _QUOTED_NAME.match(rest):
        values["name"] = _unquote(quoted[1])
        rest = rest[quoted.end() :]
    name: list[str] = []
    rules: list[tuple[str, str]] = []
    stray: list[str] = []  # words after the last rule
    for match in _WORD.finditer(rest):
        key, value = (match[1] or "").lower(), match[2]
        if key in _KEYS:
            _refuse_stray(rules, stray)
            rules.append((key, value))
            continue
        if key:
            _refuse_nearly(key)
        (stray if rules else name).append(match[0])
    _refuse_stray(rules, stray)
    for key, value in rules:
        _add(values, key, _unquote(value))
    if name:
        values.setdefault("name", " ".join(name))
    try:
        return WatchedPageTable.model_validate(values)
    except ValidationError as error:
        wrong = wrong_setting(error.errors(), WatchedPageTable)
        raise UserMistake(wrong.removeprefix("url: ")) from None


def _add(values: dict[str, Any], key: str, value: str) -> None:
    if key not in _LISTS:
        values[key] = value
    elif key == "tags":
        tags = [tag.strip() for tag in value.split(",")]
        values.setdefault(key, []).extend(filter(None, tags))
    else:
        values.setdefault(key, []).append(value)


def _refuse_stray(rules: list[tuple[str, str]], stray: list[str]) -> None:
    """Words that are no rule, after one."""
    if not stray:
        return
    key, value = rules[-1]
    whole = " ".join([_unquote(value), *stray])
    mark = "'" if '"' in whole else '"'
    raise UserMistake(
        f"{stray[0][:60]} is no rule (a name stands before the rules); if it belongs to {key}, "
        f"put it in quotation marks: {key}={mark}{whole[:200]}{mark}"
    )


def _refuse_nearly(key: str) -> None:
    nearest = nearest_name(key, _KEYS)
    if nearest:
        raise UserMistake(
            f"there is no rule {key}=; did you mean {nearest}=? "
            f'(if it belongs to the name: name="…")'
        )


def _unquote(text: str) -> str:
    """Inside double quotation marks \\" is one of them; other backslashes are left alone.

    >>> _unquote('"a \\\\"b\\\\" \\\\d+"'), _unquote("'x y'"), _unquote("z")
    ('a "b" \\\\d+', 'x y', 'z')
    """
    if text[:1] == '"' and text[-1:] == '"' and len(text) > 1:
        return text[1:-1].replace('\\"', '"')
    if text[:1] == "'" and text[-1:] == "'" and len(text) > 1:
        return text[1:-1]
    if text[:1] in ('"', "'"):
        raise UserMistake(f"a quotation mark is not closed: {text[:60]}")
    return text
