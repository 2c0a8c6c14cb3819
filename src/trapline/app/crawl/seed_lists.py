"""The seeds of a crawl: those of words and settings, and those of files with a URL a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from pathlib import Path
from typing import Final, NamedTuple

from trapline.app.crawl.loading import loading_shown
from trapline.app.crawl.url_lists import (
    STANDARD_INPUT,
    WORDS,
    Place,
    join_mistakes,
    list_lines,
    lost_hosts,
    refuse_scheme,
)
from trapline.app.engine.topic_examples import is_address
from trapline.app.output.standard_output import print_remark
from trapline.app.settings_files.settings_base import is_settings_file
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical, host_of

_SHOW_EVERY: Final = 1000  # lines


class SeedWords(NamedTuple):
    urls: list[str]  # also those of the standard input
    lists: list[str]  # files with a URL a line, by their whole names


def sort_words(words: Iterable[str]) -> SeedWords:
    """What is named on the command line beside a settings file."""
    found = SeedWords([], [])
    for word in words:
        if is_address(word):
            found.urls.append(canonical(word))
        elif word == STANDARD_INPUT:
            found.urls.extend(places_in([word]))
        elif not is_settings_file(word):
            refuse_scheme(word)
            found.lists.append(str(Path(word).absolute()))
    return found


def places_in(lists: Iterable[str], *, quiet: bool = True) -> dict[str, str]:
    """Canonical URL → where it is listed. All bad lines are reported at once."""
    lines = list(list_lines(lists))
    places: dict[str, str] = {}
    bad: list[str] = []
    with loading_shown("loading seeds", len(lines), quiet=quiet) as step:
        for number, (where, line) in enumerate(lines, 1):
            try:
                places.setdefault(canonical(line.partition(" ")[0]), where)
            except UserMistake as mistake:
                bad.append(f"{where}: {mistake}")
            if number % _SHOW_EVERY == 0:
                step(_SHOW_EVERY)
    if bad and not places and len(bad) > 1:
        raise UserMistake(
            f"none of the {len(bad):,} lines begins with a URL; the first: {bad[0]}"
        )
    if bad:
        raise UserMistake(join_mistakes(bad))
    return places


def check_seeds(
    places: dict[str, str], known: Set[str], contact: str, *, quiet: bool = True
) -> None:
    """One seed of each host is looked up, unless it is known from the last run.

    A host of a list that cannot be found is reported, and looked for again later. One that is
    named by words must be there.
    """
    first: dict[str, Place] = {}  # of each host
    for url, where in places.items():
        if url not in known:
            first.setdefault(host_of(url), Place(where, url))
    hosts = list(first.values())
    with loading_shown("looking up hosts", len(hosts), quiet=quiet) as step:
        lost = lost_hosts(hosts, contact, step)
    fatal = not contact or len(lost) == len(hosts)
    if lost and (fatal or any(place.where == WORDS for place, _ in lost)):
        raise UserMistake(join_mistakes(list(_sentences(lost))))
    if lost:
        print_remark(f"looked for again later: {join_mistakes(list(_sentences(lost)))}")


def _sentences(lost: Iterable[tuple[Place, str]]) -> Iterator[str]:
    for place, problem in lost:
        yield problem if place.where == WORDS else f"{place.where}: {problem}"
