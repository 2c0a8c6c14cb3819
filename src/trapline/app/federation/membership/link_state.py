"""How it goes with a directory that was joined, for people."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class LinkState(StrEnum):
    JOINED = "joined"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Link:
    url: str
    state: LinkState = LinkState.WAITING
    reason: str = "not asked yet"  # "" = all is well
