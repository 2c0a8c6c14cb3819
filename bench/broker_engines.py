"""Engines for `bench/broker.py`: four in one process, each answering after a set time.

`python bench/broker_engines.py DELAY_MS HUNG QUERIES.json` prints names and URLs as a line of JSON.
The last HUNG of them never answer a question.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from aiohttp import web

from trapline.app.federation.key_file import make_key
from trapline.oasis.description import Description, Limits, Packed
from trapline.oasis.packing import pack_terms
from trapline.oasis.signed_description import sign_description
from trapline.oasis.terms import TermTable, term_key
from trapline.search.query_language import words_of
from trapline.search.tongues import ENGLISH

ENGINES = 4


def terms_of(queries: list[str]) -> bytes:
    stems = {stem for query in queries for stem in ENGLISH.stems(query)}
    keys = np.array(sorted({term_key("en", stem) for stem in stems}), np.uint64)
    ones = np.ones(len(keys), np.float32)
    having = np.full(len(keys), 50, np.uint32)
    return pack_terms(TermTable(10_000, keys, having, ones, ones))


class Engine:
    def __init__(self, number: int, delay_s: float, terms: bytes) -> None:
        self.name = f"engine{number}-{os.getpid()}"  # others may be remembered
        self.delay_s = delay_s  # inf = it hangs
        self.terms = terms
        self.key = make_key()
        self.url = ""
        self._chance = random.Random(number)

    def description(self) -> dict[str, Any]:
        digest = hashlib.sha256(self.terms).hexdigest()
        part = Packed(1, len(self.terms), digest, 1)
        found = Description(
            self.name,
            self.url,
            self.key.public,
            1,
            0.0,
            10_000,
            languages=(("en", 10_000),),
            limits=Limits(100, 1000.0),
            terms=part,
        )
        return sign_description(found, self.key.sign).as_json()

    async def engine(self, _: web.Request) -> web.Response:
        return web.json_response(self.description())

    async def packed(self, _: web.Request) -> web.Response:
        return web.Response(body=self.terms)

    async def search(self, request: web.Request) -> web.Response:
        began = time.perf_counter()
        words = words_of(request.query["q"])
        hits = [self._hit(words, place) for place in range(10)]
        said = {"hits": hits, "total": 10, "statistics": "given"}
        spent = time.perf_counter() - began
        await asyncio.sleep(min(3600.0, max(0.0, self.delay_s - spent)))
        return web.json_response(said)

    def _hit(self, words: list[str], place: int) -> dict[str, Any]:
        page = self._chance.randrange(10**6)
        text = f"{' '.join(words)} and page {page} says more of it " * 3
        return {
            "url": f"http://{self.name}.org/{page}",
            "title": f"{' '.join(words)} {page}",
            "snippet": [[text[:220], False]],
            "score": 12.0 - place,
            "language": "en",
        }


async def serve(delay_s: float, hung: int, queries: list[str]) -> None:
    terms = terms_of(queries)
    engines = []
    for number in range(ENGINES):
        late = number >= ENGINES - hung
        engine = Engine(number, float("inf") if late else delay_s, terms)
        app = web.Application()
        app.router.add_get("/engine", engine.engine)
        app.router.add_get("/engine/terms", engine.packed)
        app.router.add_get("/api/search", engine.search)
        runner = web.AppRunner(app)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        engine.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        engines.append(engine)
    print(json.dumps({one.name: one.url for one in engines}), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asked = json.loads(Path(sys.argv[3]).read_text())
    asyncio.run(serve(float(sys.argv[1]) / 1000.0, int(sys.argv[2]), asked))
