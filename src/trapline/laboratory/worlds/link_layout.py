"""The links of a linked web: each page is listed by one that was there from the start and stays;
the rest is chance.
"""

from __future__ import annotations

from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.laboratory.worlds.page_layout import SUBJECTS, Draft, Shape
from trapline.laboratory.worlds.truth import Floats, Integers

Ends = tuple[Integers, Integers]  # from, to

# Broder et al. 2000: the tails of in- and out-degrees on the Web
_IN_EXPONENT: Final = 2.1
_OUT_EXPONENT: Final = 2.7
_MOST_LINKS: Final = 500
# front pages and hubs are linked to so many times as often as others
_PROMINENT: Final = 5.0
# chance that a new page is listed by the head of its section
_NEWS_IN_FRONT: Final = 0.5
# of the links that stay on a host with sections stay in theirs
_IN_SECTION: Final = 0.6


def weave_links(
    draft: Draft, shape: Shape, rng: np.random.Generator
) -> tuple[Integers, NDArray[np.int32]]:
    """All links as Truth wants them: by page, in order of the targets' births, each once."""
    ranks = _ranks(draft, rng)
    guaranteed = (
        _trees(draft, ranks, shape.layout.chain, rng),
        _doors(draft, ranks, rng),
        _invitations(draft, ranks, shape.seeds, rng),
    )
    drawn = (
        _ordinary_links(draft, shape, rng),
        _hub_links(draft, shape.layout.hub_links, rng),
        _news_links(draft, rng),
    )
    source, target = (
        np.concatenate(ends) for ends in zip(*guaranteed, *drawn, strict=True)
    )
    pages = len(draft.host)
    by_birth = np.argsort(draft.born_s, kind="stable")
    place = np.empty(pages, np.int64)
    place[by_birth] = np.arange(pages)
    every = np.sort((source * pages + place[target])[source != target])
    distinct = every[np.append(True, every[1:] != every[:-1])[: len(every)]]
    start = np.searchsorted(distinct, np.arange(pages + 1) * pages)
    return start.astype(np.int64), by_birth[distinct % pages].astype(np.int32)


class _Ranks(NamedTuple):
    """The pages of each section in a row: its head, then those that last, then those that come or
    go.
    """

    order: Integers  # pages, section by section
    start: Integers  # where each section begins
    lasting: Integers  # how many of each section last; the head does

    def lister_of(self, section: Integers, before: Integers, share: Floats) -> Integers:
        """The page that stands in this share of the first `before` places of a section."""
        return self.order[self.start[section] + (before * share).astype(np.int64)]


def _ranks(draft: Draft, rng: np.random.Generator) -> _Ranks:
    section = draft.plan.section
    sections = len(draft.plan.head)
    behind = np.ones(len(section), np.bool_)
    behind[draft.plan.head] = False
    order = np.lexsort((rng.random(len(behind)), ~draft.lasting, behind, section))
    size = np.bincount(section, minlength=sections)
    lasting = np.bincount(section[draft.lasting], minlength=sections)
    return _Ranks(order, np.cumsum(size) - size, lasting)


def _trees(draft: Draft, ranks: _Ranks, chain: float, rng: np.random.Generator) -> Ends:
    """A lister for each page: number k of a section is listed by number ⌊k·u²⌋, so that early ones
    list many (∝ k^−½), or, in chains, by the one before it.
    """
    page = ranks.order
    pages = len(draft.host)
    section = draft.plan.section[page].astype(np.int64)
    before = np.minimum(np.arange(pages) - ranks.start[section], ranks.lasting[section])
    lister = ranks.lister_of(section, before, rng.random(pages) ** 2)
    in_front = (draft.born_s[page] >= 0.0) & (rng.random(pages) < _NEWS_IN_FRONT)
    if chain > 0.0:
        last = ranks.lister_of(section, np.maximum(before - 1, 0), np.ones(pages))
        lister = np.where(rng.random(pages) < chain, last, lister)
    return np.where(in_front, draft.plan.head[section], lister), page


def _doors(draft: Draft, ranks: _Ranks, rng: np.random.Generator) -> Ends:
    """The head of a section is listed by a lasting page of the section in which it lies."""
    within = draft.plan.within[draft.hosts :]
    return ranks.lister_of(
        within, ranks.lasting[within], rng.random(len(within))
    ), draft.plan.head[draft.hosts :]


def _invitations(
    draft: Draft, ranks: _Ranks, seeds: int, rng: np.random.Generator
) -> Ends:
    """Front pages that are no seeds are listed by a lasting page of some host before theirs."""
    guest = np.arange(min(seeds, draft.hosts), draft.hosts)
    inviting = (guest * rng.random(len(guest))).astype(np.int64)
    return ranks.lister_of(
        inviting, ranks.lasting[inviting], rng.random(len(guest))
    ), guest


def _ordinary_links(draft: Draft, shape: Shape, rng: np.random.Generator) -> Ends:
    """Links of pages that are no hubs, mostly to what is near and to what is popular."""
    source = _repeat_by_links(np.flatnonzero(~draft.hub), shape.layout.least_links, rng)
    popular = rng.random(len(draft.host)) ** (-1.0 / (_IN_EXPONENT - 1.0)) * np.where(
        draft.prominent, _PROMINENT, 1.0
    )
    aim = _aim_links(draft, source, draft.relevance[source], shape.on_subject, rng)
    return source, _pick_targets(
        draft,
        source,
        aim,
        shape.at_home,
        popular,
        draft.plan.island[draft.host],
        rng=rng,
    )


def _hub_links(draft: Draft, least: int, rng: np.random.Generator) -> Ends:
    """Links of hubs: four in five to the topic, mostly elsewhere, popular or not."""
    source = _repeat_by_links(np.flatnonzero(draft.hub), least, rng)
    aim = _aim_links(draft, source, np.full(len(source), 0.8), 1.0, rng)
    anywhere = np.zeros(len(draft.host), np.int64)
    alike = np.ones(len(draft.host))
    return source, _pick_targets(draft, source, aim, 0.3, alike, anywhere, rng=rng)


def _news_links(draft: Draft, rng: np.random.Generator) -> Ends:
    """Half of the pages on topic that are born later are listed by a hub, too."""
    hubs = np.flatnonzero(draft.hub)
    news = np.flatnonzero((draft.born_s >= 0.0) & (draft.subject == 0))
    told = news[rng.random(len(news)) < 0.5] if len(hubs) else news[:0]
    return hubs[rng.integers(0, max(len(hubs), 1), len(told))], told


def _repeat_by_links(pages: Integers, least: int, rng: np.random.Generator) -> Integers:
    """Each page as often as it has links: a power law from `least` on."""
    count = least * (1.0 - rng.random(len(pages))) ** (-1.0 / (_OUT_EXPONENT - 1.0))
    return np.repeat(pages, np.minimum(count, _MOST_LINKS).astype(np.int64))


def _aim_links(
    draft: Draft, source: Integers, pull: Floats, keep: float, rng: np.random.Generator
) -> Integers:
    """The subject that each link is to lead to: the topic with chance `pull`, else the source's
    own; −1 = any.
    """
    chance = rng.random((2, len(source)))
    return np.where(
        chance[0] >= keep, -1, np.where(chance[1] < pull, 0, draft.subject[source])
    )


def _pick_targets(
    draft: Draft,
    source: Integers,
    aim: Integers,
    home: float,
    weight: Floats,
    far: Integers,
    *,
    rng: np.random.Generator,
) -> Integers:
    """Where each link leads, by weight among the pages that suit its aim: in its section, on its
    host, or `far`.

    Pages not born yet get no such links: only their listers announce them, or every page would
    change at every birth.
    """
    weight = np.where(draft.born_s < 0.0, weight, 0.0)
    target = source.copy()
    reach = (rng.random(len(source)) < home).astype(np.int64)
    if len(draft.plan.head) > draft.hosts:
        reach += reach * (rng.random(len(source)) < _IN_SECTION)
    places = [far, draft.host.astype(np.int64), draft.plan.section.astype(np.int64)]
    for near, alike in product(range(3), (0, 1)):
        asked = np.flatnonzero((reach == near) & ((aim >= 0) == alike))
        group = places[near] * SUBJECTS
        wanted = group[source[asked]] + alike * aim[asked]
        target[asked] = _pick_pages(
            group + alike * draft.subject, wanted, weight, source[asked], rng
        )
    return target


def _pick_pages(
    group: Integers,
    wanted: Integers,
    weight: Floats,
    instead: Integers,
    rng: np.random.Generator,
) -> Integers:
    """A page of each wanted group, with chance ∝ weight; `instead` where the group is empty."""
    order = np.argsort(group, kind="stable")
    total = np.concatenate(([0.0], np.cumsum(weight[order])))
    low, high = (
        total[np.searchsorted(group[order], wanted, side)] for side in ("left", "right")
    )
    place = (
        np.searchsorted(total, low + (high - low) * rng.random(len(wanted)), "right")
        - 1
    )
    return np.where(high > low, order[np.minimum(place, len(order) - 1)], instead)
