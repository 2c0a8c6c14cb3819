"""Asking several parts at once: who is silent is left out, named, and left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from pydantic import TypeAdapter

from trapline.app.parts.asked_part import AskedPart
from trapline.app.parts.one_round import Rounds
from trapline.app.parts.parts_answer import PartState
from trapline.core.errors import EngineUnreachable
from trapline.net.engine_client import EngineAnswer, EngineRequest
from trapline.search.parts.index_part import IndexPart

NUMBER = TypeAdapter(int)


class Servers:
    """Parts that answer, each in its way."""

    def __init__(self, answers: dict[str, Callable[[], bytes]]) -> None:
        self._answers = answers
        self.asked: list[tuple[str, float]] = []

    async def post(
        self, url: str, body: bytes, most_bytes: int, within_s: float
    ) -> bytes:
        name = url.split("/")[2]
        self.asked.append((name, within_s))
        return self._answers[name]()

    async def get(self, url: str, most_bytes: int, within_s: float) -> bytes:
        return await self.post(url, b"", most_bytes, within_s)

    async def ask(self, request: EngineRequest) -> EngineAnswer:
        raise NotImplementedError

    def parts(self, clock: Callable[[], float]) -> list[AskedPart]:
        count = len(self._answers)
        return [
            AskedPart(IndexPart(number, count), f"http://{name}", self, clock)
            for number, name in enumerate(self._answers, 1)
        ]


def refuse() -> bytes:
    raise EngineUnreachable("http://b", "no connection", "refused the connection")


def test_who_fails_is_named_and_not_asked_again() -> None:
    servers = Servers({"a": lambda: b"1", "b": refuse, "c": lambda: b"no number"})
    now = [10.0]
    rounds = Rounds(servers.parts(lambda: now[0]), 2.0, lambda: now[0])
    assert asyncio.run(rounds.ask("/words", b"", NUMBER, 0.4)) == {1: 1}
    assert not rounds.whole
    now[0] = 11.0
    assert asyncio.run(rounds.ask("/hits", {1: b"", 2: b""}, NUMBER, 1.0)) == {1: 1}
    # each round has what is left until its share of the time is over
    assert servers.asked == [("a", 0.8), ("b", 0.8), ("c", 0.8), ("a", 1.0)]
    said = [(one.part, one.state, one.reason) for one in rounds.reports()]
    assert said == [
        ("1/3", PartState.ANSWERED, ""),
        ("2/3", PartState.FAILED, "refused the connection"),
        ("3/3", PartState.FAILED, "answered nonsense"),
    ]


def test_who_gets_nothing_is_not_asked() -> None:
    servers = Servers({"a": lambda: b"1", "b": lambda: b"2"})
    rounds = Rounds(servers.parts(lambda: 0.0), 2.0, lambda: 0.0)
    assert asyncio.run(rounds.ask("/hits", {2: b""}, NUMBER, 1.0)) == {2: 2}
    assert rounds.whole


def test_who_fails_again_and_again_is_left_alone_for_a_while() -> None:
    servers = Servers({"a": refuse})
    now = [0.0]
    parts = servers.parts(lambda: now[0])

    def state() -> PartState:
        rounds = Rounds(parts, 2.0, lambda: now[0])
        asyncio.run(rounds.ask("/words", b"", NUMBER, 0.4))
        return rounds.reports()[0].state

    assert [state() for _ in range(4)] == [PartState.FAILED] * 3 + [PartState.NOT_ASKED]
    now[0] = 60.0
    assert state() is PartState.FAILED
