"""compare/discovery: one pass of each discovery policy over the same webs, as shares of what no
schedule exceeds.

Webs are of a family (worlds/families.py), one a seed, of its testing part; or it is one web out of
a file, as `lab world` makes it. On one and the same web, policies that draw nothing run once.

>>> wishes = DiscoveryWishes(("breadth-first", "fringe-greedy"), pages=400, seeds=2, workers=0)
>>> [row["id"] for row in compare_discovery(wishes, lambda share, what: None, out=None).rows]
['breadth-first', 'fringe-greedy']
"""

from __future__ import annotations

import inspect
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from trapline.core.errors import BadNumber, UserMistake, check_count
from trapline.laboratory.compare.discovery_report import (
    DiscoveryRun,
    WebBounds,
    make_report,
)
from trapline.laboratory.runs.discovery_pass import Web, crawl_once, web_at_rest
from trapline.laboratory.study.report import Progress, Report, check_seeds
from trapline.laboratory.study.sweep import MOST_WORKERS, Extent, sweep
from trapline.laboratory.worlds.families import family, family_shape
from trapline.laboratory.worlds.truth import Floats
from trapline.laboratory.worlds.world_files import load_world
from trapline.policies.discovery.discovery_policy import DiscoveryPolicy
from trapline.policies.registry import discovery_class
from trapline.theory.discovery.dominator_bound import dominator_horn
from trapline.theory.discovery.graph import Graph, total_relevance
from trapline.theory.discovery.polite_bound import polite_bound

MARKS: Final = (1_000, 5_000, 20_000)  # fetches at which large webs are judged,
SHARES: Final = (0.01, 0.05, 0.2)  # and shares of the pages of small ones
LARGE: Final = 50_000
BOUNDS: Final = "bounds"


@dataclass(frozen=True, slots=True)
class DiscoveryWishes:
    policies: tuple[str, ...]
    world: Path | None = None  # else webs of the family
    family: str = "topical"
    pages: int = 20_000
    anchors: float = 1.0  # how much the words of links tell
    marks: tuple[int, ...] = ()  # steps; as MARKS and SHARES say, if there are none
    seeds: int = 5
    every: int = 1  # steps from one fetch of a host to the next
    workers: int = MOST_WORKERS  # processes; 0 = work in this one

    def web(self, seed: int) -> Web:
        return (
            _load_web(self.world)
            if self.world
            else _draw_web(self.family, self.pages, self.anchors, seed)
        )

    def __str__(self) -> str:
        if self.world is None:
            said = f"{self.family}, {self.pages:,} pages" + (
                "" if self.anchors else ", links without words"
            )
        else:
            said = f"{self.world.name}, {len(self.web(1).truth.pages):,} pages"
        return said + (
            f", a host at most every {self.every} steps" if self.every > 1 else ""
        )


@dataclass(frozen=True, slots=True)
class DiscoveryCase:
    """One pass of a policy; BOUNDS instead of a policy asks for the bounds of the web."""

    name: str
    wishes: DiscoveryWishes
    steps: int


@cache
def _load_web(path: Path) -> Web:
    """Read once in each process."""
    return load_world(path)


@cache
def _draw_web(name: str, pages: int, anchors: float, seed: int) -> Web:
    return family(name, pages, seed, "test", anchors=anchors)


@cache
def _graph_of(wishes: DiscoveryWishes, seed: int) -> Graph:
    return web_at_rest(wishes.web(seed))


def compare_discovery(
    wishes: DiscoveryWishes, progress: Progress, out: Path | None
) -> Report:
    """Raises UnknownName, BadNumber, WorldUnreadable or UserMistake before any work."""
    check_seeds(wishes.seeds)
    check_count("every", wishes.every, "steps from one fetch of a host to the next")
    for name in wishes.policies:
        discovery_class(name)
    family_shape(wishes.family, wishes.anchors)
    marks = marks_of(wishes)
    cases = [
        DiscoveryCase(name, wishes, marks[-1]) for name in (BOUNDS, *wishes.policies)
    ]
    found = sweep(
        run_case,
        cases,
        Extent(wishes.seeds, wishes.workers),
        progress,
        seeds_of=seeds_of_case,
    )
    bounds: dict[int, WebBounds] = {}
    runs: dict[str, list[DiscoveryRun]] = {name: [] for name in wishes.policies}
    for case, results in found.items():
        for one in results:
            if isinstance(one, WebBounds):
                bounds[one.seed] = one
            else:
                runs[case.name].append(one)
    return make_report(str(wishes), marks, wishes.every > 1, bounds, runs, out)


def seeds_of_case(case: DiscoveryCase) -> range:
    """On one and the same web, only policies that draw something run more than once."""
    wishes = case.wishes
    varies = wishes.world is None or (case.name != BOUNDS and draws_chance(case.name))
    return range(1, wishes.seeds + 1 if varies else 2)


def marks_in(text: str) -> tuple[int, ...]:
    """Marks with commas between them.

    >>> marks_in("1000, 5000")
    (1000, 5000)
    """
    words = [word.strip() for word in text.split(",") if word.strip()]
    for word in words:
        if not word.isdecimal():
            raise BadNumber("a mark", repr(word), "a whole number of fetches")
    return tuple(map(int, words))


def marks_of(wishes: DiscoveryWishes) -> tuple[int, ...]:
    """Steps, rising."""
    pages = len(wishes.web(1).truth.pages) if wishes.world else wishes.pages
    check_count("the number of pages", pages, "a web has some")
    marks = wishes.marks or (
        MARKS
        if pages >= LARGE
        else tuple(max(1, round(share * pages)) for share in SHARES)
    )
    for mark in marks:
        check_count("a mark", mark, "fetches")
        if mark > pages:
            raise BadNumber("a mark", mark, f"at most {pages:,}, the number of pages")
    return tuple(sorted(set(marks)))


def draws_chance(name: str) -> bool:
    """Whether a policy leaves something to chance."""
    return "seed" in inspect.signature(discovery_class(name)).parameters


def discovery_contestant(name: str, relevance: Floats, seed: int) -> DiscoveryPolicy:
    """The policy of that name as it would run live; an oracle is told what pages are worth."""
    return discovery_class(name).example(relevance, seed)


def run_case(case: DiscoveryCase, seed: int) -> DiscoveryRun | WebBounds:
    wishes = case.wishes
    graph = _graph_of(wishes, seed)
    if case.name == BOUNDS:
        return _bounds_of(wishes, graph, seed, case.steps)
    web = wishes.web(seed)
    policy = discovery_contestant(case.name, graph.relevance, seed)
    _load_kernels(case.name)
    start_s = time.process_time()
    found = crawl_once(web, policy, case.steps, wishes.every)
    spent_s = time.process_time() - start_s
    per_s = len(found.page) / max(spent_s, 1e-9)
    return DiscoveryRun(seed, found.gains(graph.relevance), per_s)


def _bounds_of(
    wishes: DiscoveryWishes, graph: Graph, seed: int, steps: int
) -> WebBounds:
    total = total_relevance(graph)
    if not total > 0.0:
        raise UserMistake(
            "no page that can be reached has any relevance: there is nothing to find in this web"
        )
    yardstick = graph.relevance[dominator_horn(graph).order][:steps]
    polite = (
        polite_bound(graph, wishes.web(seed).truth.host, wishes.every, steps)
        if wishes.every > 1
        else None
    )
    return WebBounds(
        seed, total, np.pad(yardstick, (0, steps - len(yardstick))), polite
    )


@cache
def _load_kernels(policy: str) -> None:
    """Not to be timed: once in each process."""
    web = family("topical", 50, seed=0)
    crawl_once(web, discovery_contestant(policy, web.truth.relevance, seed=0), steps=50)
