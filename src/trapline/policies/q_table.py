"""The one table of `omeara`'s request controller: rows of links to the fringe, rows of states of
held pages, and eq. (10) for both.

Whoever chooses among fringe and held pages by it (policies/discovery/q_learning.py and
policies/refresh/q_learning.py) has a `QTable`; in both roles they have one together.

>>> from trapline.policies.discovery.edge_table import row_of
>>> table = QTable(QSettings(alpha=0.5, gamma=0.1))
>>> row = row_of(table.mind.edges, -1, 7)
>>> fetch_link(table.mind, row, waited=0, gain=0.8)
>>> table.mind.edges.values[row].tolist()  # Q(x,1), Q(x,2), lessons
[0.4, 0.0, 1.0]
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber, UnknownName
from trapline.policies.discovery.edge_table import Edges, new_edges
from trapline.policies.discovery.kernel_policy import SCORED
from trapline.policies.mind import Records
from trapline.policies.q_states import ALL_PAGES, HELD_PAGE, new_states
from trapline.theory.kernel import bare_kernel

# columns of the rows of links
ACTIVE: Final = 0
PASSIVE: Final = 1
LESSONS: Final = 2

CHILDREN: Final = {"active": ACTIVE, "passive": PASSIVE}
PASSIVES: Final = {"zero": False, "learnt": True}
STARTS: Final = {"zero": False, "kin": True}
TIES: Final = {"first": 0, "last": 1, "random": 2}

# What is remembered of a page of the fringe, and of the links that it led to. Pages are named by
# their number + 1; 0 = nobody.
LINKED: Final = np.dtype(
    [
        *SCORED,
        ("row", np.float64),  # on the fringe, its row + 1; else 0
        ("step", np.float64),  # after which it came there
        (
            "told",
            np.float64,
        ),  # the most relevant page known to lead to it: its relevance,
        ("parent", np.float64),  # and who it is
        ("total", np.float64),  # what pages that it led to were worth,
        ("count", np.float64),  # and how many of them were fetched
        ("older", np.float64),  # the page that its discoverer led to before
        ("youngest", np.float64),  # the last page that it led to,
        ("turn", np.float64),  # and whose turn it is among them to be scored anew
    ]
)


class QSettings(NamedTuple):
    alpha: float = 0.5
    gamma: float = 0.1
    epsilon: float = 0.0
    of_children: int = ACTIVE  # which column of the table S adds up
    learns_passive: bool = True
    by_kin: bool = True  # new rows of links begin at what their kin are worth
    ties: int = 0
    seed: int = 0
    both: bool = False  # held pages have rows in it, too


class QMind(NamedTuple):
    settings: QSettings
    pages: Records  # of the fringe: LINKED
    edges: Edges  # rows of links
    # what links followed for the first time were worth; what their discoverers' relevance promised
    kin: NDArray[np.float64]
    held: Records  # of held pages: HELD_PAGE
    states: Records  # rows of their states: STATE
    all_held: Records  # one: ALL_PAGES


class QTable:
    """What is learnt; arrays grow, so whoever uses it asks for its mind each time."""

    def __init__(self, settings: QSettings) -> None:
        self.mind = QMind(
            settings,
            np.zeros(0, LINKED),
            new_edges(),
            np.zeros(2),
            np.zeros(0, HELD_PAGE),
            new_states(),
            np.zeros(1, ALL_PAGES),
        )


def check_steps(alpha: float, gamma: float) -> None:
    if not 0.0 < alpha <= 1.0:
        raise BadNumber("alpha", alpha, "above 0 and at most 1")
    if not 0.0 <= gamma < 1.0:
        raise BadNumber("gamma", gamma, "at least 0 and below 1")


def check_name(what: str, name: str, known: dict[str, int] | dict[str, bool]) -> None:
    if name not in known:
        raise UnknownName(what, str(name), list(known))


@bare_kernel
def passive_value(mind: QMind, row: int, waited: int) -> float:
    """Q(x,2) of a page left `waited` times, before the last of them is learnt from.

    That needs what is done next.
    """
    q = mind.edges.values[row, PASSIVE]
    if q == 0.0 or waited <= 1:
        return float(q)
    alpha = mind.settings.alpha
    return float(q * (1.0 - alpha + alpha * mind.settings.gamma) ** (waited - 1))


@bare_kernel
def fetch_link(mind: QMind, row: int, waited: int, gain: float) -> None:
    """Eq. (10) for a page left `waited` times, then fetched; `gain`: g and the discounted rest."""
    alpha = mind.settings.alpha
    values = mind.edges.values
    q = values[row, ACTIVE]
    if waited > 0 and mind.settings.learns_passive:
        left = passive_value(mind, row, waited)
        values[row, PASSIVE] = (1.0 - alpha) * left + alpha * mind.settings.gamma * q
    values[row, ACTIVE] = (1.0 - alpha) * q + alpha * gain
    values[row, LESSONS] += 1.0
