"""The dominator-tree Horn bound: `omeara`'s upper bound made tighter by what the links themselves
forbid.

Every schedule fetches a page after its immediate dominator, so the best order of the dominator tree
is at least as good as any schedule of the graph. Horn's rule gives that order, best for P at the
full horizon. As far as it goes:

- `relevance[order]` are its gains: the yardstick. Their P bounds every schedule at the full
  horizon, not before it;
- `mean` are gains whose sum over t steps bounds what any t fetches find (horn.py says why), so
  their P holds anywhere.

In the example a page must be fetched for nothing before the good one, and the first step may well
find .5.

>>> from trapline.theory.discovery.graph import web_graph
>>> graph = web_graph([0.5, 0.0, 1.1], [0, 0, 1, 1], [2], seeds=[0, 1])
>>> found = dominator_horn(graph)
>>> found.order.tolist(), found.mean.tolist()
([1, 2, 0], [0.55, 0.55, 0.5])
>>> [round(dominator_bound(graph, horizon), 4) for horizon in (1, 2, 3)]
[0.3438, 0.5156, 0.5625]
"""

from __future__ import annotations

from trapline.theory.discovery.dominators import dominator_tree
from trapline.theory.discovery.graph import Graph, total_relevance
from trapline.theory.discovery.horn import HornOrder, horn_order
from trapline.theory.discovery.performance import performance


def dominator_horn(graph: Graph) -> HornOrder:
    """The best order of the dominator tree, and the gains that bound each prefix of
    any schedule.
    """
    return horn_order(dominator_tree(graph), graph.relevance)


def dominator_bound(graph: Graph, horizon: int) -> float:
    """No schedule of `horizon` fetches has a greater P."""
    found = dominator_horn(graph)
    gains = found.mean if horizon < found.order.size else graph.relevance[found.order]
    return performance(gains, total_relevance(graph), horizon).p
