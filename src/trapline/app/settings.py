"""Settings of an engine: one TOML file, checked whole before anything is done.

::

    seeds = ["http://127.0.0.2:8000/"]

    [topic]                     # or, before all tables, topic = "space"
    words = "space"             # a sentence or keywords
    examples = ["http://127.0.0.2:8000/moon.html", "notes/mars.txt"]    # pages, files or texts
    against = []                # counter-examples, likewise

    [budget]
    visits = "5/s"              # or "600/min", "10000/h", "unlimited"
    cost = "visits"             # what a visit costs: 1 each, or what it takes of …
    # bytes = "500kB/s"         # … with cost = "bytes", in place of visits
    # seconds = "2s/s"          # … with cost = "seconds", likewise
    burst = 1.0                 # visits that may follow each other at once after a pause
    discovery_share = 0.5       # of contested visits, where prices cannot decide

    [discovery]
    policy = "auto"             # one queue of prices for new and held pages
    follow = true               # false: only the seeds are visited (`trapline watch`)

    [refresh]
    policy = "auto"
    demand = 1.0                # how much pages are worth more that people ask for; 0 = nothing
    options = { horizon_s = 2592000.0 }   # for how long a page that was found is worth holding

    [scope]                     # what belongs to the crawl; what is left out is not bounded
    hosts = [".lab.org", "127.0.0.2:*"]    # a leading dot: the domain and all below it
    include = ["/docs/*"]       # patterns of path and query
    exclude = ["*/print/*"]
    languages = ["en"]
    depth = 8                   # links from a seed
    pages = 100000              # held at most

    [manners]
    contact = "me@lab.org"      # where owners of sites reach you: required off this machine
    gap_s = 1.0
    own = { "127.0.0.2:8000" = 0.2 }    # hosts of your own: their gap, also below 1 s
    listed = ["wiki.intranet:80"]       # hosts that may lie on private addresses

    [access."https://wiki.intranet"]    # what it alone is sent; never logged, never stored
    headers = { X-Team = "search" }
    cookies = { session = "…" }
    user = "robot"
    password = "…"
    proxy = "http://127.0.0.1:3128"     # under [access."*"]: for all hosts

    [fetchers]
    policy = "adaptive"         # how many are awake: adaptive, fixed, static, switching, …
    most = 64                   # never more than these
    queue_room = 16             # places in the response queue; a full queue pauses fetching
    options = { weight = 1.0 }  # of the policy

    [watch]                     # rules of all pages of `trapline watch`; see also below
    ignore = [".advert"]        # CSS selectors, or XPath: these parts are left out
    ignore_text = ["Seen .* times"]    # regular expressions: what matches is left out
    at_least = "10min"          # never visited sooner again

    [[watch.pages]]             # a page to watch, with rules of its own
    url = "http://127.0.0.2:8000/shop.html"
    name = "Tea shop"
    tags = ["shop"]
    select = ["span.price"]     # only these parts count
    number = true               # the first number in them, or a regular expression with ( )
    below = 10.0                # told when it falls below, or rises `above`
    only_if = "in stock"        # other texts are not told
    threshold = "2%"            # or words: smaller changes are not told
    at_most = "1d"              # visited at least so often, budget allowing

    [[extract]]                 # fields that are picked out of pages: see `trapline export`
    pages = ["/product/*"]      # patterns of path and query; none = all pages
    fields = { name = "h1", image = "img.main@src", "tags[]" = "ul.tags li" }

    [output]
    warc = false                # record whole answers as WARC files in the engine's folder
    changes = []                # files (.jsonl, .xml, .atom) as seen from here, URLs, "feed"
    versions = 0                # texts kept of a page; 0 = 20 of a page on a list, 1 in a crawl
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, ValidationError

from trapline.app.access_table import EVERY_HOST, AccessTable, read_origins
from trapline.app.engine.topic_examples import locate_example
from trapline.app.output.outlets.outlet_targets import FEED
from trapline.app.rule_tables import ExtractTable, WatchTable
from trapline.app.settings_files.wrong_setting import wrong_setting
from trapline.app.settings_tables import (
    BudgetTable,
    DiscoveryTable,
    FetchersTable,
    MannersTable,
    OutputTable,
    RefreshTable,
    ScopeTable,
    Table,
    TopicTable,
    read_topic,
)
from trapline.core.errors import SettingsUnreadable
from trapline.core.urls import canonical

WATCHED_VERSIONS: Final = 20  # texts that are kept of a page on a list


class Settings(Table):
    topic: Annotated[TopicTable, BeforeValidator(read_topic)] = TopicTable()
    seeds: list[str] = Field(default_factory=list)
    budget: BudgetTable = BudgetTable()
    discovery: DiscoveryTable = DiscoveryTable()
    refresh: RefreshTable = RefreshTable()
    scope: ScopeTable = ScopeTable()
    manners: MannersTable = MannersTable()
    access: Annotated[dict[str, AccessTable], BeforeValidator(read_origins)] = Field(
        default_factory=dict
    )
    fetchers: FetchersTable = FetchersTable()
    output: OutputTable = OutputTable()
    watch: WatchTable = WatchTable()
    extract: list[ExtractTable] = Field(default_factory=list)

    def canonical_seeds(self) -> list[str]:
        """Where to start: the seeds, and the examples that are pages."""
        examples = [url for url, _ in self.topic.pages()]
        return list(dict.fromkeys([*map(canonical, self.seeds), *examples]))

    def earlier_versions(self) -> int:
        """How many texts of a page are kept beside the one that is held."""
        usual = 1 if self.discovery.follow else WATCHED_VERSIONS
        return (self.output.versions or usual) - 1

    def proxy(self) -> str:
        """For all hosts that have none of their own."""
        table = self.access.get(EVERY_HOST)
        return table.proxy.get_secret_value() if table else ""

    def without_secrets(self) -> dict[str, object]:
        """All that may be written down. The URL of a webhook often is a secret, too."""
        values = self.model_dump(exclude={"access", "output"})
        # a list may have many thousands, and few have rules
        pages = [page.model_dump(exclude_defaults=True) for page in self.watch.pages]
        values["watch"]["pages"] = pages
        return values


def settings_from(source: str, values: dict[str, object]) -> Settings:
    """Settings from a table of values; the first thing wrong is named in one line."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        problem = wrong_setting(error.errors(), Settings)
        raise SettingsUnreadable(source, problem) from None


def read_settings(path: Path) -> Settings:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsUnreadable(str(path), "there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsUnreadable(str(path), str(error)) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsUnreadable(str(path), _say_broken(str(error))) from None
    settings = settings_from(str(path), _with_located_outputs(values, path.parent))
    return _with_located_examples(settings, path.parent)


def _say_broken(problem: str) -> str:
    """
    >>> _say_broken("Expected '=' after a key in a key/value pair (at line 3, column 5)")
    'line 3, column 5: this is not TOML'
    """
    place = re.search(r"\(at (line \d+, column \d+)\)", problem)
    return f"{place[1] if place else 'its end'}: this is not TOML"


def _with_located_examples(settings: Settings, folder: Path) -> Settings:
    """Files are named as they are seen from the settings file, wherever the command runs."""
    topic = settings.topic
    if topic == TopicTable():
        return settings
    located = {
        "examples": [locate_example(text, folder) for text in topic.examples],
        "against": [locate_example(text, folder) for text in topic.against],
    }
    return settings.model_copy(update={"topic": topic.model_copy(update=located)})


def _with_located_outputs(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same values; files to which changes are told get their whole names."""
    output = values.get("output")
    if not isinstance(output, dict) or not isinstance(output.get("changes"), list):
        return values
    targets = [
        str((folder / target).absolute()) if _is_file(target) else target
        for target in output["changes"]
    ]
    return {**values, "output": {**output, "changes": targets}}


def _is_file(target: object) -> bool:
    return isinstance(target, str) and "://" not in target and target != FEED
