"""The fetcher controller: how many fetchers may work.

It wakes them and puts them to sleep by its policy's table.

A state machine, asked at arrivals (a fetcher came home with an answer), departures (an answer was
processed) and ticks (time passed, nothing else). As in `talim`, a fetcher that comes home rests
unless it is woken again at once, and a departure may wake one more. Awake is a permission: a
fetcher for which there is no ticket waits for one.

>>> from trapline.policies.fetchers.fixed import Fixed
>>> controller = FetcherController(Fixed(most=8, capacity=64), capacity=64)
>>> controller.target(now_s=0.0, queue_length=3, active=2, event="arrival")
8
"""

from __future__ import annotations

from typing import Literal

from trapline.core.records import Ticket
from trapline.policies.fetchers.fetcher_policy import FetcherPolicy, Reserves
from trapline.robot.queue_gauge import QueueFigures, QueueGauge
from trapline.theory.queueing.switching import (
    ARRIVAL,
    DEPARTURE,
    arrival_curve,
    departure_curve,
)

Event = Literal["arrival", "departure", "tick"]


class FetcherController:
    def __init__(self, policy: FetcherPolicy, capacity: int) -> None:
        """`capacity` places has the response queue, the one of the answer being processed among
        them.
        """
        self.policy = policy
        self._gauge = QueueGauge(capacity)
        self.awake = policy.start

    def target(self, now_s: float, queue_length: int, active: int, event: Event) -> int:
        """How many fetchers may be at work from now on. The counts are those after the event.

        `queue_length` above the capacity says that the answer just brought found no place: its
        fetcher holds it.
        """
        self._gauge.note(now_s, queue_length, active)
        if event != "tick":
            self._decide(queue_length, event)
            self._gauge.count(event)
            if self._gauge.events >= self.policy.patience:
                self.policy.learn(self._gauge.take(self.awake))
        return self.awake

    def _decide(
        self, queue_length: int, event: Literal["arrival", "departure"]
    ) -> None:
        wakes = self.policy.wakes()
        capacity = self._gauge.capacity
        if event == "departure":
            self.awake += bool(
                wakes[DEPARTURE, min(queue_length + 1, capacity), self.awake]
            )
        else:
            before = max(self.awake, 1)
            self.awake = (
                before
                - 1
                + bool(wakes[ARRIVAL, min(queue_length - 1, capacity), before])
            )
        if not queue_length and not self.awake:
            self.awake = 1  # or nobody would ever bring anything again

    @property
    def prices_visits(self) -> bool:
        """Whether `reserves` says which visits are worthwhile."""
        return self.policy.prices_visits

    def reserves(self, queue_length: int, active: int) -> Reserves:
        """What the next visits must be worth."""
        return self.policy.reserves(queue_length).beyond(active)

    def note_visit(self, ticket: Ticket, loss_per_s: float) -> None:
        """A visit was bought, and its answer loses so much a second while it waits."""
        # a robots.txt is asked for at no price, which says nothing of what pages are worth
        if ticket.page >= 0:
            self.policy.note_visit(ticket.price, loss_per_s)

    def skip_to(self, now_s: float) -> None:
        """Nobody worked in the time up to now, or the clock was set."""
        self._gauge.skip_to(now_s)

    def switching_curves(self) -> dict[str, list[int]]:
        """The table in force, as the two curves of theory/queueing/switching.py."""
        wakes = self.policy.wakes()
        return {
            "departure": departure_curve(wakes).tolist(),
            "arrival": arrival_curve(wakes).tolist(),
        }

    def figures(self) -> QueueFigures:
        return self._gauge.figures(self.awake)
