"""From the words of `crawl` to settings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from trapline.app.engine.seed_check import check_seed
from trapline.app.engine.topic_examples import is_address, locate_example
from trapline.app.settings import Settings, read_settings, settings_from
from trapline.app.settings_tables import TopicTable
from trapline.core.errors import UserMistake


@dataclass(frozen=True, slots=True)
class CrawlWishes:
    """The words of the command line."""

    what: list[str]
    folder: Path
    topic: str | None = None
    like: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    budget: str | None = None
    contact: str | None = None
    dry_run: bool = False
    seconds: float | None = None
    visits: int | None = None
    as_json: bool = False
    changes: list[str] = field(default_factory=list)
    warc: bool = False


def settings_for(wishes: CrawlWishes) -> Settings:
    """The settings file, if one is named, with the words of the command line on top.

    Seeds are checked.
    """
    settings, urls = named_settings(wishes.what)
    values = settings.model_dump(exclude_unset=True)
    contact = settings.manners.contact if wishes.contact is None else wishes.contact
    values["manners"] = {**values.get("manners", {}), "contact": contact}
    values["seeds"] = [check_seed(url, contact) for url in [*settings.seeds, *urls]]
    values["topic"] = _topic_for(settings.topic, wishes, contact)
    if wishes.budget is not None:
        values["budget"] = {**values.get("budget", {}), "visits": wishes.budget}
    values["output"] = output_for(settings, wishes.changes, wishes.warc)
    if not (values["seeds"] or any(map(is_address, values["topic"]["examples"]))):
        raise UserMistake(
            "nowhere to start: name at least one seed URL, or `seeds = [...]` in the settings file"
        )
    settings = settings_from("the command line", values)
    _check_scope(settings)
    return settings


def named_settings(words: Iterable[str]) -> tuple[Settings, list[str]]:
    """The settings of the file that is named among the words, and the other words."""
    files = [word for word in words if word.endswith(".toml")]
    others = [word for word in words if not word.endswith(".toml")]
    if len(files) > 1:
        raise UserMistake(
            f"one settings file at a time, not {len(files)}: {', '.join(files)}"
        )
    settings = read_settings(Path(files[0])) if files else Settings()
    return settings, others


def output_for(
    settings: Settings, changes: list[str], warc: bool = False
) -> dict[str, Any]:
    """The [output] of the settings file, and what the command line adds to it."""
    return {
        **settings.output.model_dump(exclude_unset=True),
        "warc": settings.output.warc or warc,
        "changes": [*settings.output.changes, *changes],
    }


def _topic_for(table: TopicTable, wishes: CrawlWishes, contact: str) -> dict[str, Any]:
    """The topic of the settings file; words of the command line replace its words, and examples
    are added.
    """
    examples = [*table.examples, *_locate(wishes.like)]
    against = [*table.against, *_locate(wishes.unlike)]
    for text in (*examples, *against):
        if is_address(text):
            check_seed(text, contact)
    words = table.words if wishes.topic is None else wishes.topic
    return {"words": words, "examples": examples, "against": against}


def _locate(examples: Iterable[str]) -> list[str]:
    return [locate_example(text, Path()) for text in examples]


def _check_scope(settings: Settings) -> None:
    scope = settings.scope.scope()
    for seed in settings.canonical_seeds():
        if not scope.allows(seed):
            raise UserMistake(
                f"the seed {seed} lies outside the scope: add its host or path to [scope]"
            )
