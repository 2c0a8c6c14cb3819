"""What the live loop drives: controllers that decide, a fetcher, and what reads answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from trapline.core.links import Links
from trapline.core.ports import Fetcher
from trapline.core.records import Fetched, Observation, Request, Ticket
from trapline.robot.fetcher_controller import Event


class Controller(Protocol):
    """The request controller, or its journal."""

    def admit(self, links: Links, now_s: float) -> None: ...
    def issue(self, now_s: float, room: int) -> list[Ticket]: ...
    def land(self, ticket: Ticket, ended_s: float) -> None: ...
    def settle(self, observation: Observation, now_s: float) -> None: ...
    def expire(self, now_s: float) -> list[Ticket]: ...
    def locate(self, host: int, address: str | None, now_s: float) -> None: ...
    def hosts(self) -> int: ...
    def next_time(self) -> float: ...


class FetcherCount(Protocol):
    """How many fetchers may work: the fetcher controller."""

    def target(
        self, now_s: float, queue_length: int, active: int, event: Event
    ) -> int: ...


def _nothing_to_prepare(_: Fetched) -> None:
    return None


@dataclass(frozen=True, slots=True)
class LoopParts:
    """`prepare` is given each answer when it arrives, and may return what `digest` must wait for.

    `digest` reads an answer, keeps what is worth keeping, and returns what it taught.
    """

    controller: Controller
    fetchers: FetcherCount
    fetcher: Fetcher
    request: Callable[[Ticket], Request]
    digest: Callable[[Fetched, float], Observation]
    host_name: Callable[[int], str]
    prepare: Callable[[Fetched], asyncio.Future[Any] | None] = _nothing_to_prepare
