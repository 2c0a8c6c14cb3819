"""From the words of `crawl` to settings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from typing import Any

from trapline.app.crawl.kept_seeds import drop_outside
from trapline.app.crawl.run_start import RunStart, split_lists, start_from, words_for
from trapline.app.crawl.seed_lists import check_seeds, places_in, sort_words
from trapline.app.crawl.url_lists import WORDS
from trapline.app.directory.site_names import site_of
from trapline.app.engine.seed_check import check_seed
from trapline.app.engine.topic_examples import is_address, locate_example
from trapline.app.folder.places.crawl_ledger import is_in_shards
from trapline.app.settings import Settings
from trapline.app.settings_files.given import lay_over
from trapline.app.settings_files.kept_settings import OWN_FILE, Kept
from trapline.app.settings_files.settings_base import Base, base_for
from trapline.core.errors import UserMistake
from trapline.core.urls import canonical, host_of


@dataclass(frozen=True, slots=True)
class CrawlWishes:
    """The words of the command line."""

    what: list[str]
    folder: Path
    topic: str | None = None
    like: list[str] = field(default_factory=list)
    unlike: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=list)
    same_site: bool = False
    depth: int | None = None
    pages: int | None = None
    exclude: list[str] = field(default_factory=list)
    budget: str | None = None
    contact: str | None = None
    dry_run: bool = False
    seconds: float | None = None
    visits: int | None = None
    as_json: bool = False
    verbose: bool = False
    quiet: bool = False
    changes: list[str] = field(default_factory=list)
    warc: bool = False
    yes: bool = False
    shards: int | None = None  # None = one process, or as many as the crawl has
    store: str = ""  # address of a PostgreSQL; "" = the folder
    workers: int | None = None  # processes, where there are shards
    ray: str = ""  # address of a Ray cluster, or "local"; "" = processes of our own

    def is_in_shards(self) -> bool:
        """Whether more than one process is to crawl, or did before."""
        asked = self.shards or self.store or self.workers or self.ray
        return bool(asked) or is_in_shards(self.folder)


def start_for(wishes: CrawlWishes, kept: Kept | None = None) -> RunStart:
    """The settings file that is named or kept, the words of earlier runs, then those of this one.

    Seeds are checked. `kept` is what a crawl in shards knows of its last run.
    """
    base = base_for(wishes.folder, wishes.what, kept)
    _check_kind(base, wishes.folder)
    named = sort_words(wishes.what)
    words = _words_of(wishes, base, named.urls)
    values = lay_over(base.values, words)
    lists = list(dict.fromkeys([*base.given.lists, *named.lists]))
    present, noted = split_lists(lists, base)
    places = _places([*values.get("seeds", []), *noted], present, wishes)
    places, base = drop_outside(places, base, values, wishes.what, named)
    contact = str(values.get("manners", {}).get("contact", ""))
    known = _seeds_checked_before(base, contact)
    check_seeds(places, known, contact, quiet=wishes.as_json or wishes.quiet)
    _check_examples(values.get("topic") or {}, known, contact)
    if wishes.same_site:
        words = lay_over(words, {"scope": {"hosts": _sites(wishes.hosts, places)}})
        values = lay_over(values, words)
    start = start_from(base, {**values, "seeds": list(places)}, words, lists)
    _check_start(start.settings, base, lists, wishes.folder)
    return start


def _check_kind(base: Base, folder: Path) -> None:
    """After a crawl, a watch could no longer use its folder."""
    if base.kept.watched:
        raise UserMistake(
            f"{folder} is the folder of a watch: a crawl needs one of its own, name it with --dir"
        )


def _words_of(wishes: CrawlWishes, base: Base, urls: list[str]) -> dict[str, Any]:
    """What this command line says, in the form of settings."""
    words = words_for(wishes.budget, wishes.contact, wishes.changes)
    if urls:
        words["seeds"] = urls
    if wishes.topic is not None or wishes.like or wishes.unlike:
        words["topic"] = _topic_for(base.values.get("topic") or {}, wishes)
    scope = {
        "hosts": wishes.hosts or None,
        "exclude": wishes.exclude or None,
        "depth": wishes.depth,
        "pages": wishes.pages,
    }
    given = {name: value for name, value in scope.items() if value is not None}
    output = {"output": {"warc": True}} if wishes.warc else {}
    return lay_over(words, {**({"scope": given} if given else {}), **output})


def _topic_for(table: Any, wishes: CrawlWishes) -> dict[str, Any]:
    """Words replace the words there were, and examples are added. An empty text takes all away."""
    before = {"words": table} if isinstance(table, str) else dict(table)
    if wishes.topic == "":
        before = {}
    words = before.get("words", "") if wishes.topic is None else wishes.topic
    examples = [*before.get("examples", []), *_locate(wishes.like)]
    against = [*before.get("against", []), *_locate(wishes.unlike)]
    return {
        "words": words,
        "examples": list(dict.fromkeys(examples)),
        "against": list(dict.fromkeys(against)),
    }


def _locate(examples: Iterable[str]) -> Iterator[str]:
    return (locate_example(text, Path()) for text in examples)


def _places(seeds: list[str], lists: list[str], wishes: CrawlWishes) -> dict[str, str]:
    """Canonical seed → where it was named."""
    places = dict.fromkeys(map(canonical, seeds), WORDS)
    for url, where in places_in(lists, quiet=wishes.as_json or wishes.quiet).items():
        places.setdefault(url, where)
    return places


def _seeds_checked_before(base: Base, contact: str) -> frozenset[str]:
    """Seeds of the last run need no check, unless they had a contact that is missing now."""
    last = base.kept.settings
    if last is None or (last.manners.contact and not contact):
        return frozenset()
    return frozenset((*last.seeds, *last.topic.examples, *last.topic.against))


def _check_examples(topic: dict[str, Any], known: Set[str], contact: str) -> None:
    for text in (*topic.get("examples", ()), *topic.get("against", ())):
        if is_address(text) and text not in known:
            check_seed(text, contact)


def _sites(hosts: list[str], seeds: Iterable[str]) -> list[str]:
    """Patterns of the scope for the sites of the seeds: registered domains, or addresses.

    >>> _sites([], ["https://www.example.org/a", "http://127.0.0.2:8000/"])
    ['.example.org', '127.0.0.2']
    """
    of_hosts = {host_of(url): url for url in seeds}  # one of each
    return list(dict.fromkeys([*hosts, *map(_site, of_hosts.values())]))


def _site(url: str) -> str:
    name = host_of(url).rpartition(":")[0]
    if name.startswith("["):
        return escape(name)
    site = site_of(url).removeprefix("www.")
    return site if site == name and site[-1].isdigit() else f".{site}"


def _check_start(
    settings: Settings, base: Base, lists: list[str], folder: Path
) -> None:
    if not (settings.seeds or any(map(is_address, settings.topic.examples))):
        raise UserMistake(_nowhere(base, lists, folder))
    scope = settings.scope.scope()
    for seed in settings.canonical_seeds():
        if not scope.allows(seed):
            raise UserMistake(
                f"the seed {seed} lies outside the scope: add its host or path to [scope]"
            )


def _nowhere(base: Base, lists: list[str], folder: Path) -> str:
    if lists:
        return (
            f"nowhere to start: {', '.join(lists)} is empty; write a URL a line into it"
        )
    if base.given.file:
        return f"nowhere to start: write seeds = [...] into {base.given.file}, or name a seed URL"
    return (
        f"nowhere to start: {folder} has no settings yet; name a seed URL, a list or a settings "
        f"file, or let `trapline init {folder}` write {folder / OWN_FILE}"
    )
