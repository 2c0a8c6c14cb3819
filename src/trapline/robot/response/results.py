"""What an answer came to, and how the controller and the store are told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from trapline.core.links import NO_LINKS, NO_SIGNALS, Links, LinkTexts, Signals
from trapline.core.records import (
    Failure,
    Fetched,
    Observation,
    Outcome,
    Page,
    Reception,
    Robots,
    Visit,
)
from trapline.robot.call_records import MoreLinks
from trapline.robot.response.elsewhere import NOBODY, Elsewhere

PART: Final = 500  # links that are numbered, or settled, in one step of the loop
_TROUBLE: Final = (
    Failure.TIMEOUT,
    Failure.CONNECTION,
    Failure.NO_SUCH_NAME,
    Failure.TLS,
    Failure.PROXY,
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What one answer came to, before it is told to anybody."""

    outcome: Outcome
    remark: str = ""
    changed: bool = False
    relevance: float = 0.0
    links: Links = field(default_factory=lambda: NO_LINKS, compare=False)
    texts: LinkTexts = ()
    page: Page | None = None
    seen: bool = False
    gone: bool = False
    original: int = -1
    robots: Robots | None = None
    signals: Signals = field(default_factory=lambda: NO_SIGNALS, compare=False)
    elsewhere: Elsewhere = field(default=NOBODY, compare=False)


@dataclass(frozen=True, slots=True)
class Processed:
    """One visit, ready for the controller (`observation`) and for the store (the rest)."""

    observation: Observation
    visit: Visit
    # a document that is new, changed, or carries new validators
    page: Page | None = None
    seen: bool = False  # the held document is still current
    gone: bool = False  # the held document, if any, must leave the collection
    # the page of which this one says that it is a copy; −1 = none
    original: int = -1
    robots: Robots | None = None
    texts: LinkTexts = ()  # what it calls other pages
    # links for other shards to follow
    elsewhere: Elsewhere = field(default=NOBODY, compare=False)


def results_of(fetched: Fetched, finding: Finding) -> Processed:
    """One finding for its two readers."""
    observation = Observation(
        fetched.ticket,
        finding.outcome,
        changed=finding.changed,
        relevance=finding.relevance,
        links=finding.links,
        # Only who refuses us may say when to come back.
        retry_after_s=fetched.retry_after_s
        if finding.outcome is Outcome.FAILED
        else 0.0,
        robots=finding.robots,
        reception=reception_of(fetched),
        signals=finding.signals,
        elsewhere=finding.elsewhere.links,
        remark=finding.remark,
        received=fetched.received,
    )
    return Processed(
        observation,
        _visit(fetched, finding),
        finding.page,
        finding.seen,
        finding.gone,
        finding.original,
        finding.robots,
        finding.texts,
        finding.elsewhere,
    )


def in_parts(observation: Observation) -> tuple[Observation, list[MoreLinks]]:
    """A visit that found more than can be settled at once, and the rest in parts."""
    links = observation.links
    signals = observation.signals
    if max(len(links), len(signals)) <= PART:
        return observation, []
    first = replace(observation, links=links[:PART], signals=signals[:PART])
    rest = [
        MoreLinks(
            observation.ticket.page,
            observation.relevance,
            links[at : at + PART],
            signals[at : at + PART],
        )
        for at in range(PART, max(len(links), len(signals)), PART)
    ]
    return first, rest


def reception_of(fetched: Fetched) -> Reception:
    """How the host took the visit, whatever its page said."""
    if fetched.status in (429, 503):
        return Reception.REFUSED
    if fetched.status >= 500 or fetched.failure in _TROUBLE:
        return Reception.TROUBLE
    return Reception.FINE


def _visit(fetched: Fetched, finding: Finding) -> Visit:
    ticket = fetched.ticket
    return Visit(
        number=ticket.number,
        page=ticket.page,
        host=ticket.host,
        kind=ticket.kind,
        issued_s=ticket.issued_s,
        ended_s=fetched.ended_s,
        price=ticket.price,
        outcome=finding.outcome,
        status=fetched.status,
        changed=finding.changed,
        relevance=finding.relevance,
        remark=finding.remark,
    )
