"""The tables of the settings file, one class each, with the checks of their values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Annotated, Final, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from trapline.app.engine.topic_examples import is_address
from trapline.app.output.outlets.outlet_targets import check_target
from trapline.core.errors import BadNumber, UserMistake
from trapline.core.spans import SECONDS
from trapline.core.urls import canonical
from trapline.politeness.listed_hosts import read_host, with_ports
from trapline.robot.visit_costs import UNIT, CostKind
from trapline.scope.scope import DEEPEST, UNLIMITED, Scope

_NUMBER: Final = r"\s*([0-9]+\.?[0-9]*|\.[0-9]+)\s*"
_RATE: Final = re.compile(_NUMBER + r"/\s*([a-z]+)\s*")
_BYTES: Final = re.compile(_NUMBER + r"([kMGT]?B|[KMGT]B)\s*/\s*([a-z]+)\s*")
_FETCHING: Final = re.compile(_NUMBER + r"s\s*/\s*[a-z]+\s*")
_SIZES: Final = {"b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12}
_USUAL_VISITS: Final = 5.0  # a second


def visits_per_second(text: object) -> float:
    """Read a budget.

    >>> visits_per_second("5/s"), visits_per_second("600/min"), visits_per_second("unlimited")
    (5.0, 10.0, inf)
    """
    if isinstance(text, int | float) and not isinstance(text, bool) and text > 0:
        return float(text)
    if text == "unlimited":
        return math.inf
    match = _RATE.fullmatch(str(text))
    if match is None or match[2] not in SECONDS:
        raise BadNumber(
            "the budget", repr(text), "like 5/s, 600/min, 10000/h or unlimited"
        )
    rate = float(match[1]) / SECONDS[match[2]]
    if rate <= 0.0:
        raise BadNumber("the budget", repr(text), "more than nothing")
    return rate


def bytes_per_second(text: object) -> float:
    """Read a budget of bytes as they come over the wire; 0 = there is none.

    >>> bytes_per_second("500kB/s"), bytes_per_second("1.2 GB/h"), bytes_per_second("unlimited")
    (500000.0, 333333.3333333333, inf)
    """
    if text == 0:
        return 0.0
    match = _BYTES.fullmatch(str(text))
    if match is None:
        return _rate_of(text, "like 500kB/s, 10MB/min, 2GB/h or unlimited")
    size = _SIZES[match[2].lower()]
    return size * _rate_of(f"{match[1]}/{match[3]}", "more than nothing")


def seconds_per_second(text: object) -> float:
    """Read a budget of fetching: so many seconds of visits a second; 0 = there is none.

    >>> seconds_per_second("2s/s"), seconds_per_second("90s/min"), seconds_per_second(3)
    (2.0, 1.5, 3.0)
    """
    if text == 0:
        return 0.0
    plain = re.sub(r"\s*s\s*/", "/", str(text)) if isinstance(text, str) else text
    return _rate_of(plain, "like 2s/s, 90s/min or unlimited")


def _rate_of(text: object, wanted: str) -> float:
    try:
        return visits_per_second(text)
    except BadNumber:
        raise BadNumber("the budget", repr(text), wanted) from None


def budget_words(text: str) -> dict[str, object]:
    """The table [budget] that a budget on the command line stands for; its unit says of what.

    >>> budget_words("600/min")
    {'cost': 'visits', 'visits': '600/min', 'bytes': 0, 'seconds': 0}
    >>> budget_words("500kB/s")["bytes"], budget_words("2s/s")["cost"]
    ('500kB/s', 'seconds')
    """
    kind = "visits"
    if _BYTES.fullmatch(text):
        kind = "bytes"
    elif _FETCHING.fullmatch(text):
        kind = "seconds"
    usual: dict[str, object] = {"visits": 5.0, "bytes": 0, "seconds": 0}
    return {"cost": kind, **usual, kind: text}


def _read_as(read: Callable[[object], float]) -> Callable[[object], float]:
    """Pydantic wants another error."""

    def read_budget(text: object) -> float:
        try:
            return read(text)
        except BadNumber as mistake:
            raise ValueError(str(mistake)) from None

    return read_budget


class Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_truth(cls, value: object, field: ValidationInfo) -> object:
        """true is no 1, though Python takes it for one."""
        kind = cls.model_fields[field.field_name or ""].annotation
        if isinstance(value, bool) and kind in (int, float):
            wanted = "a whole number" if kind is int else "a number"
            raise ValueError(f"it must be {wanted}, not {str(value).lower()}")
        return value


class TopicTable(Table):
    words: str = ""
    examples: list[str] = []
    against: list[str] = []

    def pages(self) -> list[tuple[str, bool]]:
        """Examples (True) and counter-examples (False) that are pages, by their canonical URLs."""
        likes = [(text, True) for text in self.examples]
        unlikes = [(text, False) for text in self.against]
        return [
            (canonical(text), like)
            for text, like in likes + unlikes
            if is_address(text)
        ]


def read_topic(topic: object) -> object:
    return {"words": topic} if isinstance(topic, str) else topic


class BudgetTable(Table):
    visits: Annotated[float, BeforeValidator(_read_as(visits_per_second))] = 5.0
    cost: CostKind = CostKind.VISITS
    bytes: Annotated[float, BeforeValidator(_read_as(bytes_per_second))] = 0.0
    seconds: Annotated[float, BeforeValidator(_read_as(seconds_per_second))] = 0.0
    burst: Annotated[float, Field(ge=1.0)] = 1.0
    discovery_share: Annotated[float, Field(ge=0.0, le=1.0)] = 0.5

    @model_validator(mode="after")
    def _names_one_budget(self) -> Self:
        for kind, example in ((CostKind.BYTES, "500kB/s"), (CostKind.SECONDS, "2s/s")):
            named = self.of(kind) > 0.0
            if kind is self.cost and not named:
                raise ValueError(
                    f'cost = "{kind}" needs a budget of them, like {kind} = "{example}"'
                )
            if named and kind is not self.cost:
                raise ValueError(f'{kind} is the budget where cost = "{kind}"')
        if self.cost is not CostKind.VISITS and self.visits != _USUAL_VISITS:
            raise ValueError(
                f'visits is the budget where cost = "visits": leave it out where '
                f'cost = "{self.cost}"'
            )
        return self

    def of(self, kind: CostKind) -> float:
        """The rate that is named for a kind of cost, as it is written."""
        return float(getattr(self, kind.value))

    @property
    def per_s(self) -> float:
        """Units of cost a second."""
        return self.of(self.cost) / UNIT[self.cost]


class DiscoveryTable(Table):
    policy: str = "auto"
    follow: bool = True
    options: dict[str, float | str] = {}


class RefreshTable(Table):
    policy: str = "auto"
    demand: Annotated[float, Field(ge=0.0, le=16.0)] = 1.0
    options: dict[str, float | str] = {}


def read_hosts(hosts: object) -> object:
    """name:port; a name alone means both of the Web's ports."""
    if not isinstance(hosts, dict):
        return hosts
    return {
        host: value for name, value in hosts.items() for host in with_ports(str(name))
    }


def _check_scope_host(pattern: str) -> str:
    """A URL would match no host, and so leave everything out."""
    if "/" not in pattern:
        return pattern
    host = re.split(r"[/?#]", pattern.partition("://")[2] or pattern)[0]
    example = f": {host}" if host else ", like lab.org"
    raise ValueError(f"{pattern!r} is no host; name the host alone{example}")


class ScopeTable(Table):
    hosts: list[Annotated[str, AfterValidator(_check_scope_host)]] = []
    include: list[Annotated[str, Field(pattern=r"^[/*]")]] = []
    exclude: list[Annotated[str, Field(pattern=r"^[/*]")]] = []
    languages: list[Annotated[str, Field(pattern=r"^[a-zA-Z]{2}$")]] = []
    depth: Annotated[int, Field(ge=0, le=DEEPEST)] = DEEPEST
    pages: Annotated[int, Field(ge=1, le=UNLIMITED)] = UNLIMITED

    def scope(self) -> Scope:
        return Scope(
            tuple(self.hosts),
            tuple(self.include),
            tuple(self.exclude),
            tuple(word.lower() for word in self.languages),
            self.depth,
            self.pages,
        )


class MannersTable(Table):
    contact: str = ""
    gap_s: Annotated[float, Field(ge=1.0)] = 1.0
    own: Annotated[
        dict[str, Annotated[float, Field(ge=0.0)]], BeforeValidator(read_hosts)
    ] = {}
    own_confirmed: bool = False
    listed: list[Annotated[str, AfterValidator(read_host)]] = []

    def named_hosts(self) -> frozenset[str]:
        """Hosts that the user names as reachable on private addresses, own ones among them."""
        private = (host for name in self.listed for host in with_ports(name))
        return frozenset(private) | frozenset(self.own)


class FetchersTable(Table):
    policy: str = "adaptive"
    most: Annotated[int, Field(ge=1, le=1000)] = 64
    queue_room: Annotated[int, Field(ge=1, le=64)] = 16
    options: dict[str, float] = {}


def _read_target(target: object) -> object:
    try:
        return check_target(target) if isinstance(target, str) else target
    except UserMistake as mistake:
        raise ValueError(str(mistake)) from None


class OutputTable(Table):
    warc: bool = False
    versions: Annotated[int, Field(ge=0, le=1000)] = 0
    changes: list[Annotated[str, BeforeValidator(_read_target)]] = []
