"""One pass of a discovery policy over a web that stands still: which page is fetched in which step.

It drives the very RequestController that runs live: a visit a second, answered at once, no page
visited twice. With `every`, a host owes that many seconds between two visits: it is fetched from in
one step of so many at most, and a step in which all hosts with anything to offer owe their gap is
idle.

The web stands still as it is at its beginning: pages not born then, or dead, answer that there is
no such page.

>>> from trapline.laboratory.worlds.linked import LinkedWeb
>>> from trapline.policies.discovery.breadth_first import BreadthFirst
>>> web = LinkedWeb.generate(pages=100, hosts=3, seed=1)
>>> found = crawl_once(web, BreadthFirst(), steps=10, every=2)
>>> found.page[:3].tolist(), found.step[:3].tolist()
([0, 1, 3], [0, 1, 2])
>>> found.gains(web_at_rest(web).relevance).shape
(10,)
"""

from __future__ import annotations

import math
from typing import NamedTuple, Protocol

import numpy as np

from trapline.core.errors import check_count
from trapline.laboratory.runs.drive import drive, new_controller
from trapline.laboratory.worlds.truth import Floats, Integers, Truth, fresh_copy
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.refresh.never import Never
from trapline.robot.agenda.agenda import Budget
from trapline.theory.discovery.graph import Graph, web_graph


class Web(Protocol):
    """What of a world is asked here."""

    @property
    def truth(self) -> Truth: ...

    @property
    def seeds(self) -> list[int]: ...


class Pass(NamedTuple):
    """The fetches of one pass, in order."""

    page: Integers
    step: Integers  # from 0; a step without a fetch is idle
    steps: int

    def gains(self, relevance: Floats) -> Floats:
        """What each step found."""
        found = np.bincount(self.step, relevance[self.page], minlength=self.steps)
        return np.asarray(found, np.float64)


def crawl_once(web: Web, policy: DiscoveryPolicy, steps: int, every: int = 1) -> Pass:
    """Fetch for so many steps, or until nothing is left."""
    check_count("the number of steps", steps, "fetches, or waiting for a host")
    check_count("every", every, "steps from one fetch of a host to the next")
    truth = still_truth(web.truth, gap_s=float(every) if every > 1 else 0.0)
    controller = new_controller(
        truth,
        discovery=policy,
        refresh=Never(),
        budget=Budget(per_s=1.0),
        seeds=web.seeds,
    )
    log = drive(controller, truth, room=1, visits=steps, until_s=float(steps))
    return Pass(log.page, log.issued_s.astype(np.int64), steps)


def web_at_rest(web: Web) -> Graph:
    """The graph that such a pass walks, for bounds (theory/discovery)."""
    truth = still_truth(web.truth, gap_s=0.0)
    counts = np.diff(truth.link_start)
    # a page that is gone shows no links
    shown = np.repeat(np.isinf(truth.dies_s), counts)
    start = np.append(0, np.cumsum(np.where(np.isinf(truth.dies_s), counts, 0)))
    return web_graph(truth.relevance, start, truth.link_to[shown], web.seeds)


def still_truth(truth: Truth, gap_s: float) -> Truth:
    """The web as it is at its beginning, in which nothing happens."""
    still = fresh_copy(truth)
    pages = still.pages
    there = (pages["born_s"] <= 0.0) & (pages["dies_s"] > 0.0)
    pages["relevance"] = np.where(there, pages["relevance"], 0.0)
    pages["born_s"] = -1.0
    pages["dies_s"] = np.where(there, math.inf, 0.0)
    pages["rate"] = 0.0
    pages["next_change"] = math.inf
    return still._replace(
        gap_s=np.full_like(truth.gap_s, gap_s), latency_s=np.zeros_like(truth.latency_s)
    )
