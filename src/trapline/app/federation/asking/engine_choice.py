"""Whom a question is put to: as many engines as the forecast needs, or those that were named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from trapline.app.federation.asking.one_question import OneQuestion
from trapline.app.federation.known_engines import OWN, KnownEngine, Snapshot
from trapline.core.errors import UnknownName
from trapline.oasis.federation import Federation
from trapline.oasis.query_keys import QueryKeys
from trapline.oasis.selection.forecast import choose
from trapline.oasis.selection.selector import Floats

LIKELIER: Final = "others are likelier to know"


class Shares(Protocol):
    def shares(self, query: QueryKeys, federation: Federation) -> Floats: ...


class Wanted(Protocol):
    """How many: see BrokerOptions."""

    @property
    def enough(self) -> float: ...
    @property
    def most(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Choice:
    engines: tuple[KnownEngine, ...]
    spare: tuple[KnownEngine, ...] = ()  # the next in the forecast
    with_own: bool = True
    left_alone: tuple[tuple[KnownEngine, str], ...] = ()  # and why


def choose_engines(
    asking: OneQuestion, named: tuple[str, ...], forecast: Shares, wanted: Wanted
) -> Choice:
    snapshot = asking.snapshot
    if named:
        own = [name for name in named if name in (OWN, asking.own_name)]
        others = [name for name in named if name not in own]
        found = [engine for name in others for engine in _find(name, snapshot)]
        return Choice(tuple(dict.fromkeys(found)), with_own=bool(own))
    ranked = _rank(asking, forecast, wanted)
    enough, spare = ranked
    neighbours = tuple(snapshot.neighbours)
    return Choice((*enough, *neighbours), spare, left_alone=_rest(snapshot, enough))


def _rank(
    asking: OneQuestion, forecast: Shares, wanted: Wanted
) -> tuple[tuple[KnownEngine, ...], tuple[KnownEngine, ...]]:
    """Those that hold enough, and the next ones; the own collection is asked anyway."""
    snapshot = asking.snapshot
    federation = snapshot.federation
    keys = asking.passed.keys
    if not len(federation) or not keys.words:
        return (), ()
    shares = forecast.shares(keys, federation)
    own = snapshot.own_key in federation.engines
    chosen = choose(shares, wanted.enough, wanted.most + own)
    order = [federation.engines[place] for place in (-shares).argsort(kind="stable")]
    enough = {federation.engines[place] for place in chosen}
    ranked = [snapshot.engines[key] for key in order if key in snapshot.engines]
    return (
        tuple(engine for engine in ranked if engine.key in enough),
        tuple(engine for engine in ranked if engine.key not in enough),
    )


def _rest(
    snapshot: Snapshot, asked: tuple[KnownEngine, ...]
) -> tuple[tuple[KnownEngine, str], ...]:
    keys = {engine.key for engine in asked}
    return tuple(
        (engine, LIKELIER)
        for engine in snapshot.engines.values()
        if engine.key not in keys and not engine.is_neighbour
    )


def _find(name: str, snapshot: Snapshot) -> list[KnownEngine]:
    """By name or fingerprint; all that have the name. Raises UnknownName."""
    engines = snapshot.engines.values()
    found = [
        engine
        for engine in engines
        if name in (engine.fingerprint, engine.name, snapshot.shown_name(engine))
    ]
    if not found:
        known = [snapshot.shown_name(engine) for engine in engines]
        raise UnknownName("engine", name, [OWN, *known])
    return found
