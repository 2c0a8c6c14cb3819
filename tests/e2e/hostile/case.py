"""One way to misbehave, and what must come of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.e2e.hostile.hostile_server import Greeting, Reply


@dataclass(frozen=True)
class Case:
    """What a host answers to /bad, and the (outcome, remark) of that visit; None = any, as long as
    it has a name.
    """

    name: str
    bad: Reply = b""
    comes_to: tuple[str, str] | None = None
    more: Mapping[str, Reply] = field(default_factory=dict)  # other paths
    greeting: Greeting | None = None
    tls: str = ""  # name of a certificate
    scheme: str = ""  # of the seeds, where it is not what the server speaks
    good: bool = True  # the well-behaved page of this host is held in the end
    # what becomes of robots.txt, where the case is about that
    robots: tuple[str, str] | None = None
    gap_s: float = 0.0  # of its host, where something must happen between two visits
