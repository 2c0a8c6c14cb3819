"""Settings of an engine: one TOML file, checked whole before anything is done.

seeds = ["http://127.0.0.2:8000/"]

[topic]                     # or, before all tables, topic = "space"
words = "space"             # a sentence or keywords
# Examples are pages, files (relative to this file) or texts. Counter-examples likewise.
examples = ["http://127.0.0.2:8000/moon.html", "notes/mars.txt"]
against = []

[budget]
visits = "5/s"              # or "600/min", "10000/h", "unlimited"
burst = 1.0                 # visits that may follow each other at once after a pause
discovery_share = 0.5       # of contested visits, where prices cannot decide

[discovery]
policy = "auto"             # one queue of prices for new and held pages
follow = true               # false: only the seeds are visited (`trapline watch`)

[refresh]
policy = "auto"
options = { horizon_s = 2592000.0 }   # for how long a page that was found is worth holding

[scope]                     # what belongs to the crawl; what is left out is not bounded
hosts = [".lab.org", "127.0.0.2:*"]    # a leading dot: the domain and all below it
include = ["/docs/*"]       # patterns of path and query
exclude = ["*/print/*"]
languages = ["en"]
depth = 8                   # links from a seed
pages = 100000              # held at most

[manners]
contact = "me@lab.org"      # where owners of sites reach you: required for hosts off this machine
gap_s = 1.0
own = { "127.0.0.2:8000" = 0.2 }    # hosts of your own: their gap, also below 1 s
listed = ["wiki.intranet:80"]       # hosts that may be visited on private addresses

[access."wiki.intranet:80"]         # what only this host is sent; never logged, never stored
headers = { X-Team = "search" }
cookies = { session = "…" }
user = "robot"
password = "…"
proxy = "http://127.0.0.1:3128"     # under [access."*"]: for all hosts

[fetchers]
policy = "adaptive"         # how many are awake
most = 64                   # never more than these
queue_room = 16             # places in the response queue; a full queue pauses fetching
options = { weight = 1.0 }  # of the policy

[output]
warc = false                # record whole answers as WARC files in the engine's folder
changes = []                # where to report changes: files, webhook URLs, "feed"
"""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SecretStr,
    ValidationError,
)

from trapline.app.engine.topic_examples import is_address, locate_example
from trapline.app.output.outlets import FEED, check_target
from trapline.core.errors import BadNumber, SettingsUnreadable, UserMistake
from trapline.core.urls import canonical
from trapline.scope.scope import DEEPEST, UNLIMITED, Scope

EVERY_HOST: Final = "*"
_SECONDS = {"s": 1.0, "sec": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def visits_per_second(text: object) -> float:
    """Read a budget.

    >>> visits_per_second("5/s"), visits_per_second("600/min"), visits_per_second("unlimited")
    (5.0, 10.0, inf)
    """
    if isinstance(text, int | float) and not isinstance(text, bool) and text > 0:
        return float(text)
    if text == "unlimited":
        return math.inf
    match = re.fullmatch(r"\s*([0-9.]+)\s*/\s*([a-z]+)\s*", str(text))
    if (
        match is None
        or match[2] not in _SECONDS
        or not re.fullmatch(r"\d+\.?\d*|\.\d+", match[1])
    ):
        raise BadNumber(
            "the budget", repr(text), "like 5/s, 600/min, 10000/h or unlimited"
        )
    rate = float(match[1]) / _SECONDS[match[2]]
    if rate <= 0.0:
        raise BadNumber("the budget", repr(text), "more than nothing")
    return rate


def _read_budget(text: object) -> float:
    try:
        return visits_per_second(text)
    except BadNumber as mistake:
        raise ValueError(str(mistake)) from None


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TopicTable(_Table):
    words: str = ""
    examples: list[str] = []
    against: list[str] = []

    def pages(self) -> list[tuple[str, bool]]:
        """Examples (True) and counter-examples (False) that are pages, by their canonical URLs."""
        said = [(text, True) for text in self.examples] + [
            (text, False) for text in self.against
        ]
        return [(canonical(text), like) for text, like in said if is_address(text)]


def _read_topic(topic: object) -> object:
    return {"words": topic} if isinstance(topic, str) else topic


class BudgetTable(_Table):
    visits: Annotated[float, BeforeValidator(_read_budget)] = 5.0
    burst: Annotated[float, Field(ge=1.0)] = 1.0
    discovery_share: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5


class DiscoveryTable(_Table):
    policy: str = "auto"
    follow: bool = True
    options: dict[str, float | str] = {}


class RefreshTable(_Table):
    policy: str = "auto"
    options: dict[str, float | str] = {}


def _read_hosts(hosts: object) -> object:
    """name:port; a name alone means both of the Web's ports."""
    if not isinstance(hosts, dict):
        return hosts
    return {
        host: value for name, value in hosts.items() for host in _with_ports(str(name))
    }


def _read_host(name: str) -> str:
    name = name.strip().lower()
    if not name or re.search(r"[/\s]", name):
        raise ValueError(f"{name!r} is no host: write it like lab.org or lab.org:8000")
    return name


def _with_ports(name: str) -> list[str]:
    """
    >>> _with_ports("Lab.org"), _with_ports("lab.org:8000")
    (['lab.org:80', 'lab.org:443'], ['lab.org:8000'])
    """
    name = _read_host(name)
    return (
        [name]
        if name == EVERY_HOST or re.search(r":\d+$", name)
        else [f"{name}:80", f"{name}:443"]
    )


class ScopeTable(_Table):
    hosts: list[str] = []
    include: list[Annotated[str, Field(pattern=r"^[/*]")]] = []
    exclude: list[Annotated[str, Field(pattern=r"^[/*]")]] = []
    languages: list[Annotated[str, Field(pattern=r"^[a-zA-Z]{2}$")]] = []
    depth: Annotated[int, Field(ge=0, le=DEEPEST)] = DEEPEST
    pages: Annotated[int, Field(ge=1, le=UNLIMITED)] = UNLIMITED

    def scope(self) -> Scope:
        languages = tuple(word.lower() for word in self.languages)
        return Scope(
            tuple(self.hosts),
            tuple(self.include),
            tuple(self.exclude),
            languages,
            self.depth,
            self.pages,
        )


class MannersTable(_Table):
    contact: str = ""
    gap_s: Annotated[float, Field(ge=1.0)] = 1.0
    own: Annotated[
        dict[str, Annotated[float, Field(ge=0.0)]], BeforeValidator(_read_hosts)
    ] = {}
    listed: list[Annotated[str, AfterValidator(_read_host)]] = []

    def listed_hosts(self) -> frozenset[str]:
        return frozenset(
            host for name in self.listed for host in _with_ports(name)
        ) | frozenset(self.own)


class AccessTable(_Table):
    """Secrets: `Settings.told` leaves them out of everything that is written."""

    headers: dict[str, SecretStr] = {}
    cookies: dict[str, SecretStr] = {}
    user: str = ""
    password: SecretStr = SecretStr("")
    proxy: SecretStr = SecretStr("")


class FetchersTable(_Table):
    policy: str = "adaptive"
    most: Annotated[int, Field(ge=1, le=1000)] = 64
    queue_room: Annotated[int, Field(ge=1, le=64)] = 16
    options: dict[str, float] = {}


def _read_target(target: object) -> object:
    try:
        return check_target(target) if isinstance(target, str) else target
    except UserMistake as mistake:
        raise ValueError(str(mistake)) from None


class OutputTable(_Table):
    warc: bool = False
    changes: list[Annotated[str, BeforeValidator(_read_target)]] = []


class Settings(_Table):
    topic: Annotated[TopicTable, BeforeValidator(_read_topic)] = TopicTable()
    seeds: list[str] = []
    budget: BudgetTable = BudgetTable()
    discovery: DiscoveryTable = DiscoveryTable()
    refresh: RefreshTable = RefreshTable()
    scope: ScopeTable = ScopeTable()
    manners: MannersTable = MannersTable()
    access: Annotated[dict[str, AccessTable], BeforeValidator(_read_hosts)] = {}
    fetchers: FetchersTable = FetchersTable()
    output: OutputTable = OutputTable()

    def canonical_seeds(self) -> list[str]:
        """Where to start: the seeds, and the examples that are pages."""
        examples = [url for url, _ in self.topic.pages()]
        return list(dict.fromkeys([*map(canonical, self.seeds), *examples]))

    def proxy(self) -> str:
        """For all hosts that have none of their own."""
        table = self.access.get(EVERY_HOST)
        return table.proxy.get_secret_value() if table else ""

    def told(self) -> dict[str, object]:
        """All that may be written down: no secret is in it, as a webhook's URL often is."""
        return self.model_dump(exclude={"access", "output"})


def settings_from(source: str, values: dict[str, object]) -> Settings:
    """Settings from a table of values; the first thing wrong is named in one line."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        unknown = first["type"] == "extra_forbidden"
        problem = (
            "there is no such setting"
            if unknown
            else first["msg"].removeprefix("Value error, ")
        )
        raise SettingsUnreadable(source, f"{where}: {problem}") from None


def read_settings(path: Path) -> Settings:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsUnreadable(str(path), "there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsUnreadable(str(path), str(error)) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsUnreadable(str(path), f"it is not TOML ({error})") from None
    settings = settings_from(str(path), _outputs_located(values, path.parent))
    topic = settings.topic
    # A file is named as it is seen from the settings file, wherever the command runs.
    here = {
        "examples": [locate_example(text, path.parent) for text in topic.examples],
        "against": [locate_example(text, path.parent) for text in topic.against],
    }
    return (
        settings.model_copy(update={"topic": topic.model_copy(update=here)})
        if topic != TopicTable()
        else settings
    )


def _outputs_located(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same values; files to which changes are told get their whole names."""
    output = values.get("output")
    if not isinstance(output, dict) or not isinstance(output.get("changes"), list):
        return values
    told = [
        str((folder / to).absolute())
        if isinstance(to, str) and "://" not in to and to != FEED
        else to
        for to in output["changes"]
    ]
    return {**values, "output": {**output, "changes": told}}
