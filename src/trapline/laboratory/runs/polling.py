"""The light polling loop: any refresh policy in a polling world, and what it really detected.

One poll a step, at steps 1, 2, 3, …; all pages count as seen at step 0. Three ways, one result:

- *automata* (policies/refresh/automata) take turns by kernels of their own; a compiled loop of
  nothing but turn, visit and learn runs them at a few million polls a second. Leaf i is page i;
- *card policies* and `argmax` go through the very RequestController, compiled
  (laboratory/runs/compiled.py), with a budget of one visit a second and ticks of a second;
- other Choosers go through it by object (laboratory/runs/drive.py).

A policy that wants no page in a step wastes it (interval rules do). In a switching world the run
goes in stretches from switch to switch. Detections of the last two ways are found by visiting
again, as the log says, a twin of the truth that has the same history.

>>> from trapline.laboratory.worlds.polling import PollingWorld
>>> from trapline.policies.refresh.uniform import Uniform
>>> world = PollingWorld([0.5, 0.5, 0.5])
>>> run = poll(Uniform(), world, polls=9, checkpoints=[3, 9], keep_pages=True)
>>> run.pages.tolist()
[0, 1, 2, 0, 1, 2, 0, 1, 2]
>>> run.polls.tolist(), run.detections.shape
([3, 9], (2,))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast

import numba
import numpy as np
from numba import types
from numpy.typing import ArrayLike, NDArray

from trapline.core.errors import BadNumber, UnknownPage, check_count
from trapline.laboratory.runs.compiled import hold_all, runner
from trapline.laboratory.runs.drive import hold_each, new_controller
from trapline.laboratory.worlds.polling import PollingWorld
from trapline.laboratory.worlds.truth import Truth, make_truth, visit
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.automata.automaton import Automaton
from trapline.policies.refresh.refresh_policy import RefreshPolicy
from trapline.robot.agenda.agenda import Budget
from trapline.theory.kernel import bare_kernel, kernel_for, loop_kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_truth_type = numba.typeof(make_truth(host=np.zeros(1, np.int32), rate=np.ones(1)))
_ALL_KNOWN: Final = -1  # of the light loop: every turn was a page of the world's


@dataclass(frozen=True, slots=True)
class PollRun:
    polls: Integers  # the checkpoints, in steps
    detections: Floats  # changes detected up to each, weighted by page
    pages: Integers  # polled in each step, −1 = none; empty unless they were asked for

    @property
    def rates(self) -> Floats:
        """Mean detections a step from each checkpoint (the first: from the start) to the next."""
        return np.diff(self.detections, prepend=0.0) / np.diff(self.polls, prepend=0)


def poll(
    policy: RefreshPolicy,
    world: PollingWorld,
    polls: int,
    *,
    checkpoints: ArrayLike,
    keep_pages: bool = False,
) -> PollRun:
    """Run a policy for so many steps.

    The world starts anew; the policy is left in the state that the run led to.
    """
    check_count("the number of polls", polls, "one a step")
    noted = _check_checkpoints(checkpoints, polls)
    truth = world.truth()
    way: _Turning | _Controlled
    if policy.takes_turns:
        way = _Turning(cast("Automaton", policy), truth)
    else:
        way = _Controlled(policy, truth)
    detections = np.zeros(len(noted))
    total = 0.0
    step = 0
    pages = np.full(polls if keep_pages else 0, -1, np.int64)
    switches = world.switches(before=polls)
    for end in np.union1d(np.append(noted, polls), switches).tolist():
        total += way.stretch(step + 1, end, pages[step:end])
        detections[noted == end] = total
        if end in switches:
            world.switch(float(end), *way.truths)
        step = end
    return PollRun(noted, detections, pages)


def _check_checkpoints(checkpoints: ArrayLike, polls: int) -> Integers:
    found = np.array(checkpoints, np.float64)
    if found.ndim != 1 or not len(found):
        raise BadNumber("the number of checkpoints", found.size, "at least 1, in a row")
    bad = ~((found >= 1) & (found <= polls) & (found == np.floor(found)))
    if bad.any():
        raise BadNumber(
            "a checkpoint", found[bad][0], f"a whole number of polls from 1 to {polls}"
        )
    if (np.diff(found) <= 0).any():
        raise BadNumber(
            "a checkpoint",
            found[1:][np.diff(found) <= 0][0],
            "later than the one before it",
        )
    return found.astype(np.int64)


class _Turning:
    """An automaton in the light loop."""

    def __init__(self, policy: Automaton, truth: Truth) -> None:
        truth.pages["seen"] = 0
        self.truths = (truth,)
        self._policy = policy
        self._last = np.zeros(len(truth.pages))

    def stretch(self, first: int, last: int, pages: Integers) -> float:
        """Run steps `first` to `last`, note their pages unless `pages` is empty; returns what was
        detected.
        """
        policy = self._policy
        take_turns = _compiled_turns(numba.typeof(policy.mind))
        total, unknown = take_turns(
            policy.mind,
            policy.turn_kernel,
            policy.learn_kernel,
            self.truths[0],
            self._last,
            first,
            last,
            pages,
        )
        if unknown != _ALL_KNOWN:
            raise UnknownPage(unknown, len(self._last))
        return float(total)


@loop_kernel
def _take_turns(
    mind: Any,
    turn: Any,
    learn: Any,
    truth: Any,
    last_s: Any,
    first: int,
    last: int,
    pages: Any,
) -> tuple[float, int]:
    """(weighted detections, _ALL_KNOWN or the turn that is no page)."""
    total = 0.0
    for step in range(first, last + 1):
        page = turn(mind)
        if page < 0:
            continue
        if page >= len(last_s):
            return total, page
        now_s = float(step)
        _, changed, _ = visit(truth, page, now_s)
        if changed:
            total += truth.pages["relevance"][page]
        learn(mind, page, changed, now_s - last_s[page])
        last_s[page] = now_s
        if len(pages) > 0:
            pages[step - first] = page
    return total, _ALL_KNOWN


@cache
def _compiled_turns(mind: types.Type) -> Any:
    """The light loop, for automata with such a mind; compiled once, then found in the cache."""
    turn = types.FunctionType(types.int64(mind))
    learn = types.FunctionType(
        types.void(mind, types.int64, types.boolean, types.float64)
    )
    return kernel_for(
        types.Tuple((types.float64, types.int64))(
            mind,
            turn,
            learn,
            _truth_type,
            types.float64[::1],
            types.int64,
            types.int64,
            types.int64[::1],
        ),
        mind,
    )(_take_turns)


class _Controlled:
    """A policy that the request controller asks: compiled if its offers are on cards, else by
    object.
    """

    def __init__(self, policy: RefreshPolicy, truth: Truth) -> None:
        budget = Budget(per_s=1.0)
        controller = new_controller(
            truth, discovery=BreadthFirst(), refresh=policy, budget=budget, seeds=[]
        )
        self._run = runner(controller)
        if policy.compiles:
            hold_all(controller, truth, np.zeros(len(truth.pages)))
        else:
            hold_each(controller, truth, range(len(truth.pages)), 0.0)
        twin = truth._replace(pages=truth.pages.copy())
        self.truths = (truth, twin)

    def stretch(self, first: int, last: int, pages: Integers) -> float:
        """As of _Turning."""
        truth, twin = self.truths
        visits = last - first + 1
        log = self._run(
            truth,
            room=1,
            visits=visits,
            start_s=float(first),
            until_s=last + 0.5,
            tick_s=1.0,
        )
        if len(pages):
            pages[log.issued_s.astype(np.int64) - first] = log.page
        return float(_revisit(twin, log.issued_s, log.page))


@bare_kernel
def _revisit(truth: Truth, when_s: Floats, pages: Integers) -> float:
    total = 0.0
    for i in range(len(pages)):
        _, changed, _ = visit(truth, pages[i], when_s[i])
        if changed:
            total += truth.pages["relevance"][pages[i]]
    return total
