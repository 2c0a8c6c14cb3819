"""The unconstrained bound of `omeara`, Fig. 3: as if every page that can be reached were linked
from the start.

Of t pages none have more relevance than the t most relevant: the bound holds for each R_t, and for
P at any horizon.

>>> from trapline.theory.discovery.graph import web_graph
>>> from trapline.theory.discovery.performance import performance
>>> graph = web_graph([0.0, 1.0, 0.5, 9.0], [0, 2, 3, 3, 3], [1, 2, 2], seeds=[0])
>>> gains = sorted_bound(graph)
>>> gains.tolist(), performance(gains, total=1.5, horizon=2).recall
([1.0, 0.5, 0.0], 1.0)
"""

from __future__ import annotations

import numpy as np

from trapline.theory.argument_checks import Floats
from trapline.theory.discovery.graph import Graph, reachable


def sorted_bound(graph: Graph) -> Floats:
    """Gains, one a step: their sum over t steps bounds what any t fetches find."""
    return np.sort(graph.relevance[reachable(graph)])[::-1].copy()
