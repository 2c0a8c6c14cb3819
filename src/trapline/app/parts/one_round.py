"""Asking several parts at once, one round after another, and keeping the book on who answered."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from pydantic import TypeAdapter

from trapline.app.parts.asked_part import (
    AskedPart,
    PartLeftAlone,
    PartSilent,
    Wanted,
)
from trapline.app.parts.parts_answer import PartReport, PartState

T = TypeVar("T")


class Rounds:
    """Of one question. Whoever was silent once is not asked again."""

    def __init__(
        self,
        parts: Iterable[AskedPart],
        within_s: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._parts = {part.part.number: part for part in parts}
        self._within_s = within_s
        self._clock = clock
        self._began_s = clock()
        self._silent: dict[int, PartSilent] = {}
        self._ms = dict.fromkeys(self._parts, 0.0)

    @property
    def whole(self) -> bool:
        """Whether everybody answered so far."""
        return not self._silent

    async def ask(
        self,
        path: str,
        body: bytes | Mapping[int, bytes],
        kind: TypeAdapter[T],
        share: float,
    ) -> dict[int, T]:
        """The answers of those who answer, by number of the part.

        Each is sent the same, or what is for it; who gets nothing is not asked. The round ends at
        its `share` of the time for the question.
        """
        if isinstance(body, bytes):
            body = dict.fromkeys(self._parts, body)
        left_s = self._began_s + share * self._within_s - self._clock()
        asked = [number for number in body if number not in self._silent]
        wanted = {n: Wanted(path, body[n], max(0.05, left_s)) for n in asked}
        found: dict[int, T] = {}
        work = [self._ask(n, wanted[n], kind, found) for n in asked]
        await asyncio.gather(*work)
        return found

    def reports(self) -> list[PartReport]:
        return [self._report(number) for number in sorted(self._parts)]

    async def _ask(
        self,
        number: int,
        wanted: Wanted,
        kind: TypeAdapter[T],
        found: dict[int, T],
    ) -> None:
        began_s = self._clock()
        try:
            found[number] = await self._parts[number].ask(wanted, kind)
        except PartSilent as silent:
            self._silent[number] = silent
        finally:
            self._ms[number] += 1000.0 * (self._clock() - began_s)

    def _report(self, number: int) -> PartReport:
        part = self._parts[number]
        silent = self._silent.get(number)
        state = PartState.ANSWERED
        if silent is not None:
            alone = isinstance(silent, PartLeftAlone)
            state = PartState.NOT_ASKED if alone else PartState.FAILED
        return PartReport(
            str(part.part),
            part.url,
            state,
            round(self._ms[number], 1),
            str(silent or ""),
        )
