"""From the words of `watch` to settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from trapline.app.crawl.crawl_settings import named_settings, output_for
from trapline.app.crawl.watch_list import pages_of
from trapline.app.settings import Settings, settings_from

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
    verbose: bool = False
    quiet: bool = False


def settings_for(wishes: WatchWishes) -> tuple[Settings, dict[str, str]]:
    """The settings, and the listed pages with their names.

    A settings file may be named; a list, if one is named, takes the place of its seeds.
    """
    settings, lists = named_settings(wishes.what)
    contact = settings.manners.contact if wishes.contact is None else wishes.contact
    pages = pages_of(lists or settings.seeds, contact)
    values = settings.model_dump(exclude_unset=True)
    values["manners"] = {**values.get("manners", {}), "contact": contact}
    values["seeds"] = list(pages)
    values["topic"] = {}  # all pages are worth the same: the user has chosen them
    values["discovery"] = {"policy": "breadth-first", "follow": False}
    values["output"] = output_for(settings, wishes.changes)
    values["budget"] = _budget_for(values.get("budget", {}), wishes.budget, len(pages))
    return settings_from("the command line", values), pages


def _budget_for(
    table: dict[str, Any], wished: str | None, pages: int
) -> dict[str, Any]:
    budget = {**table, "discovery_share": 1.0}  # a page never seen goes first
    if wished is not None:
        budget["visits"] = wished
    elif "visits" not in budget:
        budget["visits"] = pages / ROUND_S
        budget["burst"] = float(pages)
    return budget
