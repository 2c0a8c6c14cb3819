"""Weaving a linked web: who stands where, what it is about, how often it changes, and where its links lead.

Everything is drawn from one generator in one order, so that the same seed gives the same web.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.truth import Floats, Integers
from trapline.laboratory.worlds.vocabulary import OTHERS

Flags = NDArray[np.bool_]
Links = tuple[Integers, Integers]  # from, to

SUBJECTS: Final = 1 + len(OTHERS)
_IN_EXPONENT: Final = 2.1  # Broder et al. 2000: the tails of in- and out-degrees on the Web
_OUT_EXPONENT: Final = 2.7
_LEAST_LINKS: Final = 3  # an ordinary page has 3 to 500 links, about 7 on average,
_HUB_LINKS: Final = 30  # a hub 30 to 500, about 65
_MOST_LINKS: Final = 500
_PROMINENT: Final = 5.0  # front pages and hubs are linked to so many times as often as others
_QUICK: Final = 0.3  # front pages and hubs change at rates from the fastest 30 % of the (logarithmic) range
_NEWS_IN_FRONT: Final = 0.5  # chance that a new page is listed by its host's front page
_SHARES: Final = ("born_share", "dies_share", "topical_share", "hub_share", "at_home", "on_subject", "anchors", "drift")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The numbers of a linked web."""

    gap_s: float = 1.0  # every host asks for it
    latency_s: float = 0.0  # mean; 0 = answers at once
    change_every_s: tuple[float, float] = (10.0, 100_000.0)  # mean time between changes, log-uniform over pages
    life_s: float = 3600.0  # births and deaths fall into this time
    born_share: float = 0.1  # of the pages is born later
    dies_share: float = 0.05
    topical_share: float = 0.22
    hub_share: float = 0.03
    at_home: float = 0.7  # of a page's links stay on its host
    on_subject: float = 0.7  # of them keep to its subject
    seeds: int = 2  # the front pages of so many hosts, the largest first
    anchors: float = 1.0  # of the links have words, as far as links of the Web have; 0 = no words at all
    drift: float = 0.0  # how much a page's relevance moves as it changes: 0 = not at all … 1

    def __post_init__(self) -> None:
        for name in _SHARES:
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise BadNumber(name, getattr(self, name), "between 0 and 1")
        if not 0.0 < self.change_every_s[0] <= self.change_every_s[1]:
            raise BadNumber("change_every_s", self.change_every_s, "two positive numbers, the smaller one first")
        if not (self.life_s > 0.0 and self.seeds >= 1):
            raise BadNumber("life_s or seeds", (self.life_s, self.seeds), "positive")


class Draft(NamedTuple):
    """The pages before they are linked. Pages 0 … hosts−1 are the front pages; other numbers say nothing."""

    hosts: int
    host: NDArray[np.int32]
    subject: NDArray[np.int32]
    relevance: Floats
    hub: Flags
    born_s: Floats
    dies_s: Floats

    @property
    def prominent(self) -> Flags:
        return self.hub | (np.arange(len(self.host)) < self.hosts)

    @property
    def lasting(self) -> Flags:
        return (self.born_s < 0.0) & np.isinf(self.dies_s)


def new_draft(pages: int, hosts: int, shape: Shape, rng: np.random.Generator) -> Draft:
    host = _hosts(pages, hosts, rng)
    subject = _subjects(host, hosts, shape.topical_share, rng)
    ordinary = np.arange(pages) >= hosts
    hub = _some(ordinary & (subject > 0), shape.hub_share, rng)
    born_s, dies_s = _lives(ordinary & ~hub, shape, rng)
    return Draft(hosts, host, subject, _relevance(subject, hub, rng), hub, born_s, dies_s)


def _hosts(pages: int, hosts: int, rng: np.random.Generator) -> NDArray[np.int32]:
    """One front page each; the others fall to host h with chance ∝ 1/(h+1)."""
    share = 1.0 / np.arange(1, hosts + 1)
    others = rng.choice(hosts, pages - hosts, p=share / share.sum())
    return np.concatenate((np.arange(hosts), others)).astype(np.int32)


def _subjects(host: NDArray[np.int32], hosts: int, topical_share: float, rng: np.random.Generator) -> NDArray[np.int32]:
    """Hosts lean towards the topic or away from it, and have a favourite among the other subjects."""
    lean = rng.normal(0.0, 2.0, hosts)[host] + rng.logistic(size=len(host))
    favourite = rng.integers(1, SUBJECTS, hosts)[host]
    subject = np.where(rng.random(len(host)) < 0.6, favourite, rng.integers(1, SUBJECTS, len(host)))
    subject[np.argsort(-lean)[: round(topical_share * len(host))]] = 0
    return subject.astype(np.int32)


def _relevance(subject: NDArray[np.int32], hub: Flags, rng: np.random.Generator) -> Floats:
    pages = len(subject)
    passing = rng.random(pages) < 0.15  # pages on something else that mention the topic
    other = np.where(passing, rng.beta(2.0, 4.0, pages), rng.uniform(0.0, 0.03, pages))
    relevance = np.where(subject == 0, rng.beta(5.0, 2.0, pages), other)
    return np.where(hub, rng.uniform(0.0, 0.1, pages), relevance)


def _lives(mortal: Flags, shape: Shape, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Births and deaths; front pages and hubs stay."""
    born_s = np.full(len(mortal), -1.0)
    late = _some(mortal, shape.born_share, rng)
    born_s[late] = rng.uniform(0.0, shape.life_s, np.count_nonzero(late))
    dies_s = np.full(len(mortal), np.inf)
    dying = _some(mortal, shape.dies_share, rng)
    dies_s[dying] = rng.uniform(np.maximum(born_s[dying], 0.0), shape.life_s)
    return born_s, dies_s


def _some(candidates: Flags, share: float, rng: np.random.Generator) -> Flags:
    """As many candidates as make up this share of all pages, or all of them if they are fewer."""
    among = rng.permutation(np.flatnonzero(candidates))
    chosen = np.zeros(len(candidates), np.bool_)
    chosen[among[: round(share * len(candidates))]] = True
    return chosen


def rates(draft: Draft, shape: Shape, rng: np.random.Generator) -> Floats:
    shortest, longest = np.log(shape.change_every_s)
    place = rng.random(len(draft.host)) * np.where(draft.prominent, _QUICK, 1.0)
    rate: Floats = np.exp(-(shortest + (longest - shortest) * place))
    return rate


def woven_links(draft: Draft, shape: Shape, rng: np.random.Generator) -> tuple[Integers, NDArray[np.int32]]:
    """All links as Truth wants them: page by page, in order of the targets' births, each once, none to itself."""
    ranks = _ranks(draft, rng)
    guaranteed = (_trees(draft, ranks, rng), _invitations(draft, ranks, shape.seeds, rng))
    drawn = (_ordinary(draft, shape, rng), _listings(draft, rng), _news(draft, rng))
    source, target = (np.concatenate(ends) for ends in zip(*guaranteed, *drawn, strict=True))
    pages = len(draft.host)
    by_birth = np.argsort(draft.born_s, kind="stable")
    place = np.empty(pages, np.int64)
    place[by_birth] = np.arange(pages)
    distinct = np.unique((source * pages + place[target])[source != target])
    start = np.searchsorted(distinct, np.arange(pages + 1) * pages)
    return start.astype(np.int64), by_birth[distinct % pages].astype(np.int32)


class _Ranks(NamedTuple):
    """The pages of each host in a row: its front page, then those that last, then those that come or go."""

    order: Integers  # pages, host by host
    start: Integers  # where each host begins
    lasting: Integers  # how many of each host last; the front page does

    def lister(self, host: Integers, before: Integers, share: Floats) -> Integers:
        """The page that stands in this share of the first `before` places of a host."""
        return self.order[self.start[host] + (before * share).astype(np.int64)]


def _ranks(draft: Draft, rng: np.random.Generator) -> _Ranks:
    behind = np.arange(len(draft.host)) >= draft.hosts
    order = np.lexsort((rng.random(len(behind)), ~draft.lasting, behind, draft.host))
    size = np.bincount(draft.host, minlength=draft.hosts)
    lasting = np.bincount(draft.host[draft.lasting], minlength=draft.hosts)
    return _Ranks(order, np.cumsum(size) - size, lasting)


def _trees(draft: Draft, ranks: _Ranks, rng: np.random.Generator) -> Links:
    """A lister for each page: number k of a host is listed by number ⌊k·u²⌋, so that early ones list many (∝ k^−½)."""
    page, pages = ranks.order, len(draft.host)
    host = draft.host[page].astype(np.int64)
    before = np.minimum(np.arange(pages) - ranks.start[host], ranks.lasting[host])
    lister = ranks.lister(host, before, rng.random(pages) ** 2)
    in_front = (draft.born_s[page] >= 0.0) & (rng.random(pages) < _NEWS_IN_FRONT)
    return np.where(in_front, host, lister), page


def _invitations(draft: Draft, ranks: _Ranks, seeds: int, rng: np.random.Generator) -> Links:
    """Front pages that are no seeds are listed by a lasting page of some host before theirs."""
    guest = np.arange(min(seeds, draft.hosts), draft.hosts)
    inviting = (guest * rng.random(len(guest))).astype(np.int64)
    return ranks.lister(inviting, ranks.lasting[inviting], rng.random(len(guest))), guest


def _ordinary(draft: Draft, shape: Shape, rng: np.random.Generator) -> Links:
    """Links of pages that are no hubs, mostly to what is near and to what is popular."""
    source = _repeated(np.flatnonzero(~draft.hub), _LEAST_LINKS, rng)
    popular = rng.random(len(draft.host)) ** (-1.0 / (_IN_EXPONENT - 1.0)) * np.where(draft.prominent, _PROMINENT, 1.0)
    aim = _aim(draft, source, draft.relevance[source], shape.on_subject, rng)
    return source, _targets(draft, source, aim, shape.at_home, popular, rng=rng)


def _listings(draft: Draft, rng: np.random.Generator) -> Links:
    """Links of hubs: four in five to the topic, mostly elsewhere, popular or not."""
    source = _repeated(np.flatnonzero(draft.hub), _HUB_LINKS, rng)
    aim = _aim(draft, source, np.full(len(source), 0.8), 1.0, rng)
    return source, _targets(draft, source, aim, 0.3, np.ones(len(draft.host)), rng=rng)


def _news(draft: Draft, rng: np.random.Generator) -> Links:
    """Half of the pages on topic that are born later are listed by a hub, too."""
    hubs, news = np.flatnonzero(draft.hub), np.flatnonzero((draft.born_s >= 0.0) & (draft.subject == 0))
    told = news[rng.random(len(news)) < 0.5] if len(hubs) else news[:0]
    return hubs[rng.integers(0, max(len(hubs), 1), len(told))], told


def _repeated(pages: Integers, least: int, rng: np.random.Generator) -> Integers:
    """Each page as often as it has links: a power law from `least` on."""
    count = least * (1.0 - rng.random(len(pages))) ** (-1.0 / (_OUT_EXPONENT - 1.0))
    return np.repeat(pages, np.minimum(count, _MOST_LINKS).astype(np.int64))


def _aim(draft: Draft, source: Integers, pull: Floats, keep: float, rng: np.random.Generator) -> Integers:
    """The subject that each link is to lead to: the topic with chance `pull`, else the source's own; −1 = any."""
    chance = rng.random((2, len(source)))
    return np.where(chance[0] >= keep, -1, np.where(chance[1] < pull, 0, draft.subject[source]))


def _targets(
    draft: Draft, source: Integers, aim: Integers, home: float, weight: Floats, *, rng: np.random.Generator
) -> Integers:
    """Where each link leads, by weight among the pages that suit its aim, on its own host or anywhere.

    Pages not born yet get no such links: only their listers announce them, or every page would change at every birth.
    """
    weight, target = np.where(draft.born_s < 0.0, weight, 0.0), source.copy()
    at_home = rng.random(len(source)) < home
    host, own = draft.host.astype(np.int64) * SUBJECTS, draft.host[source].astype(np.int64) * SUBJECTS
    for near, alike in product((0, 1), (0, 1)):
        asked = np.flatnonzero((at_home == near) & ((aim >= 0) == alike))
        group, wanted = near * host + alike * draft.subject, near * own[asked] + alike * aim[asked]
        target[asked] = _picked(group, wanted, weight, source[asked], rng)
    return target


def _picked(group: Integers, wanted: Integers, weight: Floats, instead: Integers, rng: np.random.Generator) -> Integers:
    """A page of each wanted group, with chance ∝ weight; `instead` where the group is empty."""
    order = np.argsort(group, kind="stable")
    total = np.concatenate(([0.0], np.cumsum(weight[order])))
    low, high = (total[np.searchsorted(group[order], wanted, side)] for side in ("left", "right"))
    place = np.searchsorted(total, low + (high - low) * rng.random(len(wanted)), "right") - 1
    return np.where(high > low, order[np.minimum(place, len(order) - 1)], instead)
