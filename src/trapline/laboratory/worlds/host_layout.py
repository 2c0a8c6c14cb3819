"""How pages lie on hosts: the plan in which families of webs differ.

A host may be cut into *sections* (directories of an encyclopaedia, threads of a forum), each with a
*head*: the page through which the others of the section are found. Hosts are the first sections,
their front pages the first heads. Hosts may stand in *islands*, which ordinary links do not leave.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.truth import Floats, Integers

_TAKES_AFTER: Final = (
    # correlation of the lean of a section with that of the one it lies in, of a host with its
    # island
    0.8
)
# chance that a section has the favourite of the one it lies in
_SAME_FAVOURITE: Final = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """As it stands here: a web of hosts without sections or islands, few of them large."""

    crowding: float = 1.0  # host h has a share ∝ (h+1)^−crowding of the pages
    # how far hosts and sections lean towards the topic or away from it; pages differ by about 2
    lean: float = 2.0
    section_pages: int = 0  # about, on average; 0 = no sections
    # sections lie in sections, and deep; else all in their host's first
    nested: bool = False
    # of the pages are listed by the one before ("next"), the others by an early one
    chain: float = 0.0
    least_links: int = 3  # of an ordinary page; the average is more than twice that, 7
    hub_links: int = 30  # the same of a hub: 65 on average
    islands: int = 1

    def __post_init__(self) -> None:
        if not 0.0 <= self.chain <= 1.0:
            raise BadNumber("chain", self.chain, "between 0 and 1")
        if not (self.crowding >= 0.0 and self.lean >= 0.0):
            raise BadNumber(
                "crowding or lean", (self.crowding, self.lean), "at least 0"
            )
        if self.section_pages < 0:
            raise BadNumber("section_pages", self.section_pages, "at least 0")
        for name in ("least_links", "hub_links", "islands"):
            if getattr(self, name) < 1:
                raise BadNumber(name, getattr(self, name), "at least 1")


class Plan(NamedTuple):
    """Sections 0 … hosts−1 are the hosts' own: their first ones."""

    section: NDArray[np.int32]  # of each page
    head: Integers  # of each section: a page
    # of each section: the one it lies in; the hosts' own lie in themselves
    within: Integers
    island: Integers  # of each host


def new_plan(
    host: NDArray[np.int32], hosts: int, layout: Layout, rng: np.random.Generator
) -> Plan:
    island = (
        rng.integers(0, layout.islands, hosts)
        if layout.islands > 1
        else np.zeros(hosts, np.int64)
    )
    if layout.section_pages == 0:
        return Plan(host, np.arange(hosts), np.arange(hosts), island)
    part = _parts(host, hosts, layout.section_pages, rng)
    # Only parts that have pages become sections: the hosts' own first, then the others, host by
    # host.
    found, head, which = np.unique(
        np.where(part > 0, hosts + host * len(host) + part, host), True, True
    )
    owner = host[head]
    first = np.searchsorted(found, hosts + np.arange(hosts) * len(host))
    place = (
        np.arange(len(found)) - first[owner] + 1
    )  # among the other sections of its host, from 1 on; its own has none
    before = (place * (rng.random(len(found)) if layout.nested else 0.0)).astype(
        np.int64
    )
    within = np.where(before > 0, first[owner] + before - 1, owner)
    return Plan(which.astype(np.int32), head, within, island)


def _parts(
    host: NDArray[np.int32], hosts: int, section_pages: int, rng: np.random.Generator
) -> Integers:
    """The part of its host that each page lies in; early parts are larger, 0 (with the front page)
    is the largest.
    """
    parts = np.maximum(np.bincount(host, minlength=hosts) // section_pages, 1)
    part = (parts[host] * rng.random(len(host)) ** 2).astype(np.int64)
    part[:hosts] = 0
    return part


def draw_leans(plan: Plan, layout: Layout, rng: np.random.Generator) -> Floats:
    """How far each section leans towards the topic. What lies in something takes after it."""
    lean = rng.normal(0.0, layout.lean, len(plan.head))
    hosts = len(plan.island)
    own = np.sqrt(1.0 - _TAKES_AFTER**2)
    if layout.islands > 1:
        lean[:hosts] = (
            _TAKES_AFTER * rng.normal(0.0, layout.lean, layout.islands)[plan.island]
            + own * lean[:hosts]
        )
    for section in range(hosts, len(lean)):
        lean[section] = _TAKES_AFTER * lean[plan.within[section]] + own * lean[section]
    return lean


def draw_favourites(plan: Plan, subjects: int, rng: np.random.Generator) -> Integers:
    """The favourite of each section among the subjects that are not the topic."""
    favourite = rng.integers(1, subjects, len(plan.head))
    hosts = len(plan.island)
    if len(favourite) > hosts:
        same = rng.random(len(favourite)) < _SAME_FAVOURITE
        for section in range(hosts, len(favourite)):
            if same[section]:
                favourite[section] = favourite[plan.within[section]]
    return favourite
