"""How fast a directory forgets, and how much it takes in; tests hand in their own."""

from __future__ import annotations

from dataclasses import dataclass

from trapline.app.federation.engine_parts import DESCRIPTION_S, PART_S


@dataclass(frozen=True, slots=True)
class Pace:
    renew_s: float = 30.0  # engines are asked to renew so often
    expires_s: float = 120.0  # after the last renewal an engine is silent
    sweep_s: float = 2.0  # between looks for silent ones
    gossip_s: float = 30.0  # between pulls from another directory
    table_s: float = 5.0  # at least, between two sums
    forget_s: float = 30 * 86_400.0  # silent or left for so long


@dataclass(frozen=True, slots=True)
class Bounds:
    engines: int = 10_000
    of_a_site: int = 256  # of a registered domain, or of an address
    refused: int = 1_000  # kept to be shown
    packed_bytes: int = 4_000_000_000  # of all statistics and samples
    calls: int = 32  # under way to engines
    description_s: float = DESCRIPTION_S  # for a call-back
    part_s: float = PART_S  # for statistics or a sample
