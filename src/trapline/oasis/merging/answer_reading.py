"""What a stranger answered, read as if it were meant to hurt.

Bytes come in, records go out. Whatever is not as it should be is dropped and counted by its reason;
an answer that is no answer at all is an AnswerUnreadable. Text stays text: marks that steer a
terminal or turn the direction of writing become spaces, and HTML is letters like others.

>>> said = b'{"hits": [{"url": "http://a.org/", "title": "A", "score": 1}], "total": 1}'
>>> answer = read_answer(said, Reading(most=10, may_show=lambda url: None))
>>> answer.hits[0].url, answer.total, answer.dropped
('http://a.org/', 1, {})
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

from trapline.core.errors import AnswerUnreadable, BadUrl
from trapline.core.urls import canonical
from trapline.oasis.merging.engine_hits import EngineHit, Piece

MOST_BYTES: Final = 2_000_000
LONGEST_TITLE: Final = 500
LONGEST_SNIPPET: Final = 1_000
MOST_PIECES: Final = 100
LARGEST_SCORE: Final = 1e6
_LATEST_S: Final = 1e11  # some three thousand years
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_USER: Final = re.compile(r"^\s*[a-z]+:[/\\]*[^/\\?#]*@", re.IGNORECASE)

# why a URL is not shown; None = it may be
MayShow = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Reading:
    """How an answer is read."""

    most: int  # hits
    may_show: MayShow


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    hits: tuple[EngineHit, ...]
    total: int
    statistics: str = "own"  # by whose rarities the scores are
    dropped: Mapping[str, int] = field(default_factory=dict)  # hits, by reason


class _Dropped(Exception):
    """A hit that is left out, and why."""


def read_answer(body: bytes, reading: Reading) -> ReadAnswer:
    """The answer of /api/search of an engine."""
    said = read_json(body)
    hits = said.get("hits")
    if not isinstance(hits, list):
        raise AnswerUnreadable("it has no list of hits")
    found, dropped = read_hits(hits, reading)
    statistics = said.get("statistics")
    return ReadAnswer(
        found,
        max(int(_number(said.get("total"), 1e12)), len(found)),
        clean(statistics, 64) if isinstance(statistics, str) else "own",
        dropped,
    )


def read_json(body: bytes) -> dict[str, Any]:
    """A JSON object, without numbers that are none."""
    if len(body) > MOST_BYTES:
        raise AnswerUnreadable(f"it is larger than {MOST_BYTES:,} bytes")
    try:
        said = json.loads(body, parse_constant=_refuse_constant)
    except RecursionError:
        raise AnswerUnreadable("it is nested too deep") from None
    except ValueError:
        raise AnswerUnreadable("it is not JSON") from None
    if not isinstance(said, dict):
        raise AnswerUnreadable("it is no JSON object")
    return said


def read_hits(
    said: list[Any], reading: Reading
) -> tuple[tuple[EngineHit, ...], dict[str, int]]:
    """The first hits that make sense, and how many do not, by reason."""
    found: dict[str, EngineHit] = {}
    dropped: Counter[str] = Counter()
    for one in said[: reading.most]:
        try:
            hit = _read_hit(one, reading)
        except _Dropped as why:
            dropped[str(why)] += 1
            continue
        if hit.url in found:
            dropped["told twice"] += 1
        found.setdefault(hit.url, hit)
    if len(said) > reading.most:
        dropped["more than asked for"] += len(said) - reading.most
    return tuple(found.values()), dict(dropped)


def clean(text: str, longest: int) -> str:
    """One line of plain text; what cannot be printed becomes a space.

    >>> clean("a\\u202eb\\x1b[31m <b>c</b>\\nd", 100)
    'a b [31m <b>c</b> d'
    """
    return " ".join(_without_signs(text[: 2 * longest]).split())[:longest]


def read_url(said: object, may_show: MayShow) -> str:
    """Canonical, and one that may be shown; _Dropped if it is not."""
    if not isinstance(said, str):
        raise _Dropped("no URL")
    if _USER.match(said):
        raise _Dropped("a URL with a user's name")
    if not said.isprintable():
        raise _Dropped("a URL with control characters")
    try:
        url = canonical(said)
    except BadUrl:
        raise _Dropped("no URL of the Web") from None
    if problem := may_show(url):
        raise _Dropped(problem)
    return url


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _read_hit(said: object, reading: Reading) -> EngineHit:
    if not isinstance(said, dict):
        raise _Dropped("no JSON object")
    url = read_url(said.get("url"), reading.may_show)
    title = said.get("title", "")
    if not isinstance(title, str):
        raise _Dropped("a title that is no text")
    return EngineHit(
        url,
        clean(title, LONGEST_TITLE),
        _read_pieces(said.get("snippet"), LONGEST_SNIPPET),
        _read_score(said.get("score", 0.0)),
        language=_read_language(said.get("language")),
        relevance=_number(said.get("relevance"), 1.0),
        fetched_s=_number(said.get("fetched_s"), _LATEST_S),
        changed_s=_number(said.get("changed_s"), _LATEST_S),
        first_seen_s=_number(said.get("first_seen_s"), _LATEST_S),
        copies=int(_number(said.get("copies"), 1e6)),
        marked_title=_read_pieces(said.get("marked_title"), LONGEST_TITLE),
    )


def _read_language(said: object) -> str:
    return said if isinstance(said, str) and _LANGUAGE.fullmatch(said) else ""


def _read_score(said: object) -> float:
    if isinstance(said, bool) or not isinstance(said, int | float):
        raise _Dropped("a score that is no number")
    if not (0.0 <= said <= LARGEST_SCORE and math.isfinite(said)):
        raise _Dropped("a score out of all bounds")
    return float(said)


def _number(said: object, most: float) -> float:
    """What is told beside; nonsense is the same as nothing."""
    if isinstance(said, bool) or not isinstance(said, int | float):
        return 0.0
    return float(said) if 0.0 <= said <= most else 0.0


def _read_pieces(said: object, longest: int) -> tuple[Piece, ...]:
    """A snippet, or a title with marks: pairs of a text and whether it is a match."""
    if isinstance(said, str):
        said = [[said, False]]
    if not isinstance(said, list):
        return ()
    found: list[Piece] = []
    room = longest
    for one in said[:MOST_PIECES]:
        piece = _read_piece(one, room)
        if piece is not None and piece.text:
            found.append(piece)
            room -= len(piece.text)
    return tuple(found)


def _read_piece(said: object, room: int) -> Piece | None:
    if not isinstance(said, list) or len(said) != 2 or not isinstance(said[0], str):
        return None
    return Piece(_without_signs(said[0][:room]), said[1] is True)


def _without_signs(text: str) -> str:
    """Without marks that steer a terminal, turn the direction of writing, or cannot be sent on."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " for c in text)
