"""What the live loop drives: controllers that decide, a fetcher, and what reads answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from trapline.core.links import Links
from trapline.core.ports import Fetcher
from trapline.core.records import Fetched, Kind, Observation, Request, Ticket
from trapline.policies.fetchers.fetcher_policy import Reserves
from trapline.robot.call_records import MoreLinks
from trapline.robot.fetcher_controller import Event


class Controller(Protocol):
    """The request controller, or its journal."""

    def admit(self, links: Links, now_s: float) -> None: ...
    def issue(
        self, now_s: float, room: int, reserves: Reserves | None = None
    ) -> list[Ticket]: ...
    @property
    def declined(self) -> bool: ...
    def loss_per_s(self, ticket: Ticket) -> float: ...
    def land(self, ticket: Ticket, ended_s: float) -> None: ...
    def settle(self, observation: Observation, now_s: float) -> object: ...
    def find(self, found: MoreLinks, now_s: float) -> object: ...
    def links_to_fetch(self, links: Links, now_s: float) -> Links: ...
    def meet_host(self, host: int, now_s: float) -> None: ...
    def call_on(self, host: int, kind: Kind, now_s: float) -> Ticket | None: ...
    def is_blocked(self, host: int) -> bool: ...
    def knows_rules(self, host: int, now_s: float) -> bool: ...
    def allows(self, host: int, url: str) -> bool: ...
    def expire(self, now_s: float) -> list[Ticket]: ...
    def locate(self, host: int, address: str | None, now_s: float) -> None: ...
    def hosts(self) -> int: ...
    def next_time(self) -> float: ...


class FetcherCount(Protocol):
    """How many fetchers may work: the fetcher controller."""

    def target(
        self, now_s: float, queue_length: int, active: int, event: Event
    ) -> int: ...


class VisitPrices(Protocol):
    """What visits must be worth, as the queue is: the fetcher controller, if its policy says so."""

    def reserves(self, queue_length: int, active: int) -> Reserves: ...
    def note_visit(self, ticket: Ticket, loss_per_s: float) -> None: ...


def _nothing_to_prepare(_: Fetched) -> None:
    return None


def _no_steps(_: Fetched) -> Iterator[None]:
    return iter(())


def _no_number(_: str) -> int:
    return -1


# (host, its address or None, when)
HeedPlace = Callable[[int, str | None, float], None]


def _always() -> bool:
    return True


def _nothing_to_hold(_: bool) -> None:
    pass


def _nothing_to_heed(_: int, __: str | None, ___: float) -> None:
    pass


@dataclass(frozen=True, slots=True)
class LoopParts:
    """`prepare` is given each answer when it arrives, and may return what `digest` must wait for.

    `meet_links` does the longest part of digesting an answer in steps, before `digest`, which reads
    the answer, keeps what is worth keeping, and returns what it taught.
    """

    controller: Controller
    fetchers: FetcherCount
    fetcher: Fetcher
    request: Callable[[Ticket], Request]
    digest: Callable[[Fetched, float], Observation]
    host_name: Callable[[int], str]
    prepare: Callable[[Fetched], asyncio.Future[Any] | None] = _nothing_to_prepare
    meet_links: Callable[[Fetched], Iterator[None]] = _no_steps
    host_number: Callable[[str], int] = _no_number  # of the host of a canonical URL
    # an answer is being settled in parts: nothing may be committed meanwhile
    hold: Callable[[bool], None] = _nothing_to_hold
    # a host was looked for, and found or not
    heed_place: HeedPlace = _nothing_to_heed
    # whether fetchers may set out now; who says no calls `look_again` when they may
    may_visit: Callable[[], bool] = _always
    # None = visits are made whatever they are worth
    visit_prices: VisitPrices | None = None
    # with nothing left to do it waits for what others send, instead of ending
    endless: bool = False
