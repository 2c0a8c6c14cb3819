"""A federation of a few engines that answer without a network: whatever a test wants them to."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import numpy as np

from trapline.app.federation.asking.broker_answer import BrokerAnswer
from trapline.app.federation.asking.broker_options import BrokerOptions
from trapline.app.federation.asking.lessons_desk import LessonOptions, LessonsDesk
from trapline.app.federation.asking.own_collection import OwnCollection
from trapline.app.federation.broker import Broker, Wish
from trapline.app.federation.known_engines import KnownEngines
from trapline.core.errors import EngineUnreachable
from trapline.oasis.description import Description, Limits, Packed
from trapline.oasis.packing import pack_terms
from trapline.oasis.signed_description import SignedDescription
from trapline.oasis.terms import TermTable, term_key
from trapline.search.hits import Fragment, Hit
from trapline.search.questions import Answer, Question

Reply = Callable[[dict[str, str]], Awaitable[bytes]]
WORDS = ("moon", "orbit", "mars", "probe")


def hits(*names: str, title: str = "moon", score: float = 9.0) -> list[dict[str, Any]]:
    return [
        {
            "url": f"http://{name}.org/",
            "title": f"{title} {name}",
            "snippet": [[f"the moon of {name}", False]],
            "score": score - place,
        }
        for place, name in enumerate(names)
    ]


def says(*names: str, score: float = 9.0, **more: Any) -> Reply:
    async def reply(_: dict[str, str]) -> bytes:
        found = {"hits": hits(*names, score=score), "total": len(names), **more}
        return json.dumps({"statistics": "given", **found}).encode()

    return reply


def fails(reason: str = "hung up") -> Reply:
    async def reply(_: dict[str, str]) -> bytes:
        raise EngineUnreachable("http://x/", reason, reason)

    return reply


async def hangs(_: dict[str, str]) -> bytes:
    await asyncio.sleep(600.0)
    return b""


class FakeClient:
    """Answers by the host of the URL."""

    def __init__(self) -> None:
        self.replies: dict[str, Reply] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []

    async def get(self, url: str, most_bytes: int, within_s: float) -> bytes:
        parts = urlsplit(url)
        said = {name: values[0] for name, values in parse_qs(parts.query).items()}
        self.asked.append((parts.netloc, said))
        try:
            async with asyncio.timeout(within_s):
                return await self.replies[parts.netloc](said)
        except TimeoutError:
            reason = f"did not answer within {within_s:g} s"
            raise EngineUnreachable(url, "too slow", reason) from None

    def hosts(self) -> list[str]:
        return [host for host, _ in self.asked]


class FakeMemory:
    def __init__(self) -> None:
        self.noted: list[tuple[str, dict[str, Any]]] = []
        self.opened: list[tuple[str, str]] = []

    def note(self, query: str, **said: Any) -> None:
        self.noted.append((query, said))

    def note_opened(self, query: str, url: str) -> None:
        self.opened.append((query, url))


class Federation:
    """The broker of a folder, and engines `e0`, `e1` … that hold the same words."""

    def __init__(
        self,
        folder: Path,
        engines: int = 0,
        *,
        options: BrokerOptions | None = None,
        lessons: LessonOptions | None = None,
        per_second: float = 1000.0,
    ) -> None:
        self.known = KnownEngines(folder)
        self.client = FakeClient()
        self.own_answer: Callable[[Question], Awaitable[Answer]] = self.answer_own
        self.own_asked: list[Question] = []
        self.own_names: Sequence[str] = ("own",)
        for number in range(engines):
            self.add(f"e{number}", per_second)
        self.known.rebuild()
        desk = LessonsDesk(
            self.known, random.Random(1), lessons or LessonOptions(share=0.0)
        )
        own = OwnCollection("home", self._ask_own)
        self.desk = desk
        self.memory = FakeMemory()
        self.broker = Broker(
            own, self.known, self.client, desk, options, memory=self.memory
        )

    def add(self, name: str, per_second: float = 1000.0, pages: int = 100) -> str:
        table = terms_of(pages)
        packed = pack_terms(table)
        part = packed_part(packed)
        limits = Limits(100, per_second)
        url = f"http://{name}.example"
        key = f"key of {name}"
        description = Description(
            name, url, key, 1, 0.0, pages, limits=limits, terms=part
        )
        signed = SignedDescription(description, description.as_json())
        self.known.put(signed, "test")
        self.known.put_part(key, "terms", part, packed)
        self.client.replies[f"{name}.example"] = says(name)
        return key

    async def answer_own(self, question: Question) -> Answer:
        found = [
            Hit(n, f"http://{name}.org/", f"moon {name}", (Fragment("moon", True),), *s)
            for n, name in enumerate(self.own_names)
            for s in [(8.0 - n, 0.5, 0.0)]
        ]
        return Answer(found, len(found), 0.0, statistics="given")

    async def _ask_own(self, question: Question) -> Answer:
        self.own_asked.append(question)
        return await self.own_answer(question)

    def ask(
        self, text: str = "moon", wish: Wish | None = None, **wishes: Any
    ) -> list[BrokerAnswer]:
        """All answers, one after another."""
        return asyncio.run(self.ask_all(text, wish, **wishes))

    async def ask_all(
        self, text: str = "moon", wish: Wish | None = None, **wishes: Any
    ) -> list[BrokerAnswer]:
        question = Question(text, **wishes)
        found = [answer async for answer in self.broker.ask(question, wish)]
        # what is learnt, is learnt before the loop ends
        await asyncio.gather(*self.broker._background, *self.broker._notes)
        return found


def terms_of(pages: int) -> TermTable:
    keys = sorted(term_key("en", word) for word in WORDS)
    having = np.full(len(keys), max(1, pages // 10), np.uint32)
    ones = np.ones(len(keys), np.float32)
    return TermTable(pages, np.array(keys, np.uint64), having, ones, ones)


def packed_part(packed: bytes) -> Packed:
    import hashlib

    return Packed(1, len(packed), hashlib.sha256(packed).hexdigest(), len(WORDS))


def states(answer: BrokerAnswer) -> dict[str, str]:
    return {one.name: one.state.value for one in answer.engines}


def names(answer: BrokerAnswer) -> list[str]:
    return [hit.url[7:-5] for hit in answer.hits]
