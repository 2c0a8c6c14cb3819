"""A collection as a federation: topical engines, some pages held by two, and one central index.

Every engine has an index in memory, and describes itself by it as a served folder would: term
statistics, and a sample of its pages. Pages are sampled by a hash of their URL, so that engines
that hold the same pages sample the same ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
import xxhash

from trapline.core.records import Page
from trapline.core.urls import host_of
from trapline.laboratory.papers.oasis.topics import Holders, cut_by_topic
from trapline.laboratory.study.collections import furniture_by_host, read_collection
from trapline.laboratory.study.known_items import Called
from trapline.laboratory.study.report import Progress
from trapline.oasis.federation import Federation, Member
from trapline.oasis.packing import pack_within, unpack_terms
from trapline.oasis.sample import MOST_PAGES, Sample
from trapline.oasis.terms import TermTable
from trapline.search.furniture import Furniture
from trapline.search.index import FullTextIndex
from trapline.search.statistics.page_words import weigh_pages
from trapline.search.statistics.term_statistics import term_statistics

ENGINES: Final = 16
TWICE: Final = 0.3  # share of the pages that two engines hold
NEW_SINCE: Final = 0.05  # share of the pages that came since yesterday
MOST_BYTES: Final = 1_000_000  # of packed statistics


@dataclass(frozen=True, slots=True)
class FederatedCollection:
    pages: list[Called]
    holders: Holders  # for each page, by its place in `pages`
    central: FullTextIndex
    engines: list[FullTextIndex]
    members: list[Member]  # as the engines describe themselves
    tongues: tuple[str, ...]

    @property
    def federation(self) -> Federation:
        return Federation.of(self.members)

    def held_by(self, engine: int) -> list[Page]:
        return [
            called.page
            for called, held in zip(
                self.pages,
                self.holders,
                strict=True,
            )
            if engine in held
        ]


def read_searchable(
    data: Path | None,
    world: int,
    most: int,
) -> list[Called]:
    """Pages that are no copies: evenly over the collection, if there are more than `most`."""
    found = read_collection(
        data,
        world,
        most=10**9,
    )
    pages = [called for called in found if called.page.searchable]
    return pages[:: max(1, -(-len(pages) // most))]


def federate(
    pages: Sequence[Called], engines: int, seed: int, progress: Progress
) -> FederatedCollection:
    called = [Called(one.page, one.names) for one in pages]
    holders = cut_by_topic(
        [one.page for one in called],
        engines,
        TWICE,
        seed,
    )
    furniture = furniture_by_host(called)
    progress(0.05, "cut by topic")
    central = _index(called, furniture)
    progress(0.2, "central index")
    indexes = []
    members = []
    for engine in range(engines):
        own = [
            c
            for c, held in zip(
                called,
                holders,
                strict=True,
            )
            if engine in held
        ]
        index = _index(own, furniture)
        indexes.append(index)
        stripped = [_strip(one.page, furniture) for one in own]
        members.append(
            describe(
                str(engine),
                index,
                stripped,
            )
        )
        progress(0.2 + 0.8 * (engine + 1) / engines, f"engine {engine + 1}")
    tongues = tuple(tongue.code for tongue in central.view().tongues())
    return FederatedCollection(
        called,
        holders,
        central,
        indexes,
        members,
        tongues,
    )


def describe(
    name: str,
    index: FullTextIndex,
    pages: Sequence[Page],
) -> Member:
    """Packed and unpacked: with the precision and the limits that travel."""
    sampled = sample_of(pages, MOST_PAGES)
    rows = term_statistics(index.view(), [page.page for page in sampled])
    table = TermTable.of_rows(len(pages), rows)
    packed, _ = pack_within(table, MOST_BYTES)
    return Member(
        name,
        unpack_terms(packed),
        Sample.of_pages(weigh_pages(sampled)),
    )


def sample_of(pages: Sequence[Page], most: int) -> list[Page]:
    return sorted(pages, key=lambda page: xxhash.xxh3_64_digest(page.url.encode()))[
        :most
    ]


def shrink(
    member: Member,
    most_bytes: int,
    sampled: int,
) -> Member:
    """The same engine, described in fewer words."""
    packed, _ = pack_within(member.terms, most_bytes)
    sample = member.sample
    count = min(sampled, len(sample))
    end = int(sample.starts[count])
    cut = Sample(
        sample.starts[: count + 1],
        sample.keys[:end],
        sample.weights[:end],
        sample.in_title[:end],
    )
    return replace(
        member,
        terms=unpack_terms(packed),
        sample=cut,
    )


def _strip(page: Page, furniture: dict[str, Furniture]) -> Page:
    """As the index has it: without what the host repeats."""
    own = furniture[host_of(page.url)]
    return replace(
        page, title=own.strip_title(page.title), text=own.strip_text(page.text)
    )


def _index(pages: Sequence[Called], furniture: dict[str, Furniture]) -> FullTextIndex:
    index = FullTextIndex(None)
    for page, names in pages:
        index.put(
            page,
            names,
            furniture[host_of(page.url)],
        )
    index.commit()
    index.close()
    return index


def describe_yesterday(collection: FederatedCollection, seed: int) -> list[Member]:
    """As the engines described themselves when one page in twenty was not there yet."""
    rng = np.random.default_rng(seed)
    known = rng.random(len(collection.pages)) >= NEW_SINCE
    furniture = furniture_by_host(collection.pages)
    members = []
    for engine, member in enumerate(collection.members):
        own = [
            called
            for called, held, was in zip(
                collection.pages, collection.holders, known, strict=True
            )
            if was and engine in held
        ]
        stripped = [_strip(called.page, furniture) for called in own]
        members.append(
            describe(
                member.key,
                _index(own, furniture),
                stripped,
            )
        )
    return members
