"""The pages to watch, as people list them: files with a URL a line, the standard input, or URLs."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from trapline.app.engine.seed_check import check_seed
from trapline.app.engine.topic_examples import is_address
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical, host_of

SHOWN: Final = 20  # of what is wrong
_AT_ONCE: Final = 32  # names that are resolved side by side


class _Place(NamedTuple):
    where: str  # "list.txt, line 7"
    page: str  # URL


def pages_of(words: Iterable[str], contact: str = "") -> dict[str, str]:
    """URL → its name, of all pages in the named lists. All bad lines are reported at once.

    A host whose name cannot be resolved is reported and watched all the same: most of them come
    back. If no host can be resolved, something else is wrong, and that is a UserMistake.
    """
    pages: dict[str, str] = {}
    first: dict[str, _Place] = {}  # of each host
    bad: list[str] = []
    for where, line in _lines(words):
        url, _, name = line.partition(" ")
        try:
            page = canonical(url)
        except UserMistake as mistake:
            bad.append(f"{where}: {mistake}")
        else:
            pages.setdefault(page, name.strip())
            first.setdefault(host_of(page), _Place(where, page))
    lost = list(_lost_hosts(first.values(), contact))
    if bad or (lost and (len(lost) == len(first) or not contact)):
        raise UserMistake(_join(bad + lost))
    if not pages:
        raise UserMistake(
            "nothing to watch: name a file with a URL a line, URLs, or a settings file with seeds"
        )
    if lost:
        print(f"trapline: looked for again later: {_join(lost)}", file=sys.stderr)
    return pages


def _lost_hosts(places: Collection[_Place], contact: str) -> Iterator[str]:
    """Hosts that may not be visited, or not yet, and why.

    Names are resolved side by side, because a dead one takes long.
    """

    def problem(place: _Place) -> str:
        try:
            check_seed(place.page, contact)
        except UserMistake as mistake:
            return str(mistake)
        return ""

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        for place, found in zip(places, pool.map(problem, places), strict=True):
            if found:
                yield f"{place.where}: {found}"


def _join(mistakes: list[str]) -> str:
    more = f"; and {len(mistakes) - SHOWN} more" if len(mistakes) > SHOWN else ""
    return "; ".join(mistakes[:SHOWN]) + more


def _lines(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(where, text) of each line that is neither empty nor a comment."""
    for word in words:
        if is_address(word):
            yield "the command line", word
            continue
        source = "the standard input" if word == "-" else word
        for number, line in enumerate(_text(word).splitlines(), 1):
            text = " ".join(line.split())
            if text and not text.startswith("#"):
                yield f"{source}, line {number}", text


def _text(word: str) -> str:
    try:
        if word == "-":
            return sys.stdin.read()
        return Path(word).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserMistake(
            f"there is no file {word} to watch (a URL begins with http:// or https://)"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserMistake(f"cannot read the list {word}: {error}") from None
