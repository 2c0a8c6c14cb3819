"""The pages of a linked web before they are linked: where each stands, what it is about, when it
lives and changes.

Everything, the links (link_layout.py) too, is drawn from one generator in one order: the same seed
gives the same web.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.host_layout import (
    Layout,
    Plan,
    draw_favourites,
    draw_leans,
    new_plan,
)
from trapline.laboratory.worlds.truth import Floats
from trapline.laboratory.worlds.vocabulary import OTHERS

Flags = NDArray[np.bool_]

SUBJECTS: Final = 1 + len(OTHERS)
# front pages and hubs change at rates from the fastest 30 % of the (logarithmic) range
_QUICK: Final = 0.3
_SHARES: Final = (
    "born_share",
    "dies_share",
    "topical_share",
    "hub_share",
    "at_home",
    "on_subject",
    "anchors",
    "drift",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The numbers of a linked web."""

    gap_s: float = 1.0  # every host asks for it
    latency_s: float = 0.0  # mean; 0 = answers at once
    # mean time between changes, log-uniform over pages
    change_every_s: tuple[float, float] = (10.0, 100_000.0)
    life_s: float = 3600.0  # births and deaths fall into this time
    born_share: float = 0.1  # of the pages is born later
    dies_share: float = 0.05
    topical_share: float = 0.22
    hub_share: float = 0.03
    at_home: float = 0.7  # of a page's links stay on its host
    on_subject: float = 0.7  # of them keep to its subject
    seeds: int = 2  # the front pages of so many hosts, the largest first
    # of the links have words, as far as links of the Web have; 0 = no words at all
    anchors: float = 1.0
    # how much a page's relevance moves as it changes: 0 = not at all … 1
    drift: float = 0.0
    layout: Layout = Layout()  # noqa: RUF009  it is frozen

    def __post_init__(self) -> None:
        for name in _SHARES:
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise BadNumber(name, getattr(self, name), "between 0 and 1")
        if not 0.0 < self.change_every_s[0] <= self.change_every_s[1]:
            raise BadNumber(
                "change_every_s",
                self.change_every_s,
                "two positive numbers, the smaller one first",
            )
        if not (self.life_s > 0.0 and self.seeds >= 1):
            raise BadNumber("life_s or seeds", (self.life_s, self.seeds), "positive")


class Draft(NamedTuple):
    """The pages before they are linked.

    Pages 0 … hosts−1 are the front pages; other numbers say nothing.
    """

    hosts: int
    host: NDArray[np.int32]
    subject: NDArray[np.int32]
    relevance: Floats
    hub: Flags
    born_s: Floats
    dies_s: Floats
    plan: Plan

    @property
    def prominent(self) -> Flags:
        return self.hub | (np.arange(len(self.host)) < self.hosts)

    @property
    def lasting(self) -> Flags:
        return (self.born_s < 0.0) & np.isinf(self.dies_s)


def new_draft(pages: int, hosts: int, shape: Shape, rng: np.random.Generator) -> Draft:
    host = _draw_hosts(pages, hosts, shape.layout.crowding, rng)
    plan = new_plan(host, hosts, shape.layout, rng)
    subject = _draw_subjects(plan, shape, rng)
    hub = _choose_share(
        (np.arange(pages) >= hosts) & (subject > 0), shape.hub_share, rng
    )
    mortal = ~hub
    mortal[plan.head] = False
    born_s, dies_s = _draw_lives(mortal, shape, rng)
    return Draft(
        hosts,
        host,
        subject,
        _draw_relevance(subject, hub, rng),
        hub,
        born_s,
        dies_s,
        plan,
    )


def _draw_hosts(
    pages: int, hosts: int, crowding: float, rng: np.random.Generator
) -> NDArray[np.int32]:
    """One front page each; the others fall to host h with chance ∝ (h+1)^−crowding."""
    share = 1.0 / np.arange(1, hosts + 1) ** crowding
    others = rng.choice(hosts, pages - hosts, p=share / share.sum())
    return np.concatenate((np.arange(hosts), others)).astype(np.int32)


def _draw_subjects(
    plan: Plan, shape: Shape, rng: np.random.Generator
) -> NDArray[np.int32]:
    """Sections lean towards the topic or away from it, and have a favourite among the other
    subjects.
    """
    section = plan.section
    pages = len(plan.section)
    lean = draw_leans(plan, shape.layout, rng)[section] + rng.logistic(size=pages)
    favourite = draw_favourites(plan, SUBJECTS, rng)[section]
    subject = np.where(
        rng.random(pages) < 0.6, favourite, rng.integers(1, SUBJECTS, pages)
    )
    subject[np.argsort(-lean)[: round(shape.topical_share * pages)]] = 0
    return subject.astype(np.int32)


def _draw_relevance(
    subject: NDArray[np.int32], hub: Flags, rng: np.random.Generator
) -> Floats:
    pages = len(subject)
    passing = rng.random(pages) < 0.15  # pages on something else that mention the topic
    other = np.where(passing, rng.beta(2.0, 4.0, pages), rng.uniform(0.0, 0.03, pages))
    relevance = np.where(subject == 0, rng.beta(5.0, 2.0, pages), other)
    return np.where(hub, rng.uniform(0.0, 0.1, pages), relevance)


def _draw_lives(
    mortal: Flags, shape: Shape, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Births and deaths; hubs and heads of sections stay."""
    born_s = np.full(len(mortal), -1.0)
    late = _choose_share(mortal, shape.born_share, rng)
    born_s[late] = rng.uniform(0.0, shape.life_s, np.count_nonzero(late))
    dies_s = np.full(len(mortal), np.inf)
    dying = _choose_share(mortal, shape.dies_share, rng)
    dies_s[dying] = rng.uniform(np.maximum(born_s[dying], 0.0), shape.life_s)
    return born_s, dies_s


def _choose_share(candidates: Flags, share: float, rng: np.random.Generator) -> Flags:
    """As many candidates as make up this share of all pages, or all of them if they are fewer."""
    among = rng.permutation(np.flatnonzero(candidates))
    chosen = np.zeros(len(candidates), np.bool_)
    chosen[among[: round(share * len(candidates))]] = True
    return chosen


def draw_rates(draft: Draft, shape: Shape, rng: np.random.Generator) -> Floats:
    shortest, longest = np.log(shape.change_every_s)
    place = rng.random(len(draft.host)) * np.where(draft.prominent, _QUICK, 1.0)
    rate: Floats = np.exp(-(shortest + (longest - shortest) * place))
    return rate
