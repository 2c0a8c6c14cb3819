"""Slots through the request controller: the very object that runs live, asked in each slot until
its budget is spent.

Each source is a held page on a host of its own that owes no gap, so nothing but the budget is
scarce. Visits cost what the policy says, which is what the world says. Budget left over is saved as
in theory/ephemeral/cycle.py: where the best source costs more than is left, nothing is visited in
its stead, and at most a slot's budget or the cost of the dearest source is carried over.

>>> from trapline.policies.refresh.whittle import SlottedWhittle
>>> from trapline.theory.ephemeral.source import EphemeralSource, Sources
>>> fast = EphemeralSource(250.0, 1.0, 0.7, cost=2.0)
>>> slow = EphemeralSource(250.0, 0.7, 0.35, cost=3.0)
>>> sources = Sources.of([fast, slow])
>>> world = EphemeralWorld(sources)
>>> run_slots(SlottedWhittle(sources), world, budget=2.5, slots=100).visits.tolist()
[75, 33]
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trapline.core.errors import BadNumber
from trapline.core.links import links_to
from trapline.core.records import Observation, Outcome
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.policies.discovery.breadth_first import BreadthFirst
from trapline.policies.refresh.slots.slot_chooser import SlottedChooser
from trapline.robot.agenda.agenda import Budget
from trapline.robot.request_controller import Limits, RequestController

Floats = NDArray[np.float64]

_ROUNDING: Final = 1e-9  # of what can be saved: ten tenths are a whole


@dataclass(frozen=True, slots=True)
class SlottedRun:
    rewards: Floats  # [slot] what its visits brought
    # [slot] mean price paid, as the policy saw it; ∞ where a visit was made to learn, 0 without
    # visits
    prices: Floats
    visits: NDArray[np.int64]  # [source]

    @property
    def mean(self) -> float:
        return float(self.rewards.mean())


def run_slots(
    policy: SlottedChooser, world: EphemeralWorld, budget: float, slots: int
) -> SlottedRun:
    """So many slots of `budget` units of cost each; with unit costs, of `budget` visits."""
    _check(policy, world, budget)
    controller = _holding_all(policy, len(world.content))
    rewards = np.zeros(slots)
    prices = np.zeros(slots)
    visits = np.zeros(len(world.content), np.int64)
    most_saved = max(budget, float(policy.costs.max()))
    policy.purse = rounding = _ROUNDING * most_saved
    for slot in range(slots):
        world.step()
        now_s = float(world.now)
        policy.purse = min(policy.purse, most_saved + rounding) + budget
        paid: list[float] = []
        while tickets := controller.issue(now_s, 1):
            [ticket] = tickets
            reward = world.visit(ticket.page)
            paid.append(policy.paid)
            policy.purse -= float(policy.costs[ticket.page])
            controller.land(ticket, now_s)
            controller.settle(
                Observation(ticket, Outcome.OK, False, 1.0, news=reward), now_s
            )
            rewards[slot] += reward
            visits[ticket.page] += 1
        prices[slot] = sum(paid) / max(1, len(paid))
    policy.purse = math.inf
    return SlottedRun(rewards, prices, visits)


def _check(policy: SlottedChooser, world: EphemeralWorld, budget: float) -> None:
    if not 0.0 < budget < math.inf:
        raise BadNumber(
            "the budget M", budget, "a number above 0 (units of cost a slot)"
        )
    if len(policy.last) != len(world.content):
        raise BadNumber(
            "the number of sources of the policy",
            len(policy.last),
            f"{len(world.content)}, as in the world",
        )
    other = policy.costs != world.sources.cost
    if other.any():
        wanted = f"{world.sources.cost[other][0]}, as in the world"
        raise BadNumber(
            "the cost of a visit, to the policy", policy.costs[other][0], wanted
        )


def _holding_all(policy: SlottedChooser, sources: int) -> RequestController:
    """A controller that has visited every source once, at slot 0, when nothing was there yet."""
    controller = RequestController(
        discovery=BreadthFirst(),
        refresh=policy,
        budget=Budget(per_s=math.inf),
        limits=Limits(lease_s=math.inf),
    )
    for _ in range(sources):
        controller.add_own_host(0.0)
    controller.admit(links_to(range(sources), range(sources)), 0.0)
    for ticket in controller.issue(0.0, sources):
        controller.land(ticket, 0.0)
        controller.settle(Observation(ticket, Outcome.OK, True, 1.0), 0.0)
    return controller
