"""URLs as people list them: files with a URL a line, the standard input, or words.

Hosts are looked up before anything starts, each once and side by side, because a dead name takes
long. Of very many only the first are, for a while: the robot meets the others in their turn.
"""

from __future__ import annotations

import ipaddress
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from trapline.app.engine.seed_check import check_seed, name_in
from trapline.app.engine.topic_examples import is_address
from trapline.core.errors import BadUrl, UserMistake

SHOWN: Final = 20  # of what is missing
_EXAMPLES: Final = 3  # of what is wrong
WORDS: Final = "the command line"
STANDARD_INPUT: Final = "-"
_AT_ONCE: Final = 32  # names that are resolved side by side
_MOST_NAMES: Final = 1000  # that are resolved before the start,
_LONGEST_S: Final = 20.0  # and for so long at most

Step = Callable[[int], None]  # so many more are done


class Place(NamedTuple):
    where: str  # "list.txt, line 7"
    page: str  # URL


def list_lines(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    """(where, text) of each line that is neither empty nor a comment."""
    for word in words:
        if is_address(word):
            yield WORDS, word
            continue
        source = "the standard input" if word == STANDARD_INPUT else word
        for number, line in enumerate(_text(word).splitlines(), 1):
            text = " ".join(line.split())
            if text and not text.startswith("#"):
                yield f"{source}, line {number}", text


def refuse_scheme(word: str) -> None:
    """What looks like a URL is one of another service, not the name of a file."""
    if "://" in word and not Path(word).exists():
        raise BadUrl(word, "only http and https are visited") from None


def _text(word: str) -> str:
    try:
        if word == STANDARD_INPUT:
            return sys.stdin.read()
        return Path(word).read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        refuse_scheme(word)
        raise UserMistake(
            f"there is no file {word} (a URL begins with http:// or https://)"
        ) from None
    except IsADirectoryError:
        problem = "it is a folder, not a file"
    except UnicodeDecodeError:
        problem = "it is not written in UTF-8: save it as UTF-8"
    except OSError as error:
        problem = error.strerror or "it cannot be opened"
    source = "of the standard input" if word == STANDARD_INPUT else word
    raise UserMistake(f"cannot read the list {source}: {problem}")


def lost_hosts(
    places: Collection[Place], contact: str, step: Step = lambda _: None
) -> list[tuple[Place, str]]:
    """Hosts that may not be visited, or not yet, and why. `places`: one of each host."""

    def problem(place: Place) -> str:
        try:
            check_seed(place.page, contact)
        except UserMistake as mistake:
            return str(mistake)
        return ""

    pool = ThreadPoolExecutor(_AT_ONCE)
    asked = {pool.submit(problem, place): place for place in _first_names(places)}
    problems: dict[Place, str] = {}
    try:
        for answer in as_completed(asked, timeout=_LONGEST_S):
            problems[asked[answer]] = answer.result()
            step(1)
    except TimeoutError:
        pass  # of the others the robot will hear by itself
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return [(place, problems[place]) for place in places if problems.get(place)]


def _first_names(places: Collection[Place]) -> Iterator[Place]:
    """All addresses, which need no asking, and the first of the names."""
    literal = {place: is_literal(name_in(place.page)) for place in places}
    yield from (place for place in places if literal[place])
    names = (place for place in places if not literal[place])
    yield from islice(names, _MOST_NAMES)


def is_literal(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def join_mistakes(mistakes: list[str]) -> str:
    """All of them in one line, or the first of very many."""
    more = (
        f"; and {len(mistakes) - _EXAMPLES:,} more" if len(mistakes) > _EXAMPLES else ""
    )
    return "; ".join(mistakes[:_EXAMPLES]) + more
