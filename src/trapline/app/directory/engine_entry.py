"""What a directory knows of one engine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from trapline.oasis.description import Packed
from trapline.oasis.signed_description import SignedDescription
from trapline.oasis.statements import SignedStatement


class State(StrEnum):
    ALIVE = "alive"
    SILENT = "silent"  # its last renewal has expired
    LEFT = "left"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class EngineEntry:
    """Without its statistics and sample: these are large."""

    number: int  # grows in the order in which engines came
    statement: SignedStatement
    description: SignedDescription | None  # None = it was never verified
    state: State
    reason: str  # why it is in this state; "" for alive ones
    since_s: float  # in this state
    seen_s: float  # the last statement, by the directory's clock
    findings: tuple[str, ...] = ()
    terms_digest: str = ""  # of the statistics that are held; "" = none
    sample_digest: str = ""

    @property
    def key(self) -> str:
        return self.statement.statement.key

    @property
    def parts_missing(self) -> bool:
        """Whether the description names statistics or a sample that are not held."""
        if self.description is None:
            return False
        found = self.description.description
        wanted = (digest_of(found.terms), digest_of(found.sample))
        return wanted != (self.terms_digest, self.sample_digest)


def digest_of(part: Packed | None) -> str:
    return part.digest if part is not None else ""
