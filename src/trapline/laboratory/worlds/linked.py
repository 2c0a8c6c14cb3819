"""A topical web, drawn from a seed: hosts, subjects, relevance, links, changes, births and deaths.

The setting of O'Meara & Patel, with the parts that their test bed lacked (modifications and
deletions):

- few hosts are large, few pages have many links in or out (power laws, exponents as measured on the
  Web);
- a page links mostly to its own host and its own subject, and to the topic the more relevant it is
  itself;
- a minority is on topic (subject 0, relevance high); most of the rest has a relevance near 0, some
  is in between;
- *hubs* have little relevance of their own, but list many pages that are on topic;
- a page that is born later is listed from then on by a page of its host, often the front page, and
  by some hubs.

Every page has a place in the tree of its host: a *lister* that was there from the start, never dies
and links to it. So whatever lives at any instant can be reached from the seeds at that instant,
whatever else is drawn.

>>> web = LinkedWeb.generate(pages=500, hosts=4, seed=1)
>>> web.pages, web.hosts, web.seeds, web.front_page(3)
(500, 4, [0, 1], 3)
>>> web.version(0, now_s=0.0) < web.version(0, now_s=3600.0)
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.laboratory.worlds.clues import link_clues
from trapline.laboratory.worlds.link_layout import weave_links
from trapline.laboratory.worlds.page_layout import Shape, draw_rates, new_draft
from trapline.laboratory.worlds.truth import (
    Floats,
    Integers,
    Truth,
    links_born,
    make_truth,
    relevance_at,
    unroll,
    version,
)
from trapline.theory.kernel import bare_kernel

_CLUES: Final = 0xC1


@dataclass(frozen=True, slots=True)
class LinkedWeb:
    """What a server and an experiment ask of the world. Host h's front page is page h.

    Any thread may ask: each answer is one kernel call, and kernels keep the interpreter's lock. A
    page's history is unrolled to the latest time asked for, and an earlier question then gets the
    later answer; who must look back, or measure at its own times, takes a `fresh_copy` of `truth`.
    """

    topic: str
    seed: int
    subject: NDArray[np.int32]  # 0 = the topic
    hubs: Integers
    seeds: list[int]
    truth: Truth

    @classmethod
    def generate(
        cls,
        pages: int = 2000,
        hosts: int = 8,
        topic: str = "space",
        seed: int = 0,
        shape: Shape | None = None,
    ) -> Self:
        """The same arguments give the same web."""
        if not 1 <= hosts <= pages:
            raise BadNumber(
                "the number of hosts",
                hosts,
                f"between 1 and the number of pages, {pages}",
            )
        shape = shape or Shape()
        rng = np.random.default_rng(seed)
        draft = new_draft(pages, hosts, shape, rng)
        rate = draw_rates(draft, shape, rng)
        links = weave_links(draft, shape, rng)
        truth = make_truth(
            host=draft.host,
            rate=rate,
            relevance=draft.relevance,
            gap_s=np.full(hosts, shape.gap_s),
            latency_s=np.full(hosts, shape.latency_s),
            born_s=draft.born_s,
            dies_s=draft.dies_s,
            links=links,
            # From a seed of its own, or every web drawn so far would be another.
            clues=link_clues(
                draft, links, shape, np.random.SeedSequence([seed, _CLUES])
            ),
            drift=shape.drift,
            seed=seed,
        )
        seeds = list(range(min(shape.seeds, hosts)))
        return cls(topic, seed, draft.subject, np.flatnonzero(draft.hub), seeds, truth)

    @property
    def pages(self) -> int:
        return len(self.truth.pages)

    @property
    def hosts(self) -> int:
        return len(self.truth.gap_s)

    @property
    def host(self) -> NDArray[np.int32]:
        return self.truth.pages["host"]

    @property
    def relevance(self) -> Floats:
        """Of the pages as they are born."""
        return self.truth.pages["relevance"]

    @property
    def gap_s(self) -> float:
        return float(self.truth.gap_s[0])

    def front_page(self, host: int) -> int:
        return host

    def alive(self, page: int, now_s: float) -> bool:
        return bool(
            self.truth.pages["born_s"][page] <= now_s < self.truth.pages["dies_s"][page]
        )

    def version(self, page: int, now_s: float) -> int:
        """Counts a page's changes, births of pages that it lists among them."""
        return version(self.truth, page, now_s)

    def relevance_at(self, page: int, now_s: float) -> float:
        return relevance_at(self.truth, page, now_s)

    def changed_s(self, page: int, now_s: float) -> float:
        """When the last of these changes was; −1: before the world began."""
        return _changed_s(self.truth, page, now_s)

    def links(self, page: int, now_s: float) -> NDArray[np.int32]:
        """Where the page leads by now, dead ends among them, in order of the targets' births."""
        first = self.truth.link_start[page]
        return self.truth.link_to[
            first : first + links_born(self.truth, page, now_s)
        ].copy()


@bare_kernel
def _changed_s(truth: Truth, page: int, now_s: float) -> float:
    unroll(truth, page, now_s)
    shown = links_born(truth, page, now_s)
    changed_s = truth.pages["last_change"][page]
    if shown > 0:
        changed_s = max(
            changed_s,
            truth.pages["born_s"][truth.link_to[truth.link_start[page] + shown - 1]],
        )
    return float(min(changed_s, now_s))
