"""The lower line of `omeara`, Fig. 3: each step fetches any page of the fringe, all of them equally
likely.

>>> from trapline.theory.discovery.graph import web_graph
>>> graph = web_graph([1.0, 0.0], [0, 0, 0], [], seeds=[0, 1])  # P is 1 or .5, the mean .75
>>> found = random_baseline(graph, horizon=2, draws=400, seed=1)
>>> found.low < 0.75 < found.high, round(found.high - found.low, 2)
(True, 0.05)
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from trapline.core.errors import BadNumber, check_count, check_rate
from trapline.theory.argument_checks import Floats
from trapline.theory.chance import mix_hash
from trapline.theory.discovery.graph import Graph, total_relevance
from trapline.theory.kernel import kernel


class RandomBaseline(NamedTuple):
    mean: float  # P over the draws
    low: float  # ends of its 95 % interval (Student's t)
    high: float


def random_baseline(
    graph: Graph, horizon: int, draws: int, seed: int = 0
) -> RandomBaseline:
    """Mean P(horizon) of `draws` random schedules; the same seed gives the same ones."""
    from scipy.special import stdtrit

    check_count("the horizon", horizon, "fetches")
    check_count("the number of draws", draws, "random schedules")
    if draws < 2:
        raise BadNumber(
            "the number of draws",
            draws,
            "2 or more: one tells nothing about the spread",
        )
    total = total_relevance(graph)
    check_rate("the total relevance", total, "with nothing to find there is no recall")
    found = _random(graph, horizon, draws, seed) / (total * horizon)
    half = (
        float(stdtrit(draws - 1, 0.975))
        * float(np.std(found, ddof=1))
        / math.sqrt(draws)
    )
    mean = float(np.mean(found))
    return RandomBaseline(mean, mean - half, mean + half)


@kernel
def _random(graph: Graph, horizon: int, draws: int, seed: int) -> Floats:
    """Of each schedule the relevance fetched, summed over the steps."""
    pages = len(graph.relevance)
    fringe = np.empty(pages, np.int32)
    met = np.full(pages, -1, np.int32)
    found = np.zeros(draws)
    for draw in range(draws):
        size = len(graph.seeds)
        fringe[:size] = graph.seeds
        met[graph.seeds] = draw
        step = 0
        while size > 0 and step < horizon:
            place = int(mix_hash(seed, draw, step) * size)
            page = fringe[place]
            size -= 1
            fringe[place] = fringe[size]
            found[draw] += graph.relevance[page] * (horizon - step)
            step += 1
            for link in range(graph.link_start[page], graph.link_start[page + 1]):
                target = graph.link_to[link]
                if met[target] != draw:
                    met[target] = draw
                    fringe[size] = target
                    size += 1
    return found
