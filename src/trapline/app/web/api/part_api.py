"""What the server of a part says to the front that asks all parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from fastapi import FastAPI, Request
from pydantic import TypeAdapter, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from trapline.app.parts.part_words import (
    COUNTED,
    FACTS,
    HITS,
    RANKING,
    SPELLINGS,
    WORDS,
    Counted,
    HitsWanted,
    PartFacts,
    RankingWanted,
    SpellingsWanted,
    counted_json,
    facts_json,
    hits_json,
    hits_wanted_json,
    question_json,
    ranking_json,
    ranking_wanted_json,
    spellings_json,
    spellings_wanted_json,
    words_json,
)
from trapline.app.parts.served_part import ServedPart
from trapline.app.web.pages.engine_light import engine_of
from trapline.app.web.pages.search.search_hints import hints_of, sample_names
from trapline.app.web.recent import Recent
from trapline.app.web.served_folder import ServedFolder
from trapline.search.hits import Hit
from trapline.search.parts.part_search import PartRanking, PartWords
from trapline.search.questions import Question
from trapline.search.ranking.spelling import Offer

_HINTS_S: Final = 60.0  # as long are they kept
Wanted = TypeVar("Wanted")
Found = TypeVar("Found")
_Endpoint = Callable[[Request], Awaitable[Response]]


class PartApi:
    """These addresses are for fronts; people and programs ask the others, which a part has, too."""

    def __init__(self, served: ServedFolder, part: ServedPart) -> None:
        self._served = served
        self._part = part
        self._search = part.search
        store = served.store
        self._hints = Recent(lambda: hints_of(sample_names(store)), _HINTS_S)

    def add_to(self, app: FastAPI) -> None:
        app.get(FACTS, include_in_schema=False)(self.facts)
        said: dict[str, _Endpoint] = {
            WORDS: _endpoint(question_json, self.words, words_json),
            SPELLINGS: _endpoint(spellings_wanted_json, self.spellings, spellings_json),
            RANKING: _endpoint(ranking_wanted_json, self.ranking, ranking_json),
            HITS: _endpoint(hits_wanted_json, self.hits, hits_json),
            COUNTED: _endpoint(counted_json, self.count, TypeAdapter(None)),
        }
        for path, endpoint in said.items():
            app.router.add_route(path, endpoint, methods=["POST"])

    def facts(self) -> Response:
        engine = engine_of(self._served.folder, self._served.store)
        facts = PartFacts(
            str(self._part.part),
            engine.name,
            engine.held,
            engine.known,
            engine.fringe,
            engine.at_work,
            tuple((hint.query, hint.meaning) for hint in self._hints.get()),
        )
        return _answer(facts_json.dump_json(facts))

    def words(self, question: Question) -> PartWords:
        return self._search.words(question)

    def spellings(self, wanted: SpellingsWanted) -> dict[str, Offer]:
        return self._search.spellings(wanted.words, wanted.least)

    def ranking(self, wanted: RankingWanted) -> PartRanking:
        return self._search.rank(wanted.question, wanted.depth)

    def hits(self, wanted: HitsWanted) -> list[Hit]:
        return self._search.show(wanted.question, wanted.rows)

    def count(self, counted: Counted) -> None:
        demand = self._served.demand
        if counted.query:
            demand.note_asked(counted.query, found=counted.found)
        demand.note_shown(counted.pages)


def _endpoint(
    wanted: TypeAdapter[Wanted],
    work: Callable[[Wanted], Found],
    found: TypeAdapter[Found],
) -> _Endpoint:
    """Work in a thread on what was sent. Searches are short and many: nothing is done twice."""

    def run(said: Any) -> bytes:
        return found.dump_json(work(said))

    async def endpoint(request: Request) -> Response:
        try:
            said = wanted.validate_json(await request.body())
        except ValidationError:
            raise HTTPException(
                422, "only the front of this version asks here"
            ) from None
        return _answer(await run_in_threadpool(run, said))

    return endpoint


def _answer(text: bytes) -> Response:
    return Response(
        text,
        200,
        {"Cache-Control": "no-store"},
        "application/json",
    )
