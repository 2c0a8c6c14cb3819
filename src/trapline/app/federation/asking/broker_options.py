"""How a broker asks: how long, how many, and whom it may show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from trapline.app.federation.asking.asked_engine import Speech
from trapline.oasis.selection.forecast import ENOUGH


@dataclass(frozen=True, slots=True)
class BrokerOptions:
    within_s: float = 2.0  # for each engine
    grace_s: float = 0.02  # until those are given up who are late
    enough: float = ENOUGH  # of the ten best, by the forecast
    most: int = 8  # engines asked by one question, neighbours not counted
    listed: frozenset[str] = frozenset()  # hosts that may lie at private addresses
    speeches: Mapping[str, Speech] = field(
        default_factory=dict
    )  # of neighbours, by kind
