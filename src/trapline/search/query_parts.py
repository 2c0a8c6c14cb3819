"""The parts of a typed query: words, phrases and restrictions, each with its sign and its place.

>>> for part in parts_of('git -"cherry pick" log --oneline -i host:git.org lang:xyz'):
...     print(part.kind, part.text, part.unwanted)
words git False
phrase cherry pick True
words log False
words --oneline False
words -i False
host git.org False
words lang:xyz False
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from trapline.search.query_dates import Span, read_span

WORDS: Final = "words"
PHRASE: Final = "phrase"
_TOKEN: Final = re.compile(
    r"(?P<sign>[+-])?(?:(?P<field>title|host|site|lang|changed):(?=\S))?"
    r'(?:"(?P<phrase>[^"]*)"?|(?P<chunk>[^\s"]+))',
    re.IGNORECASE,
)
# whatever the HTTP API takes for a host
_HOST: Final = re.compile(r"(?:https?://)?([^\x00-\x20\x7f/?#@]+)/?", re.IGNORECASE)
# en, and en-US, too: what is told of a page is the language alone
_LANGUAGE: Final = re.compile(r"([a-z]{2})(?:[-_][a-z0-9]{2,8})*", re.IGNORECASE)


class Part(NamedTuple):
    kind: str  # "words", "phrase", "title", "host", "lang" or "changed"
    text: str  # without its sign, its quotes and the name of its field
    start: int  # of the text, in the query
    demanded: bool = False
    unwanted: bool = False
    before_too: bool = False  # whether the word before is demanded with it: AND
    problem: str = ""  # why a restriction is read as words


def parts_of(query: str) -> Iterator[Part]:
    """The parts in order. `AND`, `OR` and `NOT` are none: they change the part that follows."""
    operator = ""
    for token in _TOKEN.finditer(query):
        if token["chunk"] in ("AND", "OR", "NOT") and not token["sign"]:
            operator = token["chunk"]
            continue
        yield _part(token, operator)
        operator = ""


def read_host(value: str) -> str | None:
    """
    >>> read_host("https://Git.org/"), read_host("git.org:8080"), read_host("git.org/docs")
    ('git.org', 'git.org:8080', None)
    """
    host = _HOST.fullmatch(value)
    return host[1].lower() if host else None


def read_language(value: str) -> str | None:
    """
    >>> read_language("en-US"), read_language("DE"), read_language("english")
    ('en', 'de', None)
    """
    language = _LANGUAGE.fullmatch(value)
    return language[1].lower() if language else None


def _part(token: re.Match[str], operator: str) -> Part:
    group = "phrase" if token["chunk"] is None else "chunk"
    part = Part(
        PHRASE if group == "phrase" else WORDS,
        token[group],
        token.start(group),
        demanded=token["sign"] == "+" or operator == "AND",
        unwanted=token["sign"] == "-" or operator == "NOT",
        before_too=operator == "AND",
    )
    if token["field"]:
        return _restriction(part, token)
    if part.kind == WORDS and token["sign"] == "-" and _is_option(part.text):
        text = f"-{part.text}"
        return part._replace(text=text, start=part.start - 1, unwanted=False)
    return part


def _is_option(text: str) -> bool:
    """Of some command: -i and --oneline are not meant to leave a word out."""
    return text.startswith("-") or len(text) == 1


def _restriction(part: Part, token: re.Match[str]) -> Part:
    """A part with the name of a field, or the whole as words if its value cannot be read."""
    field = token["field"].lower()
    kind = "host" if field == "site" else field
    problem = _problem(kind, part.text, part.unwanted)
    if not problem:
        return part._replace(kind=kind)
    start = token.start("field")
    text = token.string[start : token.end()]
    return part._replace(
        kind=WORDS,
        text=text,
        start=start,
        problem=f"{text}: {problem}",
    )


def _problem(kind: str, value: str, unwanted: bool) -> str:
    """What is wrong with the value of a restriction."""
    if kind == "host" and read_host(value) is None:
        return "this is not the name of a host, like example.org"
    if kind == "lang" and read_language(value) is None:
        return "a language has two letters, like en"
    if kind == "changed":
        if unwanted:
            return "a span of time cannot be left out: turn < and > round"
        if read_span(value) is None:
            return "this is not a date, like 2026-01-31, 2026-01 or >2026"
    return ""


def span_of(part: Part) -> Span:
    """What a part "changed" says."""
    return read_span(part.text) or Span()
