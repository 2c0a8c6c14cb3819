"""Settings of an engine: one TOML file, checked whole before anything is done.

seeds = ["http://127.0.0.2:8000/"]

[topic]                     # or, before all tables, topic = "space"
words = "space"             # a sentence or keywords
examples = ["http://127.0.0.2:8000/moon.html", "notes/mars.txt"]    # pages, files as seen from here, or texts
against = []                # counter-examples, likewise

[budget]
visits = "5/s"              # or "600/min", "10000/h", "unlimited"
burst = 1.0                 # visits that may follow each other at once after a pause
discovery_share = 0.5       # of contested visits, where prices cannot decide

[discovery]
policy = "auto"             # one queue of prices for new and held pages: value and adaptive-whittle

[refresh]
policy = "auto"
options = { horizon_s = 2592000.0 }   # for how long a page that was found is worth holding

[manners]
contact = "me@lab.org"
gap_s = 1.0
own = { "127.0.0.2:8000" = 0.2 }    # hosts of your own: their gap, also below 1 s

[fetchers]
policy = "adaptive"         # how many are awake: adaptive, fixed, static, switching, average-reward, autoscale, …
most = 64                   # never more than these
queue_room = 16             # places in the response queue; a full queue pauses fetching, nothing is lost
options = { weight = 1.0 }  # of the policy
"""

from __future__ import annotations

import math
import re
import tomllib
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from trapline.app.examples import is_address, located
from trapline.core.errors import BadNumber, SettingsUnreadable
from trapline.core.urls import canonical

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
    if match is None or match[2] not in _SECONDS or not re.fullmatch(r"\d+\.?\d*|\.\d+", match[1]):
        raise BadNumber("the budget", repr(text), "like 5/s, 600/min, 10000/h or unlimited")
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
        said = [(text, True) for text in self.examples] + [(text, False) for text in self.against]
        return [(canonical(text), like) for text, like in said if is_address(text)]


def _read_topic(topic: object) -> object:
    return {"words": topic} if isinstance(topic, str) else topic


class BudgetTable(_Table):
    visits: Annotated[float, BeforeValidator(_read_budget)] = 5.0
    burst: Annotated[float, Field(ge=1.0)] = 1.0
    discovery_share: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5


class DiscoveryTable(_Table):
    policy: str = "auto"
    options: dict[str, float | str] = {}


class RefreshTable(_Table):
    policy: str = "auto"
    options: dict[str, float | str] = {}


class MannersTable(_Table):
    contact: str = ""
    gap_s: Annotated[float, Field(ge=1.0)] = 1.0
    own: dict[str, Annotated[float, Field(ge=0.0)]] = {}


class FetchersTable(_Table):
    policy: str = "adaptive"
    most: Annotated[int, Field(ge=1, le=1000)] = 64
    queue_room: Annotated[int, Field(ge=1, le=64)] = 16
    options: dict[str, float] = {}


class Settings(_Table):
    topic: Annotated[TopicTable, BeforeValidator(_read_topic)] = TopicTable()
    seeds: list[str] = []
    budget: BudgetTable = BudgetTable()
    discovery: DiscoveryTable = DiscoveryTable()
    refresh: RefreshTable = RefreshTable()
    manners: MannersTable = MannersTable()
    fetchers: FetchersTable = FetchersTable()

    def canonical_seeds(self) -> list[str]:
        """Where to start: the seeds, and the examples that are pages."""
        examples = [url for url, _ in self.topic.pages()]
        return list(dict.fromkeys([*map(canonical, self.seeds), *examples]))


def settings_from(source: str, values: dict[str, object]) -> Settings:
    """Settings from a table of values; the first thing wrong is named in one line."""
    try:
        return Settings.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SettingsUnreadable(source, f"{where}: {first['msg'].removeprefix('Value error, ')}") from None


def read_settings(path: Path) -> Settings:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsUnreadable(str(path), "there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsUnreadable(str(path), str(error)) from None
    except tomllib.TOMLDecodeError as error:
        raise SettingsUnreadable(str(path), f"it is not TOML ({error})") from None
    settings = settings_from(str(path), values)
    topic = settings.topic
    # A file is named as it is seen from the settings file, wherever the command runs.
    here = {
        "examples": [located(text, path.parent) for text in topic.examples],
        "against": [located(text, path.parent) for text in topic.against],
    }
    return settings.model_copy(update={"topic": topic.model_copy(update=here)}) if topic != TopicTable() else settings
