"""How engines of other makes are asked, and how their answers are read: SearXNG, OpenSearch, and
Traplines that know of no federation. Their hits have ranks, no scores.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from typing import Final

from trapline.app.federation.asking.asked_engine import NotAsked, Passed, Speech
from trapline.app.federation.known_engines import KnownEngine
from trapline.core.errors import BadUrl
from trapline.oasis.merging.answer_reading import ReadAnswer, Reading, clean
from trapline.oasis.merging.engine_hits import EngineHit, Piece
from trapline.oasis.neighbours.foreign_answers import read_answer
from trapline.oasis.neighbours.opensearch_description import (
    AnswerType,
    UrlTemplate,
    searxng_template,
    trapline_template,
)

OPENSEARCH: Final = "opensearch"
_LONGEST_TEXT: Final = 1000


def write_template(template: UrlTemplate) -> str:
    return json.dumps(asdict(template))


def read_template(said: str) -> UrlTemplate:
    values = json.loads(said)
    return UrlTemplate(**{**values, "answer": AnswerType(values["answer"])})


def _searxng_url(engine: KnownEngine, passed: Passed) -> str:
    return _fill(searxng_template(engine.url), passed)


def _plain_url(engine: KnownEngine, passed: Passed) -> str:
    return _fill(trapline_template(engine.url), passed)


def _opensearch_url(engine: KnownEngine, passed: Passed) -> str:
    if not engine.asked_at:
        raise NotAsked("has not said yet how it is asked")
    return _fill(read_template(engine.asked_at), passed)


def _fill(template: UrlTemplate, passed: Passed) -> str:
    try:
        return template.fill(passed.question.text, count=passed.question.limit)
    except BadUrl:
        raise NotAsked("cannot be asked so long a query") from None


def _read(body: bytes, reading: Reading) -> ReadAnswer:
    found = []
    dropped: Counter[str] = Counter()
    for hit in read_answer(body)[: reading.most]:
        problem = reading.may_show(hit.url)
        if problem is not None:
            dropped[problem] += 1
            continue
        text = clean(hit.text, _LONGEST_TEXT)
        found.append(
            EngineHit(
                hit.url,
                clean(hit.title, 500),
                (Piece(text, False),),
                0.0,
            )
        )
    return ReadAnswer(tuple(found), len(found), dropped=dict(dropped))


SPEECHES: Final[dict[str, Speech]] = {
    "plain": (_plain_url, _read),
    "searxng": (_searxng_url, _read),
    OPENSEARCH: (_opensearch_url, _read),
}
