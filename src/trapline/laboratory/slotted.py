"""Slots through the request controller: the very object that runs live, asked once a slot for its budget of visits.

Each source is a held page on a host of its own that owes no gap, so nothing but the budget is scarce.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trapline.core.records import Link, Observation, Outcome
from trapline.laboratory.worlds.ephemeral import EphemeralWorld
from trapline.policies.breadth_first import BreadthFirst
from trapline.policies.slotted import SlottedChooser
from trapline.robot.agenda import Budget
from trapline.robot.request_controller import RequestController

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SlottedRun:
    rewards: Floats  # [slot] what its visits brought
    prices: Floats  # [slot] mean price paid, as the policy saw it; ∞ where a visit was made to learn
    visits: NDArray[np.int64]  # [source]

    @property
    def mean(self) -> float:
        return float(self.rewards.mean())


def run_slots(policy: SlottedChooser, world: EphemeralWorld, budget: int, slots: int) -> SlottedRun:
    """So many slots of `budget` visits each."""
    controller = _holding_all(policy, len(world.content))
    rewards, prices = np.zeros(slots), np.zeros(slots)
    visits = np.zeros(len(world.content), np.int64)
    for slot in range(slots):
        world.step()
        now_s = float(world.now)
        for _ in range(budget):
            tickets = controller.issue(now_s, 1)
            if not tickets:
                break
            [ticket] = tickets
            reward = world.visit(ticket.page)
            prices[slot] += policy.paid / budget
            controller.land(ticket, now_s)
            controller.settle(Observation(ticket, Outcome.OK, True, 1.0, news=reward), now_s)
            rewards[slot] += reward
            visits[ticket.page] += 1
    return SlottedRun(rewards, prices, visits)


def _holding_all(policy: SlottedChooser, sources: int) -> RequestController:
    """A controller that has visited every source once, at slot 0, when nothing was there yet."""
    controller = RequestController(
        discovery=BreadthFirst(), refresh=policy, budget=Budget(per_s=math.inf), lease_s=math.inf
    )
    for _ in range(sources):
        controller.add_own_host(0.0)
    controller.admit([Link(page, page) for page in range(sources)], 0.0)
    for ticket in controller.issue(0.0, sources):
        controller.land(ticket, 0.0)
        controller.settle(Observation(ticket, Outcome.OK, True, 1.0), 0.0)
    return controller
