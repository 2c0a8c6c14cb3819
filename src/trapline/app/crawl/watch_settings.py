"""From the words of `watch` to settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from trapline.app.crawl.run_start import RunStart, split_lists, start_from, words_for
from trapline.app.crawl.url_lists import STANDARD_INPUT
from trapline.app.crawl.watch_list import pages_of
from trapline.app.engine.topic_examples import is_address
from trapline.app.rule_tables import RulesTable, WatchedPageTable, check_laid
from trapline.app.settings_files.given import lay_over
from trapline.app.settings_files.settings_base import Base, base_for, is_settings_file
from trapline.app.settings_tables import budget_words
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical

# in which each page is visited once on average, unless a budget is named
ROUND_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class WatchWishes:
    """The words of the command line."""

    what: list[str]
    folder: Path
    budget: str | None = None
    contact: str | None = None
    changes: list[str] = field(default_factory=list)
    seconds: float | None = None
    visits: int | None = None
    as_json: bool = False
    yes: bool = False
    tags: list[str] = field(default_factory=list)  # only pages with one of them
    verbose: bool = False
    quiet: bool = False


def start_for(wishes: WatchWishes) -> RunStart:
    """How the watch starts.

    A list, if one is named, takes the place of those of the last run and of the settings' seeds.
    Pages of the settings' own ([[watch.pages]]) are watched beside it.
    """
    base = base_for(wishes.folder, wishes.what)
    _check_kind(base, wishes.folder)
    words = words_for(wishes.budget, wishes.contact, wishes.changes)
    values = lay_over(base.values, words)
    lists = [word for word in wishes.what if not is_settings_file(word)]
    pages = _with_tags(_pages_for(lists, base, values), wishes.tags)
    values["seeds"] = list(pages)
    values["watch"] = {**values.get("watch", {}), "pages": list(pages.values())}
    values["topic"] = {}  # all pages are worth the same: the user has chosen them
    values["discovery"] = {"policy": "breadth-first", "follow": False}
    values["budget"] = _budget_for(values.get("budget", {}), wishes.budget, len(pages))
    files, urls = _kept_lists(lists, pages)
    if lists:
        base = _without_seeds(base)
    kept = {**words, "seeds": urls} if urls else words
    return start_from(base, values, kept, files if lists else base.given.lists)


def _without_seeds(base: Base) -> Base:
    words = {name: value for name, value in base.given.words.items() if name != "seeds"}
    return base._replace(given=replace(base.given, words=words))


def _check_kind(base: Base, folder: Path) -> None:
    """In the folder of a crawl, the whole fringe would be forgotten as no longer listed."""
    last = base.kept.settings
    if last is not None and last.discovery.follow:
        raise UserMistake(
            f"{folder} is the folder of a crawl: a watch needs one of its own, name it with --dir"
        )


def _pages_for(
    lists: list[str], base: Base, values: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    """URL → what is said of the page: by its line, and by the settings below."""
    contact = str(values.get("manners", {}).get("contact", ""))
    own = {page["url"]: page for page in values.get("watch", {}).get("pages", [])}
    words = lists
    if not lists:
        present, noted = split_lists(base.given.lists, base)
        seeds = [] if present or noted else values.get("seeds", [])
        words = [*present, *noted, *seeds]
    listed = pages_of([*words, *own], contact, _checker(own, values.get("watch", {})))
    return {
        url: {**own.get(url, {}), **page.model_dump(exclude_unset=True)}
        for url, page in listed.items()
    }


def _checker(
    own: dict[str, dict[str, Any]], table: dict[str, Any]
) -> Callable[[WatchedPageTable], None]:
    """Whether a line fits what the settings say of its page, and of all."""
    try:
        below = RulesTable(
            **{name: value for name, value in table.items() if name != "pages"}
        )
    except ValidationError:
        below = None  # the settings are read in a moment, and it is said there

    def check(page: WatchedPageTable) -> None:
        if below is None:
            return
        said = {**own.get(page.url, {}), **page.model_dump(exclude_unset=True)}
        try:
            check_laid(WatchedPageTable.model_validate(said).over(below))
        except ValidationError:
            pass
        except ValueError as mistake:
            raise UserMistake(str(mistake)) from None

    return check


def _with_tags(
    pages: dict[str, dict[str, Any]], tags: list[str]
) -> dict[str, dict[str, Any]]:
    if not tags:
        return pages
    chosen = {
        url: page
        for url, page in pages.items()
        if not set(tags).isdisjoint(page.get("tags", ()))
    }
    if not chosen:
        known = sorted({tag for page in pages.values() for tag in page.get("tags", ())})
        raise UserMistake(
            f"no page has the tag {', '.join(tags)}; there are: {', '.join(known) or 'none'}"
        )
    return chosen


def _kept_lists(lists: list[str], pages: Iterable[str]) -> tuple[list[str], list[str]]:
    """(files, URLs) for the next run; the standard input cannot be read again."""
    if STANDARD_INPUT in lists:
        return [], list(pages)
    files = [str(Path(one).absolute()) for one in lists if not is_address(one)]
    return files, [canonical(one) for one in lists if is_address(one)]


def _budget_for(
    table: dict[str, Any], wished: str | None, pages: int
) -> dict[str, Any]:
    budget = {**table, "discovery_share": 1.0}  # a page never seen goes first
    if wished is not None:
        budget |= budget_words(wished)
    elif not {"visits", "bytes", "seconds"} & budget.keys():
        budget["visits"] = pages / ROUND_S
        budget["burst"] = float(pages)
    return budget
