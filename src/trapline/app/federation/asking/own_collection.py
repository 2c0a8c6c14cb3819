"""The broker's own collection as one of the engines: asked first, and not doubted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields

from trapline.app.federation.asking.broker_answer import BrokerHit
from trapline.oasis.merging.engine_hits import EngineHit, EngineHits, Piece
from trapline.search.hits import Fragment, Hit
from trapline.search.questions import Answer, Question


@dataclass(frozen=True, slots=True)
class OwnCollection:
    name: str
    ask: Callable[[Question], Awaitable[Answer]]


def own_hits(key: str, answer: Answer) -> EngineHits:
    hits = [_engine_hit(hit) for hit in answer.hits]
    return EngineHits(key, hits, answer.total, comparable=True, is_own=True)


def shown_hit(hit: Hit, origins: tuple[str, ...], *, comparable: bool) -> BrokerHit:
    """A hit of the own collection, with all that is known of it."""
    values = {one.name: getattr(hit, one.name) for one in fields(Hit)}
    return BrokerHit(**values, origins=origins, comparable=comparable)


def strange_hit(
    hit: EngineHit, host: str, origins: tuple[str, ...], *, comparable: bool
) -> BrokerHit:
    """A hit of another engine."""
    return BrokerHit(
        -1,
        hit.url,
        hit.title,
        tuple(Fragment(*piece) for piece in hit.snippet),
        hit.score,
        hit.relevance,
        hit.fetched_s,
        hit.copies,
        tuple(Fragment(*piece) for piece in hit.marked_title),
        host,
        hit.language,
        hit.first_seen_s,
        hit.changed_s,
        origins=origins,
        comparable=comparable,
    )


def _engine_hit(hit: Hit) -> EngineHit:
    return EngineHit(
        hit.url,
        hit.title,
        tuple(Piece(*fragment) for fragment in hit.snippet),
        hit.score,
        hit.page,
        hit.language,
        changed_s=hit.changed_s,
    )
