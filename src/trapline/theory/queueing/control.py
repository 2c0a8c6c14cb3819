"""Control at least average cost, when choices are made at events: policy iteration with a sparse
LU.

A choice process sits in a state x at a cost a unit of time; events e come at rates rate[e, x], and
the controller then picks one of the targets target[e, c, x]. Its least long-run cost θ solves
(Puterman, ch. 8; eq. 24 of `talim` in continuous time and in post-decision form)

    θ = cost(x) + Σ_e rate_e(x)·(min_c h(target_ec(x)) − h(x)).

One state that costs 3 and, at each event, may go on to one that costs 1 or stay; from there it must
come back:

>>> process = ChoiceProcess(
...     cost=np.array([3.0, 1.0]), rate=np.array([[1.0, 1.0]]), target=np.array([[[0, 0], [1, -1]]])
... )
>>> round(policy_iteration(process, choice=np.array([[0, 0]])).cost, 9)
2.0
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csc_array

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

# of the largest relative value: a gain below it is rounding, not a reason to change one's mind
_NOISE: Final = 1e-13
# costs are compared this closely: a step may change transient states only, and not the cost
_SAME: Final = 1e-12
_NOTHING: Final = 1e-15
_MOST_EVALUATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class ChoiceProcess:
    cost: Floats  # [state]
    rate: Floats  # [event, state]
    target: Ints  # [event, choice, state]; −1 = not allowed; where the rate is 0, any


@dataclass(frozen=True, slots=True)
class Controlled:
    """A policy and what it leads to."""

    choice: Ints  # [event, state]
    cost: float
    # [state] h: what it costs more, in all, to start here than at the reference
    relative: Floats
    share: Floats  # [state] of the time
    visited: Ints  # the states that it comes back to for ever
    evaluations: int


def policy_iteration(process: ChoiceProcess, choice: Ints) -> Controlled:
    """The best policy, from a first one. Choices change only for a gain above rounding,
    so it ends.
    """
    found = evaluate(process, choice)
    for evaluations in range(1, _MOST_EVALUATIONS):
        better = _improve(process, found)
        if np.array_equal(better, found.choice):
            break
        after = evaluate(process, better, evaluations + 1)
        # improvements of the size of rounding: we are there
        if after.cost > found.cost * (1.0 + _SAME) + _NOTHING:
            break
        found = after
    return found


def evaluate(process: ChoiceProcess, choice: Ints, evaluations: int = 1) -> Controlled:
    """Long-run cost, relative values and shares of time under a policy.

    A policy that leads to several closed classes is mended first: all states are sent to the
    cheapest class. In a process where every state can reach every other that is an improvement
    (Puterman, sec. 9.5).
    """
    from scipy.sparse.linalg import splu

    classes = closed_classes(process, choice)
    if len(classes) > 1:
        costs = [_within(process, choice, members).cost for members in classes]
        choice = _sent_to(process, choice, classes[int(np.argmin(costs))])
        classes = closed_classes(process, choice)
    reference = int(classes[0][0])
    factors = splu(_balance_matrix(process, choice, reference))
    values = factors.solve(-process.cost)
    relative = values.copy()
    relative[reference] = 0.0
    nowhere = np.zeros(len(process.cost))
    nowhere[reference] = -1.0
    share = np.zeros(len(process.cost))
    # The stubs know no `trans`.
    shares = factors.solve(nowhere, trans="T")  # type: ignore[call-overload]
    share[classes[0]] = np.maximum(shares, 0.0)[classes[0]]
    share /= share.sum()
    return Controlled(
        choice, float(share @ process.cost), relative, share, classes[0], evaluations
    )


def reached_from(process: ChoiceProcess, choice: Ints, start: int) -> Controlled:
    """What a policy leads to from a state; if chance decides between several closed classes, the
    dearest of them.
    """
    from scipy.sparse.csgraph import breadth_first_order

    rows, columns, _ = _moves(process, choice)
    reached = breadth_first_order(
        _graph(rows, columns, len(process.cost)), start, return_predecessors=False
    )
    inside = np.zeros(len(process.cost), dtype=bool)
    inside[reached] = True
    classes = [
        members for members in closed_classes(process, choice) if inside[members[0]]
    ]
    members, part = max(
        ((one, _within(process, choice, one)) for one in classes),
        key=lambda found: found[1].cost,
    )
    share = np.zeros(len(process.cost))
    relative = np.full(len(process.cost), np.nan)
    share[members] = part.share
    relative[members] = part.relative
    return Controlled(choice, part.cost, relative, share, members, part.evaluations)


def closed_classes(process: ChoiceProcess, choice: Ints) -> list[Ints]:
    """The sets of states that a policy never leaves, each a strongly connected component without a
    way out.
    """
    from scipy.sparse.csgraph import connected_components

    rows, columns, _ = _moves(process, choice)
    count, part = connected_components(
        _graph(rows, columns, len(process.cost)), connection="strong"
    )
    leaves = np.zeros(count, dtype=bool)
    leaves[part[rows][part[rows] != part[columns]]] = True
    return [np.flatnonzero(part == one) for one in np.flatnonzero(~leaves)]


def _moves(process: ChoiceProcess, choice: Ints) -> tuple[Ints, Ints, Floats]:
    """From, to and rate of every move that the policy makes."""
    events, states = process.rate.shape
    to = np.take_along_axis(process.target, choice[:, None, :], axis=1)[:, 0, :]
    happens = process.rate > 0.0
    rows = np.broadcast_to(np.arange(states), (events, states))[happens]
    return rows, to[happens], process.rate[happens]


def _graph(rows: Ints, columns: Ints, states: int) -> csc_array:
    from scipy.sparse import csc_array

    return csc_array((np.ones(len(rows)), (rows, columns)), shape=(states, states))


def _balance_matrix(process: ChoiceProcess, choice: Ints, reference: int) -> csc_array:
    """The generator; the column of the reference, whose relative value is 0, is taken by −θ."""
    from scipy.sparse import csc_array

    states = len(process.cost)
    rows, columns, rates = _moves(process, choice)
    every = np.arange(states)
    leaving = np.bincount(rows, rates, states)
    rows = np.concatenate((rows, every))
    columns = np.concatenate((columns, every))
    rates = np.concatenate((rates, -leaving))
    kept = columns != reference
    rows = np.concatenate((rows[kept], every))
    columns = np.concatenate((columns[kept], np.full(states, reference)))
    return csc_array(
        (np.concatenate((rates[kept], np.full(states, -1.0))), (rows, columns)),
        shape=(states, states),
    )


def _improve(process: ChoiceProcess, found: Controlled) -> Ints:
    noise = _NOISE * float(np.abs(found.relative).max())
    worth = np.where(process.target >= 0, found.relative[process.target], np.inf)
    now = np.take_along_axis(worth, found.choice[:, None, :], axis=1)[:, 0, :]
    change = (process.rate > 0.0) & (worth.min(axis=1) < now - noise)
    return np.where(change, worth.argmin(axis=1), found.choice)


def _within(process: ChoiceProcess, choice: Ints, members: Ints) -> Controlled:
    """A closed class as a process of its own."""
    where = np.full(len(process.cost), -1)
    where[members] = np.arange(len(members))
    part = ChoiceProcess(
        process.cost[members],
        process.rate[:, members],
        where[process.target[:, :, members]],
    )
    return evaluate(part, choice[:, members])


def _sent_to(process: ChoiceProcess, choice: Ints, goal: Ints) -> Ints:
    """The policy changed so that every state outside `goal` gets nearer to it, by any allowed move,
    until it is in.
    """
    choice = choice.copy()
    inside = np.zeros(len(process.cost), dtype=bool)
    inside[goal] = True
    while not inside.all():
        leads = (
            (process.target >= 0)
            & inside[process.target]
            & (process.rate > 0.0)[:, None, :]
            & ~inside
        )
        event, how, state = np.nonzero(leads)
        if not len(state):
            break  # not a communicating process: the rest has a class of its own
        choice[event, state] = how
        inside[state] = True
    return choice
