"""What is handed to whoever listens: other engines, checked, and the shared table."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from trapline.oasis.shared_table import SharedTable
from trapline.oasis.signed_description import SignedDescription


@dataclass(frozen=True, slots=True)
class HeardEngine:
    """An engine that answers at its URL with its key.

    Statistics and sample are as signed; None = the listener holds them already, or there are none.
    """

    description: SignedDescription
    source: str  # URL of the directory, or its own
    has_left: bool = False  # it has signed so
    is_silent: bool = False  # the directory says so; nobody has signed it
    findings: tuple[str, ...] = ()  # of the directory
    terms: bytes | None = None
    sample: bytes | None = None


class EngineListener(Protocol):
    """Called in the thread of the membership, one call at a time."""

    def holds(self, key: str, digest: str) -> bool:
        """Whether it has the statistics or the sample of an engine with this digest."""
        ...

    def hear_engine(self, engine: HeardEngine) -> None: ...

    def hear_table(self, source: str, table: SharedTable) -> None:
        """The table of a directory; of fixed peers, their sum, whose source is ""."""
        ...


class OwnEngine(Protocol):
    """The folder's engine as it is now; called in the thread of the membership."""

    def describe(self) -> SignedDescription: ...

    def terms(self) -> bytes | None:
        """Its packed statistics, as described."""
        ...


class LinkState(StrEnum):
    JOINED = "joined"
    WAITING = "waiting"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Link:
    """How it goes with one directory or peer, for people."""

    url: str
    kind: str  # directory, or peer
    state: LinkState = LinkState.WAITING
    reason: str = "not asked yet"
