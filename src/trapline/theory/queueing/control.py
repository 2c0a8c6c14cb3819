"""Control at least average cost, when choices are made at events: policy iteration with an LU of
blocks.

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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.theory.queueing.block_factors import factorise
from trapline.theory.queueing.closed_classes import Moves, closed_sets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

# of the largest relative value: a gain below it is rounding, not a reason to change one's mind
_NOISE: Final = 1e-13
# costs are compared this closely: a step may change transient states only, and not the cost
_SAME: Final = 1e-12
_NOTHING: Final = 1e-15
# of the fastest event: how often a process is begun anew to see where it is most of the time
_RESTART: Final = 1e-10
# times as often as the reference another state is visited: a better one is looked for
_SELDOM: Final = 100.0
_MOST_EVALUATIONS: Final = 100


@dataclass(frozen=True, slots=True)
class ChoiceProcess:
    cost: Floats  # [state]
    rate: Floats  # [event, state]
    target: Ints  # [event, choice, state]; −1 = not allowed; where the rate is 0, any
    # [place] of states, in which moves are short: what is solved sooner
    order: Ints | None = None

    @property
    def short_order(self) -> Ints:
        return np.arange(len(self.cost)) if self.order is None else self.order


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
        after = evaluate(process, better, evaluations + 1, _usual(found))
        # improvements of the size of rounding: we are there
        if after.cost > found.cost * (1.0 + _SAME) + _NOTHING:
            break
        found = after
    return found


def evaluate(
    process: ChoiceProcess,
    choice: Ints,
    evaluations: int = 1,
    near: int | None = None,
) -> Controlled:
    """Long-run cost, relative values and shares of time under a policy.

    A policy that leads to several closed classes is mended first: all states are sent to the
    cheapest class. In a process where every state can reach every other that is an improvement
    (Puterman, sec. 9.5). `near` is a state that is thought to be visited often.
    """
    classes = closed_classes(process, choice)
    if len(classes) > 1:
        costs = [_within(process, choice, members).cost for members in classes]
        choice = _sent_to(process, choice, classes[int(np.argmin(costs))])
        classes = closed_classes(process, choice)
    [members] = classes
    if near is None or near not in members:
        near = _often_visited(process, choice)
    share, relative = _solve_balance(process, choice, near)
    if not np.abs(share).max() < _SELDOM * share[near]:
        share, relative = _solve_balance(
            process, choice, _often_visited(process, choice)
        )
    inside = np.zeros(len(share))
    inside[members] = np.maximum(share, 0.0)[members]
    inside /= inside.sum()
    return Controlled(
        choice,
        float(inside @ process.cost),
        relative - relative[members[0]],
        inside,
        members,
        evaluations,
    )


def _usual(found: Controlled) -> int:
    return int(found.share.argmax())


def _solve_balance(
    process: ChoiceProcess, choice: Ints, reference: int
) -> tuple[Floats, Floats]:
    """Shares of time, but for a factor, and relative values, 0 at the reference.

    Between two visits to it, time and cost add up. It must be visited often: what adds up over a
    long way back loses the digits by which states differ.
    """
    states = len(process.cost)
    rows, columns, rates = _generator(process, choice)
    leaving = rows == reference
    kept = ~leaving & (columns != reference)
    factors = factorise(
        np.append(rows[kept], reference),
        np.append(columns[kept], reference),
        np.append(rates[kept], 1.0),
        process.short_order,
    )
    out: Floats = np.bincount(columns[leaving], rates[leaving], states).astype(float)
    out[reference] = -1.0
    share = factors.solve_transposed(-out)
    out[reference] = 0.0
    others = np.ones(states)
    others[reference] = 0.0
    time = factors.solve(-others)
    spent = factors.solve(-others * process.cost)
    cost = (process.cost[reference] + out @ spent) / (1.0 + out @ time)
    return share, spent - cost * time


def _often_visited(process: ChoiceProcess, choice: Ints) -> int:
    """Where the process is most of the time, if now and then it begins anew anywhere."""
    states = len(process.cost)
    rows, columns, rates = _generator(process, choice)
    every = np.arange(states)
    restart = _RESTART * float(rates.max())
    factors = factorise(
        np.concatenate((rows, every)),
        np.concatenate((columns, every)),
        np.concatenate((-rates, np.full(states, restart))),
        process.short_order,
    )
    return int(factors.solve_transposed(np.ones(states)).argmax())


def reached_from(process: ChoiceProcess, choice: Ints, start: int) -> Controlled:
    """What a policy leads to from a state; if chance decides between several closed classes, the
    dearest of them.
    """
    rows, columns, _ = _moves(process, choice)
    moves = Moves.of(rows, columns, len(process.cost))
    inside, _ = moves.reach(np.array([start]))
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
    rows, columns, _ = _moves(process, choice)
    return closed_sets(rows, columns, len(process.cost))


def _moves(process: ChoiceProcess, choice: Ints) -> tuple[Ints, Ints, Floats]:
    """From, to and rate of every move that the policy makes."""
    events, states = process.rate.shape
    to = np.take_along_axis(process.target, choice[:, None, :], axis=1)[:, 0, :]
    happens = process.rate > 0.0
    rows = np.broadcast_to(np.arange(states), (events, states))[happens]
    return rows, to[happens], process.rate[happens]


def _generator(process: ChoiceProcess, choice: Ints) -> tuple[Ints, Ints, Floats]:
    """The moves, and on the diagonal the rate at which each state is left."""
    states = len(process.cost)
    rows, columns, rates = _moves(process, choice)
    every = np.arange(states)
    leaving = np.bincount(rows, rates, states)
    return (
        np.concatenate((rows, every)),
        np.concatenate((columns, every)),
        np.concatenate((rates, -leaving)),
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
    order = where[process.short_order]
    part = ChoiceProcess(
        process.cost[members],
        process.rate[:, members],
        where[process.target[:, :, members]],
        order[order >= 0],
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
